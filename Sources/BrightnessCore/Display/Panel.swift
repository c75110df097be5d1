// SPDX-License-Identifier: Apache-2.0

/// A device whose brightness can be read and written, and which may be switched off. Injected, so that tests pass their
/// own.
package protocol Panel: Sendable {
    var id: DisplayID { get }
    /// The displayed name, such as `Built-in display`.
    var name: String { get }
    var kind: DisplayKind { get }
    /// The available steps. Only a client that provides a panel again changes them, as it changes the name.
    var range: BrightnessRange { get }

    /// Whether `read()` is fast enough to call before every command.
    var isCheapToRead: Bool { get }

    /// Whether the panel may read back another step than the one written, as LEDs and monitors do. The kernel stores a
    /// backlight's step as it was written: another step there was set by another program.
    var rounds: Bool { get }

    /// Whether the step is lost when the daemon ends. Such a panel is restored from its record.
    var isVolatile: Bool { get }

    /// Whether the panel keeps its step without power, as monitors with their own memory do. The firmware or the system
    /// sets the others at boot.
    var keepsStepWithoutPower: Bool { get }

    /// Whether a switch or write may take seconds, as with monitors.
    var isSlow: Bool { get }

    /// Whether each write costs so much time or wear that a transition is one write of the last step.
    var writesOnce: Bool { get }

    /// The reason to reject demands for now, although pending writes are still performed; `nil` normally.
    var demandRefusal: DeviceError? { get }

    /// The number of writes, for panels that wear.
    var writes: DisplayState.Writes? { get }

    /// The facts about the device that survive the daemon.
    var deviceRecord: DeviceRecord { get }

    /// Whether the panel has a brightness to set. One without has the single step 1 (`BrightnessRange.fixed`).
    var isDimmable: Bool { get }

    /// The principal of the client that provides the panel; `nil` for one of the machine.
    var principal: Principal? { get }

    var isSwitchable: Bool { get }

    /// The minimum time between two switches.
    var switchInterval: Duration { get }

    /// Whether a step can only be written `switchInterval` after a switch, since a monitor that has just been switched
    /// on does not answer.
    var restsAfterSwitch: Bool { get }

    /// Whether brightness and power are those of two devices, one of which may be there without the other.
    var hasParts: Bool { get }

    /// Whether the panel may be switched on while it cannot be read: a television in standby may seem to be unplugged.
    var wakesWhileGone: Bool { get }

    /// Whether the published power is right. A television may not report what it does; then the power counts as that of
    /// the last switch, and is published as unknown.
    var isPowerKnown: Bool { get }

    /// Reads whether the panel is on; `nil` if that cannot be read cheaply, or would wake it. Called on the panel's
    /// queue.
    func readPower() -> Bool?

    /// Throws if the device of a pair that switches it is not there, as far as that is cheap to read. Called before
    /// `read()`, and in place of it for a panel that is off and slow to read.
    func checkSwitch() throws(DeviceError)

    /// Reads whether the system sends the panel a picture; `nil` if that is unknown. A panel that is lit may be dark
    /// without. Called with `read()` if that is cheap.
    func readSignal() -> Bool?

    /// Switches the panel on or off. May block; called on the panel's queue, and at the start to light a panel that is
    /// not switchable in this run.
    func writePower(_ isOn: Bool) throws(DeviceError)

    /// Waits until the next write is allowed, for panels with a minimum interval between writes. May block; called on
    /// the panel's queue before the waiting commands are taken, so that the newest wins.
    func awaitWriteInterval()

    /// Reads the current step, also of a panel that is switched off if that is cheap. May block; called on the panel's
    /// queue.
    func read() throws(DeviceError) -> Int

    /// Writes a step within `range`. May block; called on the panel's queue, one write at a time.
    func write(_ step: Int) throws(DeviceError)

    /// The step that the device shows in place of the last written one, if its driver has read that back itself.
    var substituteStep: Int? { get }

    /// Yields whenever another program or a person may have set the panel, or it may have come, gone, or been switched
    /// off or on. The element is the cause to report for a change: `.external`, `.hotkey`…
    ///
    /// Does not contain a step on purpose. The panel is read on its queue, in order with the daemon's writes, so an own
    /// write never looks like another program's. Finishes when the panel is gone for good. For one reader.
    var changes: AsyncStream<Cause.Kind> { get }
}

extension Panel {
    package var isDimmable: Bool { true }
    package var principal: Principal? { nil }
    package var isSwitchable: Bool { false }
    package var switchInterval: Duration { .zero }
    package var restsAfterSwitch: Bool { true }
    package var hasParts: Bool { false }
    package var wakesWhileGone: Bool { false }
    package var isPowerKnown: Bool { true }
    package func readPower() -> Bool? { nil }
    package func checkSwitch() throws(DeviceError) {}
    package func readSignal() -> Bool? { nil }
    package func writePower(_ isOn: Bool) throws(DeviceError) {}
    package var rounds: Bool { false }
    package var keepsStepWithoutPower: Bool { false }
    package var isSlow: Bool { kind == .ddc }
    package var writesOnce: Bool { false }
    package var demandRefusal: DeviceError? { nil }
    package var writes: DisplayState.Writes? { nil }
    package var deviceRecord: DeviceRecord { DeviceRecord() }
    package func awaitWriteInterval() {}
    package var substituteStep: Int? { nil }
}
