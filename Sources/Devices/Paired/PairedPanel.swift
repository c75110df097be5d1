// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

/// The brightness of one panel and the power of another, as one panel. It is there while both are.
/// `Panel` says what each member means.
final class PairedPanel: Panel {
    let id: DisplayID
    let changes: AsyncStream<Cause.Kind>
    private let parts: Mutex<(brightness: any Panel, power: any Panel)>
    /// Whether the panel that is switched may have come or gone, so that the next `read` asks it, even if that is slow.
    private let mustRecheckPower = Atomic(false)
    /// Whether a slow panel was read while the one that is switched was not there.
    private let wasReadAlone = Atomic(false)
    /// Whether the last write of the power switched it off.
    private let wasSwitchedOff = Atomic(false)
    private let hints: AsyncStream<Cause.Kind>.Continuation

    init(_ id: DisplayID, brightness: any Panel, power: any Panel) {
        self.id = id
        parts = Mutex((brightness, power))
        (changes, hints) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    private var dimmed: any Panel { parts.withLock(\.brightness) }
    private var switched: any Panel { parts.withLock(\.power) }

    /// Replaces the part with this id.
    func attach(_ part: any Panel) {
        parts.withLock { parts in
            if parts.brightness.id == part.id { parts.brightness = part } else { parts.power = part }
        }
    }

    /// Makes the display read the panels.
    func hint(_ kind: Cause.Kind) { hints.yield(kind) }

    func end() { hints.finish() }

    // MARK: Both

    var hasParts: Bool { true }
    var wakesWhileGone: Bool { switched.wakesWhileGone }
    var demandRefusal: DeviceError? { dimmed.demandRefusal ?? switched.demandRefusal }
    var writes: DisplayState.Writes? { dimmed.writes ?? switched.writes }
    var deviceRecord: DeviceRecord {
        DeviceRecord(parts: Dictionary(uniqueKeysWithValues: [dimmed, switched].map { ($0.id, $0.deviceRecord) }))
    }

    /// One record has the values of both, so it is stored as safely as either needs.
    var keepsStepWithoutPower: Bool { dimmed.keepsStepWithoutPower || switched.keepsStepWithoutPower }

    var isSlow: Bool { dimmed.isSlow || switched.isSlow }

    func awaitWriteInterval() {
        dimmed.awaitWriteInterval()
        switched.awaitWriteInterval()
    }

    // MARK: Brightness

    var name: String { dimmed.name }
    var kind: DisplayKind { dimmed.kind }
    var range: BrightnessRange { dimmed.range }
    var isCheapToRead: Bool { dimmed.isCheapToRead }
    var rounds: Bool { dimmed.rounds }
    var isVolatile: Bool { dimmed.isVolatile }
    var writesOnce: Bool { dimmed.writesOnce }
    var substituteStep: Int? { dimmed.substituteStep }
    var isDimmable: Bool { dimmed.isDimmable }

    /// Makes the next read ask the part with this id whether it is there.
    func recheck(_ part: DisplayID) { if switched.id == part { mustRecheckPower.store(true, ordering: .relaxed) } }

    /// Reads the brightness. Fails if the panel that is switched is not there, for which that panel is read first: each
    /// time if that is cheap, else only after it may have come or gone.
    func read() throws(DeviceError) -> Int {
        // A monitor that is off may not answer, and counts as there.
        let isOff = wasSwitchedOff.load(ordering: .relaxed) || switched.readPower() == false
        if switched.isCheapToRead || (mustRecheckPower.load(ordering: .relaxed) && !isOff) {
            do {
                _ = try switched.read()
            } catch .abandoned(let id, _) {
                throw .abandoned(id, step: try stepAlone())
            } catch .unplugged(let path, _) {
                throw .unplugged(path: path, step: try stepAlone())
            }
            mustRecheckPower.store(false, ordering: .relaxed)
        }
        return try dimmed.read()
    }

    /// The step of the brightness while the panel that is switched is not there. A slow panel is read only once, when
    /// the display begins. The last step of a client that is gone, too, is not shown.
    private func stepAlone() throws(DeviceError) -> Int? {
        if dimmed.isCheapToRead {
            do { return try dimmed.read() } catch .abandoned(let id, _) { throw .abandoned(id) }
        }
        if wasReadAlone.exchange(true, ordering: .relaxed) { return nil }
        return try? dimmed.read()
    }

    func write(_ step: Int) throws(DeviceError) { try dimmed.write(step) }
    func readSignal() -> Bool? { dimmed.readSignal() }

    // MARK: Power

    var isSwitchable: Bool { switched.isSwitchable }
    /// Another device has the brightness.
    var restsAfterSwitch: Bool { false }
    var switchInterval: Duration { switched.switchInterval }
    var isPowerKnown: Bool { switched.isPowerKnown }
    func readPower() -> Bool? { switched.readPower() }
    func checkSwitch() throws(DeviceError) { if switched.isCheapToRead { _ = try switched.read() } }

    func writePower(_ isOn: Bool) throws(DeviceError) {
        try switched.writePower(isOn)
        wasSwitchedOff.store(!isOn, ordering: .relaxed)
    }
}
