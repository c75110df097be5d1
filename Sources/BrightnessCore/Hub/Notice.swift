// SPDX-License-Identifier: Apache-2.0

/// An occurrence that a part without a logger reports, and that changes no other fact. Never retained, and not sent to
/// clients: the daemon's log is the listener.
package enum Notice: Hashable, Sendable {
    /// A remote sensor that is read by URL has a reading again or for the first time; otherwise the reason why not.
    case sensor(String, failure: String?)
    /// A device keeps another step than the written one. Posted once a display.
    case limited(DisplayID, written: Int, kept: Int)
    /// This process may not read an input device at this path. Posted once.
    case inputDenied(path: String)
    /// A page may not use the daemon, with the advice for people. Posted once an origin.
    case pageRefused(String)
    /// A message of the broker was ignored, or a display of another node is not mirrored.
    case broker(String)
    /// Records of the journal were ignored.
    case journal(String)
    /// An ESPHome client came, left, or was refused.
    case homeAssistant(String)
}
