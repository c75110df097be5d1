// SPDX-License-Identifier: Apache-2.0

/// What a figure has to keep to.
enum Bound: Sendable {
    case ratioAtMost(Double)
    case ratioAtLeast(Double)
    case valueAtMost(Double)
    case valueAtLeast(Double)
    /// For a server against itself.
    case ratioWithin(Double, Double)

    func isKept(value: Double, ratio: Double?) -> Bool {
        switch self {
        case .ratioAtMost(let limit): ratio.map { $0 <= limit } ?? false
        case .ratioAtLeast(let limit): ratio.map { $0 >= limit } ?? false
        case .valueAtMost(let limit): value <= limit
        case .valueAtLeast(let limit): value >= limit
        case .ratioWithin(let low, let high): ratio.map { low <= $0 && $0 <= high } ?? false
        }
    }

    var text: String {
        switch self {
        case .ratioAtMost(let limit): "≤ \(fixed(limit, 2)) ×"
        case .ratioAtLeast(let limit): "≥ \(fixed(limit, 2)) ×"
        case .valueAtMost(let limit): "≤ \(fixed(limit, 2))"
        case .valueAtLeast(let limit): "≥ \(fixed(limit, 0))"
        case .ratioWithin(let low, let high): "\(fixed(low, 2))…\(fixed(high, 2)) ×"
        }
    }
}

/// One line of the result.
struct Row: Codable, Sendable {
    let what: String
    let unit: String
    let digits: Int
    let subject: Double
    let peerName: String
    let peer: Double
    /// `nil` where it has no meaning: beside a peer's 0.
    let ratio: Double?
    let bound: String?
    /// `nil` when nothing is demanded.
    let isKept: Bool?

    init(
        _ what: String,
        unit: String,
        digits: Int,
        values: (subject: Double, peer: Double),
        ratio: Double,
        peerName: String,
        bound: Bound?
    ) {
        self.what = what
        self.unit = unit
        self.digits = digits
        (subject, peer) = values
        self.peerName = peerName
        self.ratio = ratio.isFinite ? ratio : nil
        self.bound = bound?.text
        isKept = bound?.isKept(value: values.subject, ratio: self.ratio)
    }
}
