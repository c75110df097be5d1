// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// A lease that is in force as long as this process has an event stream open: `visible`, bound to its holder.
///
/// When the stream ends, it is opened again and the lease renewed. When the process is killed, the kernel closes the
/// stream, and the daemon ends the lease ten seconds later.
final class KeptLease {
    private let client: Client
    private let target: Target
    private let request: LeaseRequest
    /// The end of the caller's time limit; `nil` without one.
    private let end: ContinuousClock.Instant?
    private let onLoss: (ClientError) -> Void
    private var stream: EventStream?
    /// When to connect again without a stream, or to request the lease again with one.
    private var nextTry = ContinuousClock.now
    private var state = State.waiting
    private var wasGranted = false
    /// The displays that have refused the lease while others have it.
    private(set) var problems: [(display: String, problem: ProblemDocument)] = []

    private enum State: Equatable {
        /// Not granted since the stream was opened.
        case waiting
        case granted
        /// Refused for good, or past its time limit: nothing is tried again.
        case over
    }

    /// How long a connection may take, and the pause after the first one that fails.
    private static let connectLimit: Duration = .seconds(5)
    /// Between two requests for the lease.
    private static let pause: Duration = .seconds(2)

    /// - Parameters:
    ///   - request: For a `visible` lease, with a holder. Its time limit begins now.
    ///   - onLoss: Called if the daemon refuses the lease for good after `begin`.
    init(_ request: LeaseRequest, on target: Target, at client: Client, onLoss: @escaping (ClientError) -> Void) {
        (self.request, self.target, self.client, self.onLoss) = (request, target, client, onLoss)
        end = request.ttl.map { ContinuousClock.now + $0 }
    }

    /// Opens the stream and requests the lease. Blocks.
    ///
    /// - Parameter seconds: How long to wait for slow panels.
    /// - Throws: Why there is no lease. Except after a refusal for good, `keep` goes on trying.
    func begin(waiting seconds: Int) throws(ClientError) {
        var pending: String?
        do throws(ClientError) {
            let stream = try open()
            let deadline = ContinuousClock.now + Self.connectLimit
            while !stream.isOpen {
                if case .ended(let error) = stream.wait(atMost: 200) {
                    throw error ?? .unreachable("The stream ended.")
                }
                guard ContinuousClock.now < deadline else {
                    throw .unreachable("\(client.server.name) does not answer in time.")
                }
            }
            pending = try grant(waiting: seconds)
        } catch {
            // With an open stream, `keep` only requests the lease again.
            if case .refused(let problem) = error, problem.isTemporary, stream?.isOpen ?? false { throw error }
            stream = nil
            state = isFinal(error) ? .over : .waiting
            nextTry = .now + Self.connectLimit
            throw error
        }
        if let pending { throw .failed(pending) }
    }

    /// Keeps the lease in force for at most a minute, until the descriptor can be read. Once it is over, only waits.
    ///
    /// - Returns: Whether the descriptor can be read.
    func keep(untilReadable descriptor: Int32) -> Bool {
        guard let stream else { return waitForNextTry(descriptor) }
        let outcome = stream.wait(and: descriptor, atMost: state == .waiting ? 1_000 : 60_000)
        if stream.isOpen, state == .waiting, nextTry <= .now {
            do throws(ClientError) { try grant() } catch { if state == .over { onLoss(error) } }
        }
        if case .ended(let error) = outcome {
            self.stream = nil
            if state == .granted { state = .waiting }
            if state == .waiting, let error, isFinal(error) {
                state = .over
                onLoss(error)
            }
            nextTry = .now + .milliseconds(stream.retry)
        }
        return outcome == .descriptor
    }

    /// Releases the lease. The end of the stream would do so, ten seconds later.
    func release() {
        // A slow panel may have the lease without having confirmed it.
        guard state != .over, stream?.isOpen ?? false else { return }
        // By its kind, so that other leases of its holder stay.
        _ = try? client.send(target.request(Command(.restore(holder: request.holder, kind: request.kind))), within: 5)
        stream = nil
    }

    private func waitForNextTry(_ descriptor: Int32) -> Bool {
        var other = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let left = nextTry - .now
        let milliseconds = left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
        if poll(&other, 1, state == .over ? -1 : Int32(clamping: max(milliseconds, 0))) > 0 { return true }
        nextTry = .now + Self.pause
        if state == .waiting { _ = try? open() }
        return false
    }

    private func open() throws(ClientError) -> EventStream {
        let stream = try EventStream(
            client.server,
            query: "types=\(request.kind.rawValue)&holder=\(request.holder?.percentEncoded() ?? "")"
        )
        self.stream = stream
        return stream
    }

    /// Returns why the lease is not granted yet; `nil` if it is, or its time is over.
    @discardableResult
    private func grant(waiting seconds: Int = 1) throws(ClientError) -> String? {
        let left = end.map { $0 - .now }
        if let left, left <= .zero {
            state = .over
            return nil
        }
        var request = request
        request.ttl = left
        do throws(ClientError) {
            let command = Command(.grant(request), reason: request.reason)
            let response = try client.send(target.request(command), within: seconds + 5, waiting: seconds)
            let results = Results(response.json, status: response.status)
            let pending = results.pending
            if pending == nil, results.leases.isEmpty, let failed = results.problems.first {
                throw .refused(failed.problem)
            }
            problems = results.problems
            if let pending {
                nextTry = .now + Self.pause
                return pending
            }
            (state, wasGranted) = (.granted, true)
            return nil
        } catch {
            nextTry = .now + Self.pause
            if isFinal(error) { state = .over }
            throw error
        }
    }

    /// Whether trying again is of no use: the daemon refuses for good.
    private func isFinal(_ error: ClientError) -> Bool {
        switch error {
        case .unreachable: false
        case .refused(let problem): !(wasGranted ? problem.isTemporaryAfterSuccess : problem.isTemporary)
        case .usage, .failed: true
        }
    }
}
