// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPClient

/// An open event stream of the daemon, read by one thread that can wait for something else at the same time.
final class EventStream {
    private let server: DaemonAddress
    private let transfer: Transfer
    private let group: TransferGroup
    private var parser = ServerEventParser()
    private var body: [UInt8] = []
    /// The number of bytes of a refusal that are kept.
    private static let longestProblem = 65_536

    /// The result of a wait.
    enum Outcome: Equatable {
        case events([ServerEvent])
        /// The other descriptor can be read.
        case descriptor
        case timedOut
        /// The stream is over; `nil` if the daemon ended it properly.
        case ended(ClientError?)
    }

    /// - Parameter query: Parameters, percent-encoded.
    init(_ server: DaemonAddress, query: String, after lastEventID: String? = nil) throws(ClientError) {
        self.server = server
        transfer = try server.transfer(
            ClientRequest("GET", "/v1/events?\(query)"),
            within: nil,
            fields: ["Accept: text/event-stream"] + (lastEventID.map { ["Last-Event-ID: \($0)"] } ?? [])
        )
        group = try Result { () throws(TransferFailure) in try TransferGroup() }.mapError { server.error($0) }.get()
        group.add(transfer)
    }

    /// Whether the daemon has accepted it.
    var isOpen: Bool { transfer.isEventStream }

    /// Milliseconds to wait before the next connection.
    var retry: Int { parser.retry ?? 2_000 }

    /// Waits for events, or until the other descriptor can be read.
    func wait(and descriptor: Int32? = nil, atMost milliseconds: Int32) -> Outcome {
        group.perform()
        if let outcome = outcome() { return outcome }
        if group.wait(andFor: descriptor, atMost: milliseconds) { return .descriptor }
        group.perform()
        return outcome() ?? .timedOut
    }

    private func outcome() -> Outcome? {
        let bytes = transfer.takeBytes()
        if isOpen {
            let events = parser.read(bytes)
            if !events.isEmpty { return .events(events) }
            if parser.isTooLong { return .ended(server.notBrightnessdError) }
        } else if body.count < Self.longestProblem {
            body += bytes
        }
        return group.takeOutcome(of: transfer).map { .ended(error(after: $0)) }
    }

    /// Why it is over.
    private func error(after outcome: TransferGroup.Outcome) -> ClientError? {
        if transfer.status >= 400 {
            let json = JSONDocument(parsing: body, upTo: body.count)?.root
            return .refused(ProblemDocument(status: transfer.status, json))
        }
        if case .failed(let failure) = outcome { return server.error(failure) }
        return isOpen ? nil : server.notBrightnessdError
    }
}
