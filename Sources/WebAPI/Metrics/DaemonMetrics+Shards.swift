// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Support

extension DaemonMetrics {
    /// Writes the counts of the shards. A shard's label is its number.
    func write(_ shards: [ShardCounts], to exposition: inout Exposition) {
        func each(
            _ family: StaticString,
            _ help: StaticString,
            _ count: KeyPath<ShardCounts, some BinaryInteger>
        ) {
            exposition.family(family, help)
            for (number, counts) in shards.enumerated() {
                exposition.sample(counts[keyPath: count], ["shard": "\(number)"])
            }
        }
        func together(_ family: StaticString, _ help: StaticString, _ histogram: KeyPath<ShardCounts, Histogram>) {
            exposition.family(family, help, .histogram)
            exposition.samples(
                shards.map { $0[keyPath: histogram] }.reduce(Histogram(bounds: Histogram.defaultBounds), +)
            )
        }

        exposition.single("brightnessd_shards", "Threads that serve connections.", Double(shards.count))
        each("brightnessd_http_connections", "Open connections by shard, without streams.", \.connections)
        each(
            "brightnessd_http_connections_refused_total",
            "Connections rejected with 503 or 429, at the limit of the server or of their client.",
            \.refused
        )
        exposition.family("brightnessd_http_responses_total", "Responses by shard and status, without streams.")
        for (shard, counts) in shards.enumerated() {
            for (status, count) in counts.responses.enumerated() where count > 0 {
                exposition.sample(count, ["shard": "\(shard)", "code": "\(status)"])
            }
        }
        exposition.family("brightnessd_streams", "Open event streams and WebSockets, by shard and kind.")
        for (shard, counts) in shards.enumerated() {
            exposition.sample(counts.streams.eventStreams, ["shard": "\(shard)", "kind": "events"])
            exposition.sample(counts.streams.webSockets, ["shard": "\(shard)", "kind": "websocket"])
        }
        each("brightnessd_streams_opened_total", "Opened event streams and WebSockets, by shard.", \.streams.opened)
        each(
            "brightnessd_streams_given_up_total",
            "Streams closed because their client accepted no data for 30 s, by shard.",
            \.streams.givenUp
        )
        each(
            "brightnessd_streams_evicted_total",
            "Streams closed because more bytes were pending for all than allowed, by shard.",
            \.streams.evicted
        )
        each("brightnessd_deliveries_total", "Events sent, counted per stream, by shard.", \.streams.deliveries)
        each("brightnessd_skipped_total", "Events that slow clients skipped, by shard.", \.streams.skipped)
        together(
            "brightnessd_command_duration_seconds",
            "Time from receiving a command over HTTP or WebSocket until its display carried it out.",
            \.commands
        )
        together(
            "brightnessd_fan_out_duration_seconds",
            "Time to send an event to every stream of a shard that keeps up.",
            \.streams.fanOut
        )
        together(
            "brightnessd_shard_turn_duration_seconds",
            "Busy time of a shard between two waits; one of 64 turns is measured.",
            \.turns
        )
    }
}
