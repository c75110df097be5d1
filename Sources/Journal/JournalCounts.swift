// SPDX-License-Identifier: Apache-2.0

/// What a journal has done since its daemon began.
package struct JournalCounts: Sendable {
    /// Transactions with records. Those of the history are not counted.
    package internal(set) var commits = 0
    package internal(set) var failures = 0
    /// Bytes of the file and its log, history included.
    package internal(set) var size = 0
}
