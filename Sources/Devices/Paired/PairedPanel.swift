// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

/// The brightness of one panel and the power of another, as one panel. It is there while both are.
final class PairedPanel: Panel {
    let id: DisplayID
    let changes: AsyncStream<Cause.Kind>
    private let parts: Mutex<(brightness: any Panel, power: any Panel)>
    /// Whether the panel that is switched may be gone or back, although it is not read with each command.
    private let mustRecheckPower = Atomic(false)
    private let isOff = Atomic(false)
    private let hints: AsyncStream<Cause.Kind>.Continuation

    init(_ id: DisplayID, brightness: any Panel, power: any Panel) {
        self.id = id
        parts = Mutex((brightness, power))
        (changes, hints) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    private var brightness: any Panel { parts.withLock(\.brightness) }
    private var power: any Panel { parts.withLock(\.power) }

    /// Replaces the part with this id.
    func attach(_ part: any Panel) {
        parts.withLock { parts in
            if parts.brightness.id == part.id { parts.brightness = part } else { parts.power = part }
        }
    }

    /// Makes the display look at the panels.
    func hint(_ kind: Cause.Kind) { hints.yield(kind) }

    /// Ends `changes`.
    func end() { hints.finish() }

    // MARK: Both

    var hasParts: Bool { true }
    var wakesWhileGone: Bool { power.wakesWhileGone }
    var demandRefusal: DeviceError? { brightness.demandRefusal ?? power.demandRefusal }
    var writes: DisplayState.Writes? { brightness.writes ?? power.writes }
    /// A value that a power cut loses is marked for both.
    var keepsStepWithoutPower: Bool { brightness.keepsStepWithoutPower || power.keepsStepWithoutPower }

    var isSlow: Bool { brightness.isSlow || power.isSlow }

    func awaitTurn() {
        brightness.awaitTurn()
        power.awaitTurn()
    }

    // MARK: Brightness

    var name: String { brightness.name }
    var kind: DisplayKind { brightness.kind }
    var range: BrightnessRange { brightness.range }
    var isCheapToRead: Bool { brightness.isCheapToRead }
    var rounds: Bool { brightness.rounds }
    var isVolatile: Bool { brightness.isVolatile }
    var writesOnce: Bool { brightness.writesOnce }
    var keptStep: Int? { brightness.keptStep }
    var isDimmable: Bool { brightness.isDimmable }

    /// Makes the next read ask the part with this id whether it is there.
    func recheck(_ part: DisplayID) { if power.id == part { mustRecheckPower.store(true, ordering: .relaxed) } }

    /// Also asks the panel that is switched whether it is there, if that is cheap, or in doubt. A monitor that is off
    /// may not answer.
    func read() throws(DeviceError) -> Int {
        let mustRecheck = mustRecheckPower.load(ordering: .relaxed) && !isOff.load(ordering: .relaxed)
        if power.isCheapToRead || mustRecheck {
            do {
                _ = try power.read()
            } catch .abandoned(let id, _) {
                let step: Int? = try brightness.isCheapToRead ? brightness.read() : nil
                throw .abandoned(id, step: step)
            }
            mustRecheckPower.store(false, ordering: .relaxed)
        }
        return try brightness.read()
    }

    func write(_ step: Int) throws(DeviceError) { try brightness.write(step) }
    func readSignal() -> Bool? { brightness.readSignal() }

    // MARK: Power

    var isSwitchable: Bool { power.isSwitchable }
    /// Another device has the brightness.
    var restsAfterSwitch: Bool { false }
    var switchInterval: Duration { power.switchInterval }
    var isPowerKnown: Bool { power.isPowerKnown }
    func readPower() -> Bool? { power.readPower() }

    func writePower(_ isOn: Bool) throws(DeviceError) {
        try power.writePower(isOn)
        isOff.store(!isOn, ordering: .relaxed)
    }
}
