// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Synchronization

/// The key of an ESPHome server, and the window in which a client may set it. Any thread.
///
/// ```
///   none ──open──► awaited ──a client sets it──► set
///    ▲                │
///    └─close, or time─┘
/// ```
///
/// There is no way back from `set`: the next start may have no key.
package final class ServerKey: KeyWindow {
    private struct State {
        var key: NoiseKey?
        /// The end of the window; `nil` while it is closed.
        var end: Instant?
        var wake: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    private let store: (@Sendable (NoiseKey) -> Bool)?

    /// - Parameters:
    ///   - store: Stores a key that a client sets, and returns whether it could. May block. `nil` to accept none.
    package init(_ key: NoiseKey?, store: (@Sendable (NoiseKey) -> Bool)? = nil) {
        state = Mutex(State(key: key))
        self.store = store
    }

    /// Sets what is called after a change of the window.
    package func observe(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    package func state(at now: Instant) -> (key: HomeAssistantKey, left: Duration?) {
        state.withLock { state in
            if state.key != nil { return (.set, nil) }
            guard let end = state.end, now < end else { return (.none, nil) }
            return (.awaited, end - now)
        }
    }

    package func open(for time: Duration, at now: Instant) throws(KeyWindowError) {
        let (hasKey, wake) = state.withLock { state in
            if state.key == nil, store != nil { state.end = now + time }
            return (state.key != nil, state.wake)
        }
        if hasKey { throw .hasKey }
        guard store != nil else { throw .isNotStored }
        wake?()
    }

    package func close() {
        let wake = state.withLock { state in
            state.end = nil
            return state.wake
        }
        wake?()
    }

    /// Returns how a client is admitted; `nil` if it is refused.
    ///
    /// - Parameter isLocal: Whether the client is on this machine.
    func admission(isLocal: Bool, at now: Instant) -> Admission? {
        if let key = state.withLock({ $0.key }) { return .key(key) }
        if state(at: now).key == .awaited { return .window(isLocal: isLocal) }
        return isLocal ? .local : nil
    }

    /// Stores the key of a client. From now on only clients with it are admitted. May block.
    ///
    /// - Returns: Whether it is stored. Without an open window it is not.
    func set(_ key: NoiseKey, at now: Instant) -> Bool {
        guard key != .zero, state(at: now).key == .awaited, store?(key) == true else { return false }
        state.withLock { $0.key = key }
        return true
    }
}

/// The reason for which a client may connect.
enum Admission: Equatable {
    /// It has the key.
    case key(NoiseKey)
    /// There is no key, and the client is on this machine.
    case local
    /// There is no key, and a client may set it.
    case window(isLocal: Bool)

    /// Whether the client may use displays. A stranger in the window sees them, and may do nothing but set the key.
    var mayUseDisplays: Bool { self != .window(isLocal: false) }
}
