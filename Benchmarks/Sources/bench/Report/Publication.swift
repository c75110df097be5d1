// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The newest result in the documentation: what stands between two marks, and a picture.
struct Publication {
    private static let start = "<!-- result: make bench ARGS=--publish -->\n"
    private static let end = "<!-- end of result -->"

    let report: Report

    /// - Parameter directory: `docs`.
    func write(to directory: String) throws {
        let file = directory + "/explanation/performance.md"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        guard let from = text.range(of: Self.start), let to = text.range(of: Self.end, in: from.upperBound) else {
            throw BenchError.noPlace(path: file)
        }
        var result = "\n\(report.circumstances).\n\n\(Table(rows: Rows(report).all).text)\n"
        if let plot = Plot(report) {
            try plot.svg.write(toFile: directory + "/images/performance.svg", atomically: true, encoding: .utf8)
            result += "\n![CPU time of a delivery by the number of clients](../images/performance.svg)\n"
        }
        let new = text[..<from.upperBound] + result + "\n" + text[to.lowerBound...]
        try String(new).write(toFile: file, atomically: true, encoding: .utf8)
    }
}

extension String {
    fileprivate func range(of part: String, in start: Index) -> Range<Index>? { self[start...].firstRange(of: part) }

    fileprivate func range(of part: String) -> Range<Index>? { firstRange(of: part) }
}
