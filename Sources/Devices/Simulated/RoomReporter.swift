// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support
import Synchronization

/// Posts the simulated room when it changes. Any thread.
final class RoomReporter: Sendable {
    /// The least time between two posts of changes in time.
    static let interval: Duration = .milliseconds(200)

    private struct State {
        var posted: RoomState?
        var isOver = false
    }

    private let poster: NotificationPoster
    private let state = Mutex(State())
    private let (changes, change) = WakeSignal.makeStream()

    init(_ poster: NotificationPoster) { self.poster = poster }

    /// Makes `keepReporting` report a possible change.
    func signalChange() { change.send() }

    /// - Parameter read: Reads the room, under the reporter's lock, so that the hub ends on the newest.
    /// - Returns: Whether a script is running.
    @discardableResult func report(_ read: () -> RoomState) -> Bool {
        var isMoving = false
        let wakes = state.withLock { state in
            let room = read()
            isMoving = room.script != nil
            guard !state.isOver, room != state.posted else { return PendingWakes.none }
            state.posted = room
            return poster.put([.simulator(room)])
        }
        wakes()
        return isMoving
    }

    func keepReporting(on clock: some Clock<Duration>, _ read: () -> RoomState) async {
        for await _ in changes {
            let isMoving = report(read)
            guard (try? await clock.sleep(for: Self.interval)) != nil else { return }
            if isMoving { signalChange() }
        }
    }

    /// Makes `report` post again after an end.
    func resume() { state.withLock { if $0.isOver { $0 = State() } } }

    func end() {
        let wakes = state.withLock { state in
            guard !state.isOver else { return PendingWakes.none }
            state.isOver = true
            return poster.put([.simulator(nil)])
        }
        wakes()
    }
}
