// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Support

extension DaemonMetrics {
    /// Writes the counts of the shards. A shard's label is its number.
    func write(_ shards: [ShardCounts], to exposition: inout Exposition) {
        func each(
            _ family: StaticString,
            _ help: StaticString,
            _ body: (inout Exposition, ShardCounts, _ shard: String) -> Void
        ) {
            exposition.family(family, help)
            for (number, counts) in shards.enumerated() { body(&exposition, counts, String(number)) }
        }
        func together(_ histogram: KeyPath<ShardCounts, Histogram>) -> Histogram {
            shards.map { $0[keyPath: histogram] }.reduce(Histogram(bounds: Histogram.defaultBounds), +)
        }

        exposition.family("brightnessd_shards", "Threads that serve connections.")
        exposition.sample(shards.count)
        each("brightnessd_http_connections", "Open connections by shard, without streams.") {
            $0.sample($1.connections, ["shard": $2])
        }
        each(
            "brightnessd_http_connections_refused_total",
            "Connections rejected with 503 or 429, at the limit of the server or of their client."
        ) { $0.sample($1.refused, ["shard": $2]) }
        each("brightnessd_http_responses_total", "Responses by shard and status, without streams.") {
            exposition,
            counts,
            shard in
            for (status, count) in counts.responses.enumerated() where count > 0 {
                exposition.sample(count, ["shard": shard, "code": "\(status)"])
            }
        }
        each("brightnessd_streams", "Open event streams and WebSockets, by shard and kind.") {
            exposition,
            counts,
            shard in
            exposition.sample(counts.streams.eventStreams, ["shard": shard, "kind": "events"])
            exposition.sample(counts.streams.webSockets, ["shard": shard, "kind": "websocket"])
        }
        each("brightnessd_streams_opened_total", "Opened event streams and WebSockets, by shard.") {
            $0.sample($1.streams.opened, ["shard": $2])
        }
        each(
            "brightnessd_streams_given_up_total",
            "Streams closed because their client accepted no data for 30 s, by shard."
        ) { $0.sample($1.streams.givenUp, ["shard": $2]) }
        each(
            "brightnessd_streams_evicted_total",
            "Streams closed because more bytes were pending for all than allowed, by shard."
        ) { $0.sample($1.streams.evicted, ["shard": $2]) }
        each("brightnessd_deliveries_total", "Events sent, counted per stream, by shard.") {
            $0.sample($1.streams.deliveries, ["shard": $2])
        }
        each("brightnessd_skipped_total", "Events that slow clients skipped, by shard.") {
            $0.sample($1.streams.skipped, ["shard": $2])
        }
        exposition.family(
            "brightnessd_command_duration_seconds",
            "Time from receiving a command over HTTP or WebSocket until its display carried it out.",
            .histogram
        )
        exposition.samples(together(\.commands))
        exposition.family(
            "brightnessd_fan_out_duration_seconds",
            "Time to send an event to every stream of a shard that keeps up.",
            .histogram
        )
        exposition.samples(together(\.streams.fanOut))
        exposition.family(
            "brightnessd_shard_turn_duration_seconds",
            "Busy time of a shard between two waits; one of 64 turns is measured.",
            .histogram
        )
        exposition.samples(together(\.turns))
    }
}
