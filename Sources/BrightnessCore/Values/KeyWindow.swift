// SPDX-License-Identifier: Apache-2.0

/// The window in which Home Assistant may set the key of its connections. A person opens it. Any thread.
package protocol KeyWindow: Sendable {
    /// The key, and the time for which the window is still open; `nil` while it is closed.
    func state(at now: Instant) -> (key: HomeAssistantKey, left: Duration?)

    /// Opens the window, or lets an open one end at another time.
    func open(for time: Duration, at now: Instant) throws(KeyWindowError)

    func close()
}

/// Why the window cannot be opened, in a sentence.
package enum KeyWindowError: String, Error, Hashable, Sendable {
    case hasKey = "Home Assistant has a key already: that of --esphome-key-file, or the one that it made."
    case isNotStored = "The key could not be stored: the daemon has no --state-directory."
}

/// The key that encrypts the connections of ESPHome clients.
package enum HomeAssistantKey: String, Hashable, Sendable {
    /// There is none: only this machine may connect.
    case none
    /// There is none, and a client may set it.
    case awaited
    /// Only clients with the key may connect.
    case set
}
