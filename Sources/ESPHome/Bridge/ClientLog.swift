// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A log about ESPHome clients.
typealias ClientLog = LimitedLog<ClientLine>

/// The subject of a line about a client.
enum ClientLine: String, LogSubject {
    case connection = "clients that came and left"
    case refusal = "refused clients"
    case key = "changes of the key"
    case skippedCommand = "skipped commands"

    var limit: Int { self == .skippedCommand ? 1 : RepeatedLines<Self>.repetitions }
}
