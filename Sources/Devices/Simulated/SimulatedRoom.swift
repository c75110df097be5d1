// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Support
import Synchronization

/// A simulated room: light from two sides with a sensor each, a hand near the display, and the person in front of the
/// simulated panels. Any thread.
package final class SimulatedRoom: Simulator, SensorSource {
    fileprivate struct State {
        var light = RoomLight(front: 320, back: 180)
        /// The covers, the hand and the sensors. `light`, `automatic` and the panels have the rest.
        var room = RoomState()
        var isOver = false
        /// The system's automatic brightness of each panel; `nil` while it is off.
        var automatic: [SystemAutomatic]?
    }

    /// The share of light that passes a cover, and a hand.
    private static let cover = 0.001
    private static let hand = 0.1

    private let panels: [SimulatedPanel]
    private let now: @Sendable () -> Instant
    private let state = Mutex(State())
    private let poster: NotificationPoster
    private let reporter: RoomReporter
    private let (starts, start) = WakeSignal.makeStream()

    /// - Parameters:
    ///   - panels: At least one.
    ///   - poster: Receives the room: at once, after each `change`, and by `keepReporting`; and changes of its sensors.
    ///   - now: Reads the clock of scripts.
    package init(_ panels: [SimulatedPanel], poster: NotificationPoster, now: @escaping @Sendable () -> Instant) {
        self.panels = panels
        self.now = now
        self.poster = poster
        reporter = RoomReporter(poster)
        for panel in panels { panel.observe { [reporter] in reporter.signalChange() } }
        report()
    }

    /// Posts changes outside of `change` a few times a second: brightness of the panels, and light of a running script.
    /// Returns when the task is cancelled.
    package func keepReporting(on clock: some Clock<Duration>) async {
        await reporter.keepReporting(on: clock) { room }
    }

    /// Sets the panels by the light while the system's automatic brightness is on. Returns when the task is cancelled.
    package func keepAdjusting(on clock: some Clock<Duration>) async {
        for await _ in starts {
            while adjust() {
                guard (try? await clock.sleep(for: SystemAutomatic.interval)) != nil else { return }
            }
        }
    }

    private var isSystemAutomatic: Bool { state.withLock { $0.automatic != nil } }

    /// The system's automatic brightness learns what a person chose.
    private func teach(_ slider: Brightness, of panel: SimulatedPanel) {
        guard isSystemAutomatic, let index = panels.firstIndex(where: { $0 === panel }) else { return }
        let light = measuredFront
        state.withLock { $0.automatic?[index].learn(slider, in: light) }
    }

    /// Returns `false` while the system's automatic brightness is off.
    private func adjust() -> Bool {
        guard isSystemAutomatic else { return false }
        let light = measuredFront
        for (index, panel) in panels.enumerated() where panel.readPower() != false {
            let next = state.withLock { $0.automatic?[index].next(after: panel.slider, in: light) }
            guard let next, case let step = panel.range.step(for: next), step != panel.range.step(for: panel.slider)
            else { continue }
            panel.set(to: step, by: .external)
        }
        return true
    }

    package func report() { reporter.report { room } }

    /// Posts the end of the room, and nothing afterwards until `resume`.
    package func end() {
        reporter.end()
        setOver(true)
    }

    /// Posts the room and its sensors again after an end.
    package func resume() {
        reporter.resume()
        report()
        setOver(false)
    }

    private func setOver(_ isOver: Bool) {
        let wasOver = state.withLock { state in
            defer { state.isOver = isOver }
            return state.isOver
        }
        if isOver != wasOver { poster.post(.sensors) }
    }

    package func sensors(at now: Instant) -> [any AmbientSensor]? {
        let (isOver, hasSensors) = state.withLock { ($0.isOver, $0.room.hasSensors) }
        guard !isOver else { return nil }
        return hasSensors ? [Position.front, .back, .proximity].map { Sensor(room: self, position: $0) } : []
    }

    package var room: RoomState {
        let now = now()
        let displays = panels.map { RoomState.Display($0.id, slider: $0.slider, failures: $0.failures) }
        return state.withLock { state in
            state.light.advance(to: now)
            var room = state.room
            room.front = Self.illuminance(state.light.front)
            room.back = Self.illuminance(state.light.back)
            room.isSystemAutomatic = state.automatic != nil
            (room.script, room.displays) = (state.light.script(at: now), displays)
            return room
        }
    }

    package func change(_ change: RoomChange) -> Bool {
        let panel = change.display.map { id in panels.first { $0.id == id } } ?? panels.first
        guard let panel else { return false }
        let now = now()
        state.withLock { state in
            if change.front != nil || change.back != nil {
                state.light.set(front: change.front?.lux, back: change.back?.lux, at: now)
            }
            switch change.script {
            case .begin(let script, let duration): state.light.begin(script, for: duration, at: now)
            case .stop: state.light.stop(at: now)
            case nil: break
            }
            state.room.isFrontCovered = change.isFrontCovered ?? state.room.isFrontCovered
            state.room.isBackCovered = change.isBackCovered ?? state.room.isBackCovered
            state.room.isNear = change.isNear ?? state.room.isNear
            state.room.hasSensors = change.hasSensors ?? state.room.hasSensors
            if let isOn = change.isSystemAutomatic, isOn != (state.automatic != nil) {
                state.automatic = isOn ? panels.map { _ in SystemAutomatic() } : nil
            }
        }
        var failures = panel.failures
        failures.refuses = change.refuses ?? failures.refuses
        failures.isUnplugged = change.isUnplugged ?? failures.isUnplugged
        failures.delay = change.delay ?? failures.delay
        if failures != panel.failures { panel.fail(failures) }
        if let slider = change.slider {
            teach(slider, of: panel)
            panel.set(to: panel.range.step(for: slider))
        }
        if change.isSystemAutomatic == true { start.send() }
        if change.hasSensors != nil { poster.post(.sensors) }
        report()
        reporter.signalChange()
        return true
    }

    private static func illuminance(_ lux: Double) -> Illuminance {
        (Illuminance(lux: lux) ?? Illuminance(lux: 0)!).rounded
    }

    // MARK: Sensors

    fileprivate enum Position: String {
        case front, back, proximity
    }

    /// The light at the front sensor.
    private var measuredFront: Illuminance {
        if case .lux(let lux) = reading(at: .front) { Self.illuminance(lux) } else { Self.illuminance(0) }
    }

    fileprivate func reading(at position: Position) -> SensorReading {
        let now = now()
        return state.withLock { state in
            state.light.advance(to: now)
            switch position {
            case .proximity:
                return .near(state.room.isNear)
            case .front:
                let passes = (state.room.isFrontCovered ? Self.cover : 1) * (state.room.isNear ? Self.hand : 1)
                return .lux(state.light.front * passes)
            case .back:
                return .lux(state.light.back * (state.room.isBackCovered ? Self.cover : 1))
            }
        }
    }

    private struct Sensor: AmbientSensor {
        let room: SimulatedRoom
        let position: Position

        var id: String { "simulated:\(position.rawValue)" }
        var kind: Ambient.SensorKind { position == .proximity ? .proximity : .illuminance }

        func read() -> SensorReading { room.reading(at: position) }
    }
}

/// The automatic brightness of a simulated machine's system, for one panel: another program that follows the light.
/// Has no clock: the room asks it at each `interval`.
struct SystemAutomatic: Sendable {
    static let interval: Duration = .milliseconds(500)
    /// The largest move in one interval, and the smallest change that is worth one.
    private static let stride = 0.05
    private static let hysteresis = 0.02

    /// The difference that a person added to the curve.
    private var preference = 0.0
    private var target: Double?
    private var isMoving = false

    mutating func learn(_ brightness: Brightness, in light: Illuminance) {
        preference = brightness.fraction - BrightnessCurve.default.brightness(in: light).fraction
        (target, isMoving) = (brightness.fraction, false)
    }

    /// Returns the panel's next brightness; `nil` to leave it. What others set stays until the light changes.
    mutating func next(after brightness: Brightness, in light: Illuminance) -> Brightness? {
        let wanted = min(max(BrightnessCurve.default.brightness(in: light).fraction + preference, 0), 1)
        if target.map({ abs(wanted - $0) >= Self.hysteresis }) ?? true { (target, isMoving) = (wanted, true) }
        guard isMoving, let target else { return nil }
        let distance = target - brightness.fraction
        isMoving = abs(distance) > Self.stride
        return Brightness(clamping: brightness.fraction + min(max(distance, -Self.stride), Self.stride))
    }
}
