// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Conflation
import Synchronization

/// Posts the simulated room when it is another one than before. Any thread.
final class RoomReporter: Sendable {
    /// Between two posts of what changes by itself.
    static let interval: Duration = .milliseconds(200)

    private struct State {
        var posted: RoomState?
        var isOver = false
    }

    private let poster: NotificationPoster
    private let state = Mutex(State())
    private let (changes, change) = Signal.makeStream()

    init(_ poster: NotificationPoster) { self.poster = poster }

    /// Something may have changed: `keepReporting` reports it.
    func ring() { change.send() }

    /// - Parameter read: Reads the room, under the reporter's lock: so the hub ends on the newest.
    /// - Returns: Whether the light changes by itself.
    @discardableResult func report(_ read: () -> RoomState) -> Bool {
        var isMoving = false
        let wakes = state.withLock { state in
            let room = read()
            isMoving = room.script != nil
            guard !state.isOver, room != state.posted else { return poster.put([]) }
            state.posted = room
            return poster.put([.room(room)])
        }
        wakes()
        return isMoving
    }

    func keepReporting(on clock: some Clock<Duration>, _ read: () -> RoomState) async {
        for await _ in changes {
            let isMoving = report(read)
            guard (try? await clock.sleep(for: Self.interval)) != nil else { return }
            if isMoving { ring() }
        }
    }

    func end() {
        let wakes = state.withLock { state in
            guard !state.isOver else { return poster.put([]) }
            state.isOver = true
            return poster.put([.room(nil)])
        }
        wakes()
    }
}
