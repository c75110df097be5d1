// SPDX-License-Identifier: Apache-2.0

/// The result for people: a table that is readable as it is and valid Markdown.
struct Table {
    let rows: [Row]

    var text: String {
        let head = ["what", "unit", "brightnessd", "peer", "peer's", "ratio", "bound", "ok?"]
        let lines = rows.map { row in
            [
                row.what, row.unit, fixed(row.value, row.digits), row.peer?.name ?? "",
                row.peer.map { fixed($0.value, row.digits) } ?? "",
                row.peer.flatMap { $0.ratio.isFinite ? fixed($0.ratio, 2) : nil } ?? "",
                row.bound?.text(row.digits) ?? "", row.isKept.map { $0 ? "yes" : "NO" } ?? "",
            ]
        }
        let isNumber = [false, false, true, false, true, true, false, false]
        let widths = head.indices.map { column in ([head] + lines).map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - cells[column].count)
                return isNumber[column] ? space + cells[column] : cells[column] + space
            }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let rule = head.indices.map { column in
            String(repeating: "-", count: widths[column] - 1) + (isNumber[column] ? ":" : "-")
        }
        return ([line(head), "| " + rule.joined(separator: " | ") + " |"] + lines.map(line)).joined(separator: "\n")
    }
}

/// A number with this many digits after the point, and commas between thousands.
func fixed(_ number: Double, _ digits: Int) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "-" }
    let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
    let scaled = Int((abs(number) * Double(scale)).rounded())
    var whole = String(scaled / scale)
    var place = whole.index(whole.endIndex, offsetBy: -3, limitedBy: whole.startIndex)
    while let here = place, here > whole.startIndex {
        whole.insert(",", at: here)
        place = whole.index(here, offsetBy: -3, limitedBy: whole.startIndex)
    }
    let fraction = String(scaled % scale + scale).dropFirst()
    return (number < 0 && scaled != 0 ? "-" : "") + whole + (digits > 0 ? "." + fraction : "")
}
