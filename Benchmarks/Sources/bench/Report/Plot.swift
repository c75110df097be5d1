// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The cost of a delivery by the number of clients, for each server, as an SVG picture. Both axes are logarithmic.
struct Plot {
    private struct Line {
        let name, colour: String
        let isDashed: Bool
        let points: [(clients: Double, cost: Double)]
    }

    private let lines: [Line]
    private let width = 720.0, height = 400.0
    private let left = 60.0, right = 180.0, top = 40.0, bottom = 50.0
    private static let colours = [
        (Report.daemon, "#0b6e4f"), ("epoll-limit", "#666666"), ("Nchan", "#1f5fbf"), ("Hummingbird", "#c0392b"),
    ]

    /// `nil` if no fan-out was measured.
    init?(_ report: Report) {
        var lines: [Line] = []
        let kinds = [("events", report.results.events), ("WebSockets", report.results.webSockets)]
        for (kind, rounds) in kinds {
            for (name, colour) in Self.colours {
                guard let rounds, rounds.samples[name] != nil else { continue }
                let points = report.plan.crowds.map { crowd in
                    (Double(crowd), rounds.median(of: name) { $0.at(crowd)?.cpuPerDelivery ?? .nan })
                }
                let line = Line(
                    name: "\(name), \(kind)",
                    colour: colour,
                    isDashed: kind == "WebSockets",
                    points: points
                )
                lines.append(line)
            }
        }
        guard lines.contains(where: { $0.points.count > 1 }) else { return nil }
        self.lines = lines
    }

    var svg: String {
        let clients = lines.flatMap { $0.points.map(\.clients) }, costs = lines.flatMap { $0.points.map(\.cost) }
        let columns = Scale(clients.min() ?? 1, clients.max() ?? 10, from: left, to: width - right)
        let rows = Scale((costs.min() ?? 1) / 1.2, (costs.max() ?? 10) * 1.2, from: height - bottom, to: top)
        var parts = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(Int(width)) \#(Int(height))""#
                + #" font-family="sans-serif" font-size="12">"#,
            #"<rect width="100%" height="100%" fill="white"/>"#,
            #"<text x="\#(Int(left))" y="22" font-size="14">"#
                + "CPU time of the server for one event on one client, in µs</text>",
        ]
        for tick in Set(clients).sorted() {
            let x = fixed(columns.place(tick), 1)
            parts.append(#"<line x1="\#(x)" x2="\#(x)" y1="\#(top)" y2="\#(height - bottom)" stroke="silver"/>"#)
            parts.append(
                #"<text x="\#(x)" y="\#(height - bottom + 18)" text-anchor="middle">\#(fixed(tick, 0))</text>"#
            )
        }
        parts.append(
            #"<text x="\#((left + width - right) / 2)" y="\#(height - 12)" text-anchor="middle">clients</text>"#
        )
        for tick in [1.0, 2, 5, 10, 20, 50, 100, 200, 500] where rows.contains(tick) {
            let y = fixed(rows.place(tick), 1)
            parts.append(#"<line x1="\#(left)" x2="\#(width - right)" y1="\#(y)" y2="\#(y)" stroke="silver"/>"#)
            parts.append(#"<text x="\#(left - 8)" y="\#(y)" dy="4" text-anchor="end">\#(fixed(tick, 0))</text>"#)
        }
        for (place, line) in lines.enumerated() {
            let colour = line.colour
            let path = line.points.map { "\(fixed(columns.place($0.clients), 1)),\(fixed(rows.place($0.cost), 1))" }
            let y = Int(top) + 18 * place + 10
            let dash = line.isDashed ? #" stroke-dasharray="5 3""# : ""
            parts.append(
                #"<polyline points="\#(path.joined(separator: " "))" fill="none""#
                    + #" stroke="\#(colour)" stroke-width="2"\#(dash)/>"#
            )
            let x = Int(width - right) + 12
            parts.append(
                #"<line x1="\#(x)" x2="\#(x + 20)" y1="\#(y)" y2="\#(y)""#
                    + #" stroke="\#(colour)" stroke-width="2"\#(dash)/>"#
            )
            parts.append(#"<text x="\#(x + 26)" y="\#(y)" dy="4">\#(line.name)</text>"#)
        }
        return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    /// A logarithmic axis.
    private struct Scale {
        let low, high, from, to: Double

        init(_ low: Double, _ high: Double, from: Double, to: Double) {
            (self.low, self.high, self.from, self.to) = (low, max(high, low * 1.01), from, to)
        }

        func contains(_ value: Double) -> Bool { (low...high).contains(value) }

        func place(_ value: Double) -> Double {
            from + (to - from) * (logarithm(value / low) / logarithm(high / low))
        }
    }
}
