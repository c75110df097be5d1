// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc
import Synchronization

/// An external monitor over DDC/CI: VCP feature 0x10. Every call may block for seconds.
///
/// - Writes are limited: a transition is one write, two writes are half a second apart, and a day has a budget
///   (`WriteBudget`). While a write waits, newer commands replace older ones.
/// - A sleeping monitor is neither read nor written.
/// - It can be switched off and on if a person has named it, since some monitors wake only by their button. Its
///   power is never read over the bus, and two switches are two seconds apart.
/// - Its own buttons emit no event: it is polled every ten seconds while a client watches.
/// - SeeAlso: VESA MCCS 2.2a, `docs/internals/monitors.md`
package final class DDCMonitor: Panel {
    static let pollInterval: Duration = .seconds(10)
    package let switchInterval: Duration = .seconds(2)

    package let id: DisplayID
    package let kind = DisplayKind.ddc
    package let range: BrightnessRange
    package let isCheapToRead = false
    package let rounds = true
    package let isVolatile = false
    package let keepsStepWithoutPower = true
    package let writesOnce = true
    package let isSwitchable: Bool

    private let helper: DDCHelper
    private let source: NotificationSource
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Moment
    private let pause: @Sendable (Duration) -> Void
    private let budget: Mutex<WriteBudget>
    private let lastSwitch = Mutex<Instant?>(nil)
    /// The step that the monitor shows in place of the last written one; `nil` if it has taken that.
    private let substitute = Mutex<Int?>(nil)
    /// The result of the first read, which was made at the opening.
    private let first: Mutex<Result<Int, DeviceError>?>
    /// When it is too old for a pair that begins with its second part.
    private let firstEnd: Instant
    private let openedName: String

    /// Reads the monitor once for its maximum. One that does not answer is opened from the record of an earlier run
    /// that may have switched it off: it counts as asleep then, and is switched on without being read.
    ///
    /// - Parameters:
    ///   - minimum: The minimum as a fraction, see `BrightnessRange.minimumStep`.
    ///   - isSwitchable: Whether it may be switched off and on.
    ///   - writesPerDay: See `WriteBudget`.
    ///   - source: Reports whether a client watches.
    ///   - pause: Waits on the caller's thread.
    package init(
        _ found: DDCHelper.Found,
        by helper: DDCHelper,
        goingOnFrom earlier: DisplayRecord? = nil,
        minimum: Brightness = Brightness(clamping: 0),
        isSwitchable: Bool = false,
        writesPerDay: Int,
        source: NotificationSource,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Moment,
        pause: @escaping @Sendable (Duration) -> Void = { usleep(UInt32($0 / .microseconds(1))) }
    ) throws(DeviceError) {
        let (maximum, first): (Int, Result<Int, DeviceError>)
        do throws(DeviceError) {
            let reading = try helper.read(found.id)
            (maximum, first) = (reading.maximum, .success(reading.step))
        } catch {
            guard let earlier, earlier.mayBeDark else { throw error }
            let asleep = DeviceError.asleep(path: "ddc:\(found.id)", step: earlier.baselineStep)
            (maximum, first) = (earlier.maximum, .failure(asleep))
        }
        guard let range = BrightnessRange(minimumFraction: minimum, maximum: maximum) else {
            throw .malformed(path: "ddc:\(found.id)", text: String(maximum))
        }
        (id, openedName, self.range) = (found.id, found.name, range)
        self.isSwitchable = isSwitchable
        (self.helper, self.source, self.clock, self.now, self.pause) = (helper, source, clock, now, pause)
        budget = Mutex(WriteBudget(limit: writesPerDay, goingOnFrom: earlier?.device.writes))
        self.first = Mutex(first)
        firstEnd = now().instant + .seconds(60)
    }

    /// The name in the newest search that found it.
    package var name: String { helper.lastFound(id)?.name ?? openedName }

    package var deviceRecord: DeviceRecord {
        let address = helper.lastFound(id).flatMap { $0.address.isEmpty ? nil : "\(kind.rawValue):\($0.address)" }
        return DeviceRecord(address: address, writes: budget.withLock(\.writes))
    }

    package func read() throws(DeviceError) -> Int {
        switch first.withLock({ $0.take() }) {
        case .failure(let error)?: throw error
        case .success(let step)? where now().instant < firstEnd: return step
        case .success?, nil: return min(try helper.read(id).step, range.maximum)
        }
    }

    /// Returns `false` for a monitor that was opened from a record, which an earlier run may have left off; `nil` once
    /// it was read or switched.
    package func readPower() -> Bool? { first.withLock { if case .failure? = $0 { false } else { nil } } }

    /// Waits until `switchInterval` has passed since the last switch: before that, a monitor may ignore it.
    package func write(_ step: Int) throws(DeviceError) {
        awaitSwitch()
        awaitWriteInterval()
        do {
            let shown = try helper.write(step, to: id)
            substitute.withLock { $0 = shown.map { min($0, range.maximum) } }
        } catch {
            // A write that certainly did not arrive causes no wear.
            if error.mayHaveTakenEffect { budget.withLock { $0.wrote(at: now()) } }
            throw error
        }
        budget.withLock { $0.wrote(at: now()) }
    }

    /// Waits until `switchInterval` has passed since the last switch. Counts for the budget and does not obey it.
    package func writePower(_ isOn: Bool) throws(DeviceError) {
        awaitSwitch()
        awaitWriteInterval()
        defer {
            budget.withLock { $0.wrote(at: now()) }
            lastSwitch.withLock { $0 = now().instant }
        }
        try helper.switchPower(of: id, isOn: isOn)
        first.withLock { $0 = nil }
    }

    private func awaitSwitch() {
        let delay = lastSwitch.withLock { last in last.map { $0 + switchInterval - now().instant } ?? .zero }
        if delay > .zero { pause(delay) }
    }

    package var substituteStep: Int? { substitute.withLock { $0 } }

    package func awaitWriteInterval() {
        let delay = budget.withLock { $0.delay(at: now().instant) }
        if delay > .zero { pause(delay) }
    }

    package var changes: AsyncStream<Cause.Kind> {
        let (changes, continuation) = AsyncStream.makeStream(of: Cause.Kind.self, bufferingPolicy: .bufferingNewest(1))
        let polling = SubscriptionGroup(
            source,
            // Polls at once for a new viewer, and then at each interval.
            Subscription(.whileWatched) { [clock] in
                repeat {
                    continuation.yield(.external)
                } while (try? await clock.sleep(for: Self.pollInterval)) != nil
            }
        )
        continuation.onTermination = { _ in polling.end() }
        return changes
    }

    package var demandRefusal: DeviceError? {
        budget.withLock { $0.isSpent(at: now()) ? .worn(limit: $0.limit) : nil }
    }

    package var writes: DisplayState.Writes? {
        budget.withLock { DisplayState.Writes(today: $0.today(at: now()), budget: $0.limit) }
    }
}
