// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import DDCWire
import Glibc
import Synchronization

/// The client of `brightness-ddc`, which alone loads libddcutil and accesses monitors over DDC/CI. Any thread; every
/// call blocks.
///
/// - The helper is started at the first request. After a crash or a timeout it is killed and started again at the next
///   request after a pause: 1, 2, 4 … 60 s, until it responds.
/// - The kernel may keep a killed helper in a call on a broken bus. Beyond three of these no other is started.
/// - One request at a time for all monitors, which mostly share the slow bus.
/// - A monitor that the kernel shows and the library has lost is searched for, with growing pauses: 5, 10, 20 s …
///   10 min.
package final class DDCHelper: Sendable {
    /// A monitor that responds on a bus.
    package struct Found: Hashable, Sendable {
        /// In characters; an EDID has at most 13.
        static let longestName = 64

        let id: DisplayID
        /// Without control characters: it comes from the monitor, and is printed and published.
        let name: String
        /// The number in `/dev/i2c-5`; -1 if it is unknown.
        let bus: Int
        /// Its connector and bus, in the helper's words; empty if unknown.
        var address = ""
    }

    package struct Search: Hashable, Sendable {
        package let found: [Found]
        /// Whether the monitor at each connector answered; `nil` if that is unknown.
        let isComplete: Bool?
    }

    /// VCP feature 0x10 of a monitor.
    struct Reading: Hashable, Sendable {
        let step: Int
        let maximum: Int
    }

    private struct State {
        var process: HelperProcess?
        /// The processes that were killed and may not have ended.
        var killed: [Int32] = []
        var failures = 0
        var lastError = DeviceError.io(path: "", errno: EPIPE)
        /// The end of the pause after a failure.
        var pauseEnd: ContinuousClock.Instant?
        /// The monitors that did not answer since the stop began.
        var silent: Set<DisplayID> = []
        /// The time of the newest search.
        var lastSearch: ContinuousClock.Instant?
        /// The pause between the newest search and a further one, for each monitor that the library has lost.
        var searchPauses: [DisplayID: Duration] = [:]
    }

    /// The timeout of a read or write. With its retries the library was seen to take 5 s.
    private static let timeout: Duration = .seconds(10)
    private static let detectionTimeout: Duration = .seconds(30)
    private static let firstSearchPause: Duration = .seconds(5)
    private static let longestSearchPause: Duration = .seconds(600)
    private static let maximumKilled = 3

    private let path: String
    private let sysfsRoot: String
    private let (timeout, stopTimeout): (Duration, Duration)
    private let now: @Sendable () -> ContinuousClock.Instant
    private let hasEnded: @Sendable (Int32) -> Bool
    private let state = Mutex(State())
    /// The monitors of all searches, and those of earlier runs, by their ids. Never locked during a request.
    private let known: Mutex<[DisplayID: Found]>
    private let isStopping = Atomic(false)

    /// - Parameters:
    ///   - path: The path of the program.
    ///   - known: The displays of earlier runs, and the addresses at which monitors keep their ids; empty for others.
    ///   - timeout: The timeout of a read or write.
    ///   - stopTimeout: The same during the stop.
    ///   - hasEnded: Returns whether a killed process has ended.
    package init(
        path: String,
        known: [DisplayID: String] = [:],
        sysfsRoot: String = "/sys",
        timeout: Duration? = nil,
        stopTimeout: Duration = .seconds(3),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        hasEnded: (@Sendable (Int32) -> Bool)? = nil
    ) {
        self.path = path
        self.sysfsRoot = sysfsRoot
        (self.timeout, self.stopTimeout) = (timeout ?? Self.timeout, stopTimeout)
        self.now = now
        self.hasEnded = hasEnded ?? { HelperProcess.hasEnded($0) }
        self.known = Mutex(Dictionary(uniqueKeysWithValues: known.map { ($0, Found(id: $0, at: $1)) }))
    }

    /// Searches all buses, which takes seconds.
    package func search() throws(DeviceError) -> Search {
        try state.withLock { state throws(DeviceError) in try search(&state) }
    }

    /// A monitor as the newest search has found it, or else as an earlier run has; `nil` for an unknown one.
    func lastFound(_ id: DisplayID) -> Found? { known.withLock { $0[id] } }

    /// Begins the stop: a monitor that hangs delays the others by three seconds at most.
    ///
    /// Each request to a monitor has that time, also the current one. The helper is started again at once, and a
    /// monitor that did not answer is not asked again. A search keeps its time, because the other monitors need it.
    func beginStop() { isStopping.store(true, ordering: .relaxed) }

    private var limit: Duration { isStopping.load(ordering: .relaxed) ? min(timeout, stopTimeout) : timeout }

    func read(_ id: DisplayID) throws(DeviceError) -> Reading {
        guard let reading = Reading(try ask(["do": .text("read")], of: id)) else {
            throw .malformed(path: "ddc:\(id)", text: "no brightness")
        }
        return reading
    }

    /// - Returns: The step that the monitor shows in place of this one; `nil` if it has taken it.
    func write(_ step: Int, to id: DisplayID) throws(DeviceError) -> Int? {
        try ask(["do": .text("write"), "step": .number(step)], of: id).number("current").map { max($0, 0) }
    }

    /// Switches a monitor on or off, also one that seems to be unplugged.
    func switchPower(of id: DisplayID, isOn: Bool) throws(DeviceError) {
        _ = try ask(isOn ? ["do": .text("switch"), "on": .yes] : ["do": .text("switch")], of: id)
    }

    // MARK: One request

    private func ask(_ request: [String: WireObject.Value], of id: DisplayID) throws(DeviceError) -> WireObject {
        let request = request.merging(["monitor": .text(id.text)]) { $1 }
        return try state.withLock { state throws(DeviceError) in
            if state.silent.contains(id) { throw state.lastError }
            // A new process must search first.
            if state.process == nil { _ = try search(&state) }
            let answer: WireObject
            do throws(DeviceError) {
                answer = try send(request, &state)
            } catch {
                if isStopping.load(ordering: .relaxed) { state.silent.insert(id) }
                throw error
            }
            guard takeSearch(after: answer, of: id, &state) else { return try Self.checked(answer, of: id) }
            _ = try search(&state)
            return try Self.checked(try send(request, &state), of: id)
        }
    }

    /// Returns whether to search for a monitor now, and to ask it again.
    private func takeSearch(after answer: WireObject, of id: DisplayID, _ state: inout State) -> Bool {
        switch answer.text("error") {
        // The kernel shows it at another connector than at the newest search.
        case "moved": return true
        case "lost":
            let pause = state.searchPauses[id] ?? Self.firstSearchPause
            guard !isStopping.load(ordering: .relaxed), let last = state.lastSearch, now() >= last + pause
            else { return false }
            state.searchPauses[id] = min(pause * 2, Self.longestSearchPause)
            return true
        default:
            state.searchPauses[id] = nil
            return false
        }
    }

    private func send(
        _ request: [String: WireObject.Value],
        _ state: inout State
    ) throws(DeviceError) -> WireObject {
        let answers = try converse(&state) { process throws(DeviceError) in try process.ask(request) { limit } }
        guard let answer = answers.last else { throw .malformed(path: path, text: "") }
        return answer
    }

    private func search(_ state: inout State) throws(DeviceError) -> Search {
        let known = known.withLock { $0.values.map { $0.address.isEmpty ? $0.id.text : "\($0.id)@\($0.address)" } }
        let request: [String: WireObject.Value] = [
            "do": .text("detect"), "known": .text(known.sorted().joined(separator: " ")),
        ]
        let answers = try converse(&state) { process throws(DeviceError) in
            try process.ask(request) { Self.detectionTimeout }
        }
        state.lastSearch = now()
        let found = answers.compactMap { Found($0) }
        self.known.withLock { known in for monitor in found { known[monitor.id] = monitor } }
        return Search(found: found, isComplete: answers.last?.text("connectors").map { $0 == "answered" })
    }

    private func converse<Answer>(
        _ state: inout State,
        _ body: (HelperProcess) throws(DeviceError) -> Answer
    ) throws(DeviceError) -> Answer {
        if let end = state.pauseEnd, now() < end, !isStopping.load(ordering: .relaxed) { throw state.lastError }
        do throws(DeviceError) {
            let process: HelperProcess
            if let running = state.process {
                process = running
            } else {
                state.killed.removeAll(where: hasEnded)
                guard state.killed.count < Self.maximumKilled else { throw state.lastError }
                process = try HelperProcess(path: path, sysfsRoot: sysfsRoot)
                state.process = process
            }
            let answer = try body(process)
            (state.failures, state.pauseEnd) = (0, nil)
            return answer
        } catch {
            // Kills the process.
            if let process = state.process.take() { state.killed.append(process.pid) }
            state.failures += 1
            state.lastError = error
            state.pauseEnd = now() + min(.seconds(1 << min(state.failures - 1, 6)), .seconds(60))
            throw error
        }
    }

    private static func checked(_ answer: WireObject, of id: DisplayID) throws(DeviceError) -> WireObject {
        let path = "ddc:\(id)"
        switch answer.text("error") {
        case nil: return answer
        case "asleep": throw .asleep(path: path)
        case "absent", "moved": throw .absent(path: path)
        case "lost": throw .io(path: path, errno: ENODEV)
        case "permission": throw .permission(path: "/dev/i2c-*")
        default: throw .io(path: path, errno: EIO)
        }
    }
}

extension DDCHelper.Found {
    /// A monitor of an earlier run.
    init(id: DisplayID, at address: String) {
        (self.id, name, self.address) = (id, id.text, address)
        bus = MonitorAddress(address)?.bus ?? -1
    }

    /// Returns `nil` for an object without a monitor, or with an invalid id.
    init?(_ answer: WireObject) {
        guard let id = answer.text("monitor").flatMap({ DisplayID($0) }) else { return nil }
        self.id = id
        name = (answer.text("name") ?? id.text).plain(upTo: Self.longestName)
        bus = answer.number("bus") ?? -1
        address = answer.text("place") ?? ""
    }
}

extension DDCHelper.Reading {
    /// Returns `nil` for an invalid reading. Some monitors report more than their maximum.
    init?(_ answer: WireObject) {
        guard let step = answer.number("current"), let maximum = answer.number("maximum"), maximum > 0, step >= 0
        else { return nil }
        self.step = min(step, maximum)
        self.maximum = maximum
    }
}
