// SPDX-License-Identifier: Apache-2.0

/// A thing whose brightness can be read and written: the only way the core knows a screen. Injected, so a test passes
/// its own.
package protocol Panel: Sendable {
    var id: DisplayID { get }
    /// For people, such as `Built-in display`.
    var name: String { get }
    var kind: DisplayKind { get }
    /// The steps it has. Does not change while the panel lives.
    var range: BrightnessRange { get }

    /// Whether `read()` asks the device and costs next to nothing, so that it is read before every command.
    var isCheapToRead: Bool { get }

    /// Whether it may read back another step than the last one written to it, as LEDs and monitors do. The kernel stores
    /// a backlight's step as it was written: another one there is somebody else's.
    var rounds: Bool { get }

    /// Whether its step is lost when the daemon ends. Such a panel is given back what was written down.
    var isVolatile: Bool { get }

    /// Whether it keeps its step without power, as a monitor does, which has a memory of its own. Others come up as firmware
    /// and system make them.
    var keepsStepWithoutPower: Bool { get }

    /// Whether each write costs so much, time or wear, that a transition is one write: the last.
    var writesOnce: Bool { get }

    /// Why nobody may ask more of it for now, though it takes what it is owed; `nil` as usual.
    var demandRefusal: DeviceError? { get }

    /// How often it was written, where that wears it.
    var writes: DisplayState.Writes? { get }

    /// Returns when it may be written again, where writes must not follow each other closely. May block; called on the
    /// panel's queue before the commands that wait are taken, so that the newest of them wins.
    func awaitTurn()

    /// The step it is set to. May block; called on the panel's queue.
    func read() throws(DeviceError) -> Int

    /// Sets it to a step within `range`. May block; called on the panel's queue, one write at a time.
    func write(_ step: Int) throws(DeviceError)

    /// One element whenever somebody else (another program, a person at the panel) may have set it, or it may have come,
    /// gone, or been switched off or on: "look". The element is the cause to tell, if it was set: `.external`, `.hotkey`…
    ///
    /// It carries no step on purpose: the step is read on the panel's queue, in order with our own writes, so an own
    /// write is never mistaken for somebody else's. Ends when the panel is gone for good. One reader.
    var changes: AsyncStream<Cause.Kind> { get }
}

extension Panel {
    package var rounds: Bool { false }
    package var keepsStepWithoutPower: Bool { false }
    package var writesOnce: Bool { false }
    package var demandRefusal: DeviceError? { nil }
    package var writes: DisplayState.Writes? { nil }
    package func awaitTurn() {}
}
