// SPDX-License-Identifier: Apache-2.0
private import CCurl

/// An open event stream of the daemon, read by one thread that can wait for something else at the same time.
package final class EventStream {
    private let server: DaemonAddress
    private let transfer: Transfer
    private let multi: UnsafeMutableRawPointer
    private var parser = ServerEventParser()
    private var body: [UInt8] = []
    /// Bytes of a refusal that are kept.
    private static let longestProblem = 65_536

    /// What a wait brought.
    package enum Step: Equatable {
        case events([ServerEvent])
        /// The other descriptor can be read.
        case descriptor
        /// The time is over.
        case nothing
        /// The stream is over; `nil` where the daemon ended it properly.
        case ended(ClientError?)
    }

    /// - Parameter query: Parameters, percent-encoded.
    package init(_ server: DaemonAddress, query: String, after lastEventID: String? = nil) throws(ClientError) {
        guard let multi = curl_multi_init() else { throw .unreachable("libcurl cannot start; is there memory left?") }
        self.server = server
        self.multi = multi
        transfer = try Transfer(
            ClientRequest("GET", "/v1/events?\(query)"),
            to: server,
            within: nil,
            fields: ["Accept: text/event-stream"] + (lastEventID.map { ["Last-Event-ID: \($0)"] } ?? [])
        )
        curl_multi_add_handle(multi, transfer.handle)
    }

    deinit {
        curl_multi_remove_handle(multi, transfer.handle)
        curl_multi_cleanup(multi)
    }

    /// Whether the daemon has accepted it.
    package var isOpen: Bool { transfer.isEventStream }

    /// Milliseconds to wait before the next connection.
    package var retry: Int { parser.retry ?? 2_000 }

    /// Waits for events, or until the other descriptor can be read.
    package func wait(besides descriptor: Int32? = nil, atMost milliseconds: Int32) -> Step {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        if let step = step(isRunning: running > 0) { return step }
        var other = curl_waitfd(fd: descriptor ?? -1, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        curl_multi_poll(multi, &other, descriptor == nil ? 0 : 1, milliseconds, nil)
        if other.revents != 0 { return .descriptor }
        curl_multi_perform(multi, &running)
        return step(isRunning: running > 0) ?? .nothing
    }

    private func step(isRunning: Bool) -> Step? {
        let bytes = transfer.takeBytes()
        if isOpen {
            let events = parser.events(in: bytes)
            if !events.isEmpty { return .events(events) }
            if parser.isTooLong { return .ended(server.isSomethingElse) }
        } else if body.count < Self.longestProblem {
            body += bytes
        }
        return isRunning ? nil : .ended(error)
    }

    /// Why it is over.
    private var error: ClientError? {
        if transfer.status >= 400 { return .refused(ProblemDocument(status: transfer.status, JSON(body))) }
        var result = CURLE_OK
        if ccurl_finished(multi, &result) != 0, result != CURLE_OK { return transfer.error(result) }
        if isOpen { return nil }
        return server.isSomethingElse
    }
}
