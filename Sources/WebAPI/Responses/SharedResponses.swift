// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Dispatch
import HTTPServer
import Synchronization

/// The responses about many displays. Each is made once for all requests that wait for it, one at a time, on a thread
/// of their own. So a turn of a shard never encodes thousands of displays, and what many clients request at the same
/// time is made once. Any thread.
///
/// A request gets what was read after it arrived: one that arrives while its response is being made waits for the next.
final class SharedResponses: Sendable {
    /// Returns the response, and the revision for which it may be sent again; `nil` if it depends on more.
    typealias Make = @Sendable () throws(Problem) -> (Response, Revision?)
    typealias Completion = @Sendable (Result<Response, Problem>) -> Void

    /// The maximum number of different responses that wait to be made.
    static let limit = 64
    /// The maximum number of responses that are kept for their revision, and their bytes together.
    static let (mostKept, mostBytes) = (16, 8_388_608)
    /// A request does not wait longer.
    private static let timeout: Duration = .seconds(30)

    private struct Job {
        let make: Make
        var completions: [Completion]
    }

    private struct State {
        var jobs: [String: Job] = [:]
        /// The keys of the jobs, the oldest first.
        var order: ArraySlice<String> = []
        var isRunning = false
        var kept: [String: Response] = [:]
        var keptRevision = Revision(0)
        var keptBytes = 0

        mutating func store(_ response: Response, _ key: String, for revision: Revision) {
            if revision != keptRevision { (kept, keptBytes, keptRevision) = ([:], 0, revision) }
            let bytes = response.length
            guard kept.count < SharedResponses.mostKept, keptBytes + bytes <= SharedResponses.mostBytes else { return }
            if kept.updateValue(response, forKey: key) == nil { keptBytes += bytes }
        }
    }

    private let state = Mutex(State())
    private let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter enqueue: Runs a closure on another thread, after those before it.
    init(enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.enqueue = enqueue }

    convenience init() {
        let queue = DispatchQueue(label: "shared responses")
        self.init { queue.async(execute: $0) }
    }

    /// Returns the reply to a request: the response that is kept for the newest revision, or one that is made.
    ///
    /// - Parameters:
    ///   - key: Equal for requests with the same response.
    ///   - make: Reads the displays and makes the response.
    func reply(_ key: String, at newest: Revision, _ make: @escaping Make) throws(Problem) -> Reply {
        let kept = state.withLock { $0.keptRevision == newest ? $0.kept[key] : nil }
        if let kept { return .now(kept) }
        let deferred = Deferred(limit: Self.timeout) {
            Problem.retry(.temporarilyUnavailable, "The response was not made within 30 seconds.").response
        }
        try self.make(key, make) { result in
            switch result {
            case .success(let response): deferred.complete(response)
            case .failure(let problem): deferred.complete(problem.response)
            }
        }
        return .later(deferred)
    }

    /// Makes a response, once for all who wait for it under this key.
    ///
    /// - Parameter completion: Called once, on any thread.
    func make(_ key: String, _ make: @escaping Make, completion: @escaping Completion) throws(Problem) {
        let (isFull, mustStart) = state.withLock { state -> (Bool, Bool) in
            if state.jobs[key] == nil {
                guard state.jobs.count < Self.limit else { return (true, false) }
                state.jobs[key] = Job(make: make, completions: [])
                state.order.append(key)
            }
            state.jobs[key]?.completions.append(completion)
            defer { state.isRunning = true }
            return (false, !state.isRunning)
        }
        if isFull {
            throw .retry(
                .serverLimitReached,
                "\(Self.limit) different responses about many displays are waiting to be made, the maximum.",
                after: 1
            )
        }
        if mustStart { enqueue { self.run() } }
    }

    private func run() {
        while let (key, job) = next() {
            let result = Result { () throws(Problem) in
                var (response, revision) = try job.make()
                response.share()
                if let revision { state.withLock { [response] in $0.store(response, key, for: revision) } }
                return response
            }
            for completion in job.completions { completion(result) }
        }
    }

    /// Takes the oldest job. Later requests for it make another one.
    private func next() -> (key: String, Job)? {
        state.withLock { state in
            guard let key = state.order.popFirst() else {
                state.isRunning = false
                return nil
            }
            return state.jobs.removeValue(forKey: key).map { (key, $0) }
        }
    }
}
