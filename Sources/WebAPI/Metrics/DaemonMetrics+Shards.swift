// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Metrics

extension DaemonMetrics {
    /// What the shards have and did. A shard's label is its number.
    func write(_ shards: [ShardCounts], to exposition: inout Exposition) {
        func each(_ body: (inout Exposition, ShardCounts, _ shard: String) -> Void) {
            for (number, counts) in shards.enumerated() { body(&exposition, counts, String(number)) }
        }
        func together(_ histogram: KeyPath<ShardCounts, Histogram>) -> Histogram {
            shards.map { $0[keyPath: histogram] }.reduce(Histogram(bounds: Histogram.usualBounds), +)
        }

        exposition.family("brightnessd_shards", .gauge, help: "Threads that serve.")
        exposition.sample(shards.count)
        exposition.family(
            "brightnessd_http_connections",
            .gauge,
            help: "Connections of requests, by shard; streams are not among them."
        )
        each { $0.sample($1.connections, ["shard": $2]) }
        exposition.family(
            "brightnessd_http_connections_refused_total",
            .counter,
            help:
                "Connections that were answered 503 or 429 and ended, since there was no room or their client had too many."
        )
        each { $0.sample($1.refused, ["shard": $2]) }
        exposition.family(
            "brightnessd_http_responses_total",
            .counter,
            help: "Answers by shard and class of status; streams are none."
        )
        each { exposition, counts, shard in
            exposition.sample(counts.successes, ["shard": shard, "code": "2xx"])
            exposition.sample(counts.redirections, ["shard": shard, "code": "3xx"])
            exposition.sample(counts.clientErrors, ["shard": shard, "code": "4xx"])
            exposition.sample(counts.serverErrors, ["shard": shard, "code": "5xx"])
        }
        exposition.family("brightnessd_streams", .gauge, help: "Open event streams and WebSockets, by shard and kind.")
        each { exposition, counts, shard in
            exposition.sample(counts.streams.eventStreams, ["shard": shard, "kind": "events"])
            exposition.sample(counts.streams.webSockets, ["shard": shard, "kind": "websocket"])
        }
        exposition.family(
            "brightnessd_streams_opened_total",
            .counter,
            help: "Event streams and WebSockets that were opened, by shard."
        )
        each { $0.sample($1.streams.opened, ["shard": $2]) }
        exposition.family(
            "brightnessd_streams_given_up_total",
            .counter,
            help: "Streams closed since their client took nothing for 30 s, by shard."
        )
        each { $0.sample($1.streams.givenUp, ["shard": $2]) }
        exposition.family(
            "brightnessd_deliveries_total",
            .counter,
            help: "Events sent, one for each stream that got it, by shard."
        )
        each { $0.sample($1.streams.deliveries, ["shard": $2]) }
        exposition.family(
            "brightnessd_skipped_total",
            .counter,
            help: "Events that slow clients missed, as `skipped` reports, by shard."
        )
        each { $0.sample($1.streams.skipped, ["shard": $2]) }
        exposition.family(
            "brightnessd_command_duration_seconds",
            .histogram,
            help: "From when a command came to when its display had carried it out, over HTTP and WebSocket."
        )
        exposition.samples(together(\.commands))
        exposition.family(
            "brightnessd_fan_out_duration_seconds",
            .histogram,
            help: "From when a shard began to send an event to when all of its streams had it that keep up."
        )
        exposition.samples(together(\.streams.fanOut))
        exposition.family(
            "brightnessd_shard_turn_duration_seconds",
            .histogram,
            help: "How long a shard was busy from one wait to the next; of 64 turns one is measured."
        )
        exposition.samples(together(\.turns))
    }
}
