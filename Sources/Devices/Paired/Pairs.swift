// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Synchronization

/// The displays of two panels (`--pair`). Every panel passes here before it is served: a part of a pair is not served
/// by itself. The pair is served once both parts have come, or from the start if an earlier run has served it. Any
/// thread.
package final class Pairs: Sendable {
    struct Pair: Hashable, Sendable {
        let id: DisplayID
        let brightness: DisplayID
        let power: DisplayID

        var parts: [DisplayID] { [brightness, power] }
    }

    private struct State {
        var parts: [DisplayID: any Panel] = [:]
        /// Passes the reports of each part on.
        var reports: [DisplayID: Task<Void, Never>] = [:]
        /// The pairs that are served, by their ids.
        var paired: [DisplayID: PairedPanel] = [:]
    }

    package static let none = Pairs([])

    let all: [Pair]
    /// By the ids of the parts.
    private let pairs: [DisplayID: Pair]
    private let state = Mutex(State())

    /// - Parameter pairs: No two of them have a part or an id in common.
    init(_ pairs: [Pair]) {
        all = pairs
        self.pairs = Dictionary(uniqueKeysWithValues: pairs.flatMap { pair in pair.parts.map { ($0, pair) } })
    }

    /// Whether there is a pair with this id, even if its parts have not come.
    package func includes(_ id: DisplayID) -> Bool { all.contains { $0.id == id } }

    /// The id of the display that shows a panel: its own, or that of its pair.
    package func display(of panel: DisplayID) -> DisplayID { pairs[panel]?.id ?? panel }

    /// The id of the display that has to be read after a panel may have been unplugged or plugged in.
    package func display(ofPlugged panel: DisplayID) -> DisplayID {
        if let pair = pairs[panel] { state.withLock { $0.paired[pair.id] }?.recheck(panel) }
        return display(of: panel)
    }

    /// Whether no other panel may have an id: it is that of a pair, or of a part that has come.
    func isTaken(_ id: DisplayID) -> Bool { includes(id) || state.withLock { $0.parts[id] != nil } }

    /// Serves a pair of an earlier run whose parts have not both come.
    func resume(_ pair: Pair, from record: DisplayRecord) -> DisplayService.PanelRegistration {
        let paired = state.withLock { state in
            let paired = PairedPanel(
                pair.id,
                brightness: state.parts[pair.brightness] ?? AbsentPart(pair.brightness, of: record),
                power: state.parts[pair.power] ?? AbsentPart(pair.power, of: record)
            )
            state.paired[pair.id] = paired
            return paired
        }
        return .init(paired)
    }

    /// Adds a new panel.
    ///
    /// - Returns: The panel to serve now; `nil` for a part whose pair is served already or lacks its other part.
    package func admit(
        _ registration: DisplayService.PanelRegistration
    ) -> DisplayService.PanelRegistration? {
        let panel = registration.panel
        guard let pair = pairs[panel.id] else { return registration }
        let reports = Task { [weak self] in
            for await kind in panel.changes { self?.hint(pair, kind) }
        }
        let paired = state.withLock { state -> PairedPanel? in
            state.parts[panel.id] = panel
            state.reports.updateValue(reports, forKey: panel.id)?.cancel()
            if let paired = state.paired[pair.id] {
                paired.attach(panel)
                paired.hint(.connected)
                return nil
            }
            guard let brightness = state.parts[pair.brightness], let power = state.parts[pair.power] else { return nil }
            let paired = PairedPanel(pair.id, brightness: brightness, power: power)
            state.paired[pair.id] = paired
            return paired
        }
        return paired.map { .init($0) }
    }

    /// Forgets a part that will not return, and whose pair the caller has withdrawn, or one that has completed a pair
    /// that cannot be served yet.
    package func remove(_ part: DisplayID) {
        guard let pair = pairs[part] else { return }
        state.withLock { state in
            state.parts[part] = nil
            state.reports.removeValue(forKey: part)?.cancel()
            state.paired.removeValue(forKey: pair.id)?.end()
        }
    }

    private func hint(_ pair: Pair, _ kind: Cause.Kind) { state.withLock { $0.paired[pair.id] }?.hint(kind) }
}

/// A part of a pair that an earlier run has served and that has not come yet: a client that is not connected, or an
/// absent device. What that run has changed at the other part is changed back without it.
struct AbsentPart: Panel {
    let id: DisplayID
    let name: String
    let kind = DisplayKind.provided
    let range: BrightnessRange
    let isDimmable: Bool
    let isCheapToRead = true
    let isSwitchable = true
    /// The part may be of any kind, so its record is stored with the greatest care.
    let isVolatile = true
    let keepsStepWithoutPower = true
    let changes = AsyncStream<Cause.Kind> { $0.finish() }
    let deviceRecord: DeviceRecord

    init(_ id: DisplayID, of record: DisplayRecord) {
        (self.id, name) = (id, record.id.text)
        deviceRecord = record.device.parts[id] ?? DeviceRecord()
        isDimmable = record.maximum > 1
        range = isDimmable ? BrightnessRange(maximum: record.maximum) ?? .fixed : .fixed
    }

    /// Only a device has an address.
    private var absence: DeviceError { deviceRecord.address == nil ? .abandoned(id) : .unplugged(path: id.text) }

    func read() throws(DeviceError) -> Int { throw absence }
    func write(_ step: Int) throws(DeviceError) { throw absence }
    func writePower(_ isOn: Bool) throws(DeviceError) { throw absence }
}
