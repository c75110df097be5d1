// SPDX-License-Identifier: Apache-2.0

/// The bound of a figure.
enum Bound: Sendable {
    case ratioAtMost(Double)
    case ratioAtLeast(Double)
    case ratioWithin(Double, Double)
    case valueAtMost(Double)
    case valueAtLeast(Double)

    func isKept(value: Double, ratio: Double?) -> Bool {
        switch self {
        case .ratioAtMost(let limit): ratio.map { $0 <= limit } ?? false
        case .ratioAtLeast(let limit): ratio.map { $0 >= limit } ?? false
        case .ratioWithin(let low, let high): ratio.map { low <= $0 && $0 <= high } ?? false
        case .valueAtMost(let limit): value <= limit
        case .valueAtLeast(let limit): value >= limit
        }
    }

    func text(_ digits: Int) -> String {
        switch self {
        case .ratioAtMost(let limit): "≤ \(fixed(limit, 2)) ×"
        case .ratioAtLeast(let limit): "≥ \(fixed(limit, 2)) ×"
        case .ratioWithin(let low, let high): "\(fixed(low, 2))–\(fixed(high, 2)) ×"
        case .valueAtMost(let limit): "≤ \(fixed(limit, digits))"
        case .valueAtLeast(let limit): "≥ \(fixed(limit, digits))"
        }
    }
}

/// One line of the result.
struct Row: Sendable {
    let what: String
    let unit: String
    let digits: Int
    let value: Double
    let peer: (name: String, value: Double, ratio: Double)?
    let bound: Bound?

    /// `nil` when nothing is demanded.
    var isKept: Bool? { bound?.isKept(value: value, ratio: peer?.ratio) }
}
