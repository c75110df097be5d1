// SPDX-License-Identifier: Apache-2.0

/// What a stream begins with.
package enum StreamStart: Hashable, Sendable {
    /// All that is retained.
    case everything
    /// What a client missed that has everything up to this order.
    case after(UInt64)
    /// The reset event, then all that is retained: what the client knows is of no use.
    case reset
}
