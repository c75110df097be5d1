// SPDX-License-Identifier: Apache-2.0
private import CCurl

/// Transfers that one thread carries out at the same time.
package final class TransferGroup {
    private let multi: UnsafeMutableRawPointer
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    /// The outcomes that `takeOutcome` has not returned.
    private var outcomes: [UnsafeMutableRawPointer: Outcome] = [:]

    package init() throws(TransferFailure) {
        if let trouble = ccurl_load() { throw .library(String(cString: trouble)) }
        guard let multi = ccurl_multi_new() else { throw .other("libcurl cannot start") }
        self.multi = multi
    }

    deinit {
        for handle in transfers.keys { ccurl_multi_remove(multi, handle) }
        ccurl_multi_free(multi)
    }

    /// Starts a transfer with the next call of `perform`.
    package func add(_ transfer: Transfer) {
        transfers[transfer.handle] = transfer
        ccurl_multi_add(multi, transfer.handle)
    }

    /// Closes the transfer's connection, unless it has ended.
    package func remove(_ transfer: Transfer) {
        guard transfers.removeValue(forKey: transfer.handle) != nil else { return }
        ccurl_multi_remove(multi, transfer.handle)
        outcomes[transfer.handle] = nil
    }

    /// Sends and receives without blocking.
    package func perform() {
        _ = ccurl_multi_perform(multi)
        var result = CURLE_OK
        while let handle = ccurl_multi_finished(multi, &result) {
            outcomes[handle] = TransferFailure(result).map(Outcome.failed) ?? .complete
        }
    }

    /// Returns the outcome of a transfer, once; `nil` before it has ended.
    package func takeOutcome(of transfer: Transfer) -> Outcome? { outcomes.removeValue(forKey: transfer.handle) }

    package enum Outcome: Equatable {
        case complete
        case failed(TransferFailure)
    }

    /// Waits until a transfer can go on, another descriptor can be read, or the time is over. Returns whether the other
    /// descriptor can be read.
    package func wait(andFor descriptor: Int32? = nil, atMost milliseconds: Int32) -> Bool {
        ccurl_multi_wait(multi, descriptor ?? -1, milliseconds) != 0
    }
}
