// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

extension Expectation {
    /// The identity of a lease.
    struct Key: Hashable {
        let kind: LeaseKind
        let holder: String?

        var isAboutPower: Bool { kind == .wake || kind == .sleep }
        var asksForLight: Bool { kind == .boost || kind == .wake }

        /// The principal of the holder, or of the one that has applied the preset.
        var owner: Principal {
            switch holder.flatMap({ $0.split(separator: ":").last }) {
            case "anna": Principal("one")
            case "ben": Principal("two")
            default: .daemon
            }
        }

        /// Whether a preset has granted it.
        var isOfPreset: Bool { holder == "preset" || holder?.hasPrefix("preset:") == true }

        /// Whether a holder has it, or a preset that it has applied.
        func isOf(_ name: String?) -> Bool { holder == name || name != nil && holder == "preset:\(name!)" }
    }

    struct Lease: Hashable {
        /// `nil` until the id was published.
        var id: LeaseID?
        /// `nil` for wakes and sleeps.
        var brightness: Double?
        var lifespan: LeaseLifespan
        var end: Int?
        /// The wall clock at its end.
        var wallEnd: Int?
        /// The longest remaining time, measured from when it was last known exactly.
        var longest: Int
        /// When a `visible` lease ends unless its holder opens a stream; `nil` while the holder has one.
        var graceEnd: Int?
        /// Whether a person has changed the panel since it was granted.
        var isOverridden = false

        /// The reasons for which the lease is over at `now`.
        func endings(by now: Int) -> Set<LeaseChange> {
            var changes: Set<LeaseChange> = []
            if let end, end <= now { changes.insert(.expired) }
            if let graceEnd, graceEnd <= now { changes.insert(.disconnected) }
            return changes
        }
    }

    /// The property that a person changes.
    enum Subject { case brightness, power }

    func key(of id: LeaseID) -> Key? { leases.first { $0.value.id == id }?.key }

    /// The leases of the kind that the summary counts: those that are not overridden, or all once all are.
    func counted(_ kind: LeaseKind) -> [Lease] {
        let held = leases.filter { $0.key.kind == kind }.values
        let effective = held.filter { !$0.isOverridden }
        return effective.isEmpty ? Array(held) : effective
    }

    /// Whether a person has overridden every lease of the kind.
    func isOverridden(_ kind: LeaseKind) -> Bool {
        let held = leases.lazy.filter { $0.key.kind == kind }
        return !held.isEmpty && held.allSatisfy(\.value.isOverridden)
    }

    var brightnessLeases: [Key: Lease] { leases.filter { !$0.key.isAboutPower } }

    /// A new run takes the leases again that the daemon held itself, without a time limit, unless the machine was
    /// restarted. Those that the last run had not taken again are in the file without an end, or with their new one.
    func goingOn(isOfThisBoot: Bool, at now: Int, wall: Int) -> [Expectation] {
        var results = [self]
        for (key, lease) in leases {
            guard let holder = key.holder, ReservedHolder.includes(holder) else { continue }
            if holder == ReservedHolder.idle || lease.end == nil && !isOfThisBoot {
                for index in results.indices { results[index].leases[key] = nil }
            } else if lease.end == nil || lease.longest == Self.grace {
                var taken = lease
                (taken.end, taken.wallEnd, taken.longest) = (now + Self.grace, wall + Self.grace, Self.grace)
                results = results.flatMap { result in
                    var other = result
                    other.leases[key] = isOfThisBoot ? taken : nil
                    return lease.end == nil ? [other] : [result, other]
                }
            }
        }
        return results
    }

    /// Overrides the leases in force. Later ones apply.
    ///
    /// - Parameter now: `nil` at a start.
    mutating func override(_ subject: Subject, at now: Int? = nil) {
        decided[subject] = now
        for key in leases.keys where key.isAboutPower == (subject == .power) { leases[key]?.isOverridden = true }
    }
}

extension Lease {
    var key: Expectation.Key { Expectation.Key(kind: kind, holder: holder) }
}
