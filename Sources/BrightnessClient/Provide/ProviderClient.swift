// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import HTTPClient

/// The client that provides one display: keeps a WebSocket open, runs commands for each call `apply`, and polls what
/// the display shows. One thread; a command never blocks the connection.
final class ProviderClient {
    struct Display {
        let id: String
        let name: String?
        let commands: ProvidedCommands
        /// The time between two polls; `nil` without a command that reads.
        let poll: Duration?
    }

    /// Commands that run one after the other, and their purpose.
    private struct Work {
        enum Purpose {
            /// The call of the daemon, and its target.
            case apply(id: Int, ProvidedCommands.Target)
            case poll
        }

        let purpose: Purpose
        var waiting: [[String]]
        var running: LimitedCommand?
    }

    private static let longestPause: Duration = .seconds(15)
    /// The daemon sends a ping every 20 seconds.
    private static let silence: Duration = .seconds(45)

    private let display: Display
    private let server: DaemonAddress
    private let terminal: Terminal
    private let inherited: InheritedDescriptors
    private let signals: SignalDescriptor
    private var socket: WebSocketConnection?
    /// Between two attempts to connect. It doubles with each failure.
    private var pause: Duration = .seconds(1)
    private var nextTry = ContinuousClock.now
    private var nextPoll: ContinuousClock.Instant?
    private var shown = ProvidedCommands.Shown()
    /// Whether the daemon has accepted the display, on this connection or an earlier one.
    private var wasProvided = false
    private var (hasWarnedOfOutput, hasWarnedOfConnection) = (false, false)
    private var work: Work?
    /// Commands that were ended for their time, until the system reports their end.
    private var ended: [LimitedCommand] = []
    /// The newest call `apply` that came while `work` was under way.
    private var pending: (id: Int, target: ProvidedCommands.Target)?

    init(
        _ display: Display,
        at server: DaemonAddress,
        _ terminal: Terminal,
        _ inherited: InheritedDescriptors
    ) throws(ClientError) {
        (self.display, self.server, self.terminal, self.inherited) = (display, server, terminal, inherited)
        signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP, SIGCHLD], unlessIgnored: true)
    }

    /// Returns the exit status: 128 and the number of the signal that ended it, or 0 if another client provides the
    /// display now or has withdrawn it.
    func run() throws(ClientError) -> Int32 {
        // A command without its limit would set the display after another client has.
        defer { work?.running?.stop() }
        // `provide` states the present brightness.
        poll()
        while true {
            // A command under way would change the brightness that `provide` states, and respond to an earlier call.
            if work == nil, socket == nil, nextTry <= .now { try connect() }
            wait()
            for signal in signals.next() where signal.number != SIGCHLD { return 128 + signal.number }
            ended.removeAll { $0.exitCode() != nil }
            guard try receive() else { return 0 }
            continueWork()
            if let nextPoll, nextPoll <= .now, work == nil { poll() }
        }
    }

    private func wait() {
        let connection = socket.map { $0.heardAt + Self.silence } ?? (work == nil ? nextTry : nil)
        let due = [work?.running?.nextCheck, connection, work == nil ? nextPoll : nil]
        let left = (due.compactMap { $0 }.min() ?? .now) - .now
        let milliseconds = left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
        var descriptors = [pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)]
        if let socket { descriptors.append(pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)) }
        _ = Glibc.poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: max(milliseconds, 0)))
    }

    // MARK: Commands

    private func poll() {
        nextPoll = nil
        guard let get = display.commands.get else { return }
        work = Work(purpose: .poll, waiting: [get])
        continueWork()
    }

    /// Starts the next command, and ends the work after the last one.
    private func continueWork() {
        while var work {
            var output = ""
            if let running = work.running {
                guard let code = running.exitCode() else {
                    guard running.spendTime() else { return }
                    running.stop()
                    ended.append(running)
                    finish(work, "\(running.words[0]) did not end within 10 seconds.")
                    continue
                }
                guard code == 0 else {
                    finish(work, "\(running.words[0]) failed with the status \(code).")
                    continue
                }
                output = running.text()
            }
            guard !work.waiting.isEmpty else {
                finish(work, nil, output)
                continue
            }
            do throws(ClientError) {
                work.running = try LimitedCommand(work.waiting.removeFirst(), inherited, signals)
                self.work = work
                return
            } catch {
                finish(work, error.sentence)
            }
        }
    }

    private func finish(_ work: Work, _ trouble: String?, _ output: String = "") {
        self.work = nil
        if let trouble { terminal.warn("\(display.id): \(trouble)") }
        switch work.purpose {
        case .apply(let id, let target):
            if trouble == nil {
                if target.isOn { (shown.step, shown.possibleSteps) = (target.step, []) }
                shown.isOn = target.isOn
                printLevel(of: target)
            } else {
                shown = shown.afterFailure(of: target)
            }
            respond(to: id, trouble: trouble)
        case .poll:
            if trouble == nil { observe(output) }
        }
        nextPoll = display.commands.get == nil ? nil : display.poll.map { .now + $0 }
        if let (id, target) = pending {
            pending = nil
            apply(id, target)
        }
    }

    private func apply(_ id: Int, _ target: ProvidedCommands.Target) {
        work = Work(purpose: .apply(id: id, target), waiting: display.commands.needed(from: shown, to: target))
    }

    /// Compares what the display shows with what it was set to. A difference is a person's change, which is reported
    /// unless the daemon has sent a newer target.
    private func observe(_ output: String) {
        guard let seen = display.commands.shown(in: output) else {
            if !hasWarnedOfOutput {
                terminal.warn("\(display.id): --get printed neither a percent nor on or off: it is ignored.")
            }
            hasWarnedOfOutput = true
            return
        }
        if let step = seen.step.map({ display.commands.step(for: $0, on: shown) }), step != shown.step {
            if wasProvided, pending == nil { reportChange { $0.member("brightness", decimal: fraction(of: step)) } }
            (shown.step, shown.possibleSteps) = (step, [])
        }
        if let isOn = seen.isOn, isOn != shown.isOn {
            if wasProvided, pending == nil, display.commands.isSwitchable { reportChange { $0.member("on", isOn) } }
            shown.isOn = isOn
        }
    }

    private func fraction(of step: Int) -> Double { Double(step) / Double(display.commands.maximum ?? 1) }

    private func printLevel(of target: ProvidedCommands.Target) {
        let level =
            display.commands.maximum == nil ? "on" : "\(display.commands.percent(of: target.step)) %"
        try? terminal.print("\(terminal.style.bold(display.id))  \(target.isOn ? level : "off")")
    }

    // MARK: The connection

    private func connect() throws(ClientError) {
        do throws(WebSocketConnection.Failure) {
            socket = try WebSocketConnection(server.http(ClientRequest("GET", "/v1/ws?types=failure")))
            try provide()
        } catch {
            try disconnect(after: server.error(error))
        }
    }

    private func disconnect(after error: ClientError) throws(ClientError) {
        (socket, pending) = (nil, nil)
        if case .refused(let problem) = error, !problem.isTemporary, !wasProvided { throw error }
        if !hasWarnedOfConnection { terminal.warn(error.sentence + " Trying again.") }
        hasWarnedOfConnection = true
        nextTry = .now + pause * Double.random(in: 0.75...1.25)
        pause = min(pause * 2, Self.longestPause)
    }

    private func send(_ write: (inout JSONWriter) -> Void) throws(WebSocketConnection.Failure) {
        let text = JSONWriter.object { json in
            json.member("jsonrpc", "2.0")
            write(&json)
        }
        try socket?.send(String(decoding: text, as: UTF8.self))
    }

    private func provide() throws(WebSocketConnection.Failure) {
        let (commands, shown) = (display.commands, shown)
        try send { json in
            json.member("id", 1)
            json.member("method", "provide")
            json.member("params") { json in
                json.member("id", display.id)
                if let name = display.name { json.member("name", name) }
                json.name("maximum")
                if let maximum = commands.maximum {
                    json.number(maximum)
                    json.member("brightness", decimal: fraction(of: shown.step ?? maximum))
                } else {
                    json.null()
                }
                json.member("switchable", commands.isSwitchable)
                if commands.isSwitchable { json.member("on", shown.isOn ?? true) }
            }
        }
    }

    private func respond(to id: Int, trouble: String?) {
        try? send { json in
            json.member("id", id)
            if let trouble {
                json.member("error") { json in
                    json.member("code", 1)
                    json.member("message", trouble)
                }
            } else {
                json.member("result") { _ in }
            }
        }
    }

    private func reportChange(_ write: (inout JSONWriter) -> Void) {
        try? send { json in
            json.member("method", "changed")
            json.member("params") { json in
                json.member("display", display.id)
                write(&json)
            }
        }
    }

    /// Returns `false` if another client provides the display now or has withdrawn it.
    private func receive() throws(ClientError) -> Bool {
        guard let socket else { return true }
        do throws(WebSocketConnection.Failure) {
            let texts = try socket.receive()
            guard socket.heardAt + Self.silence > .now else { throw .closed }
            for text in texts {
                guard let json = JSONDocument(parsing: Array(text.utf8), upTo: text.utf8.count)?.root else { continue }
                guard try handle(json) else { return false }
            }
        } catch {
            try disconnect(after: server.error(error))
        }
        return true
    }

    private func handle(_ json: JSONNode) throws(WebSocketConnection.Failure) -> Bool {
        switch json["method"]?.text {
        case "apply":
            guard let id = json["id"]?.integer, let target = json["params"],
                let step = target["raw"]?.integer, let isOn = target["on"]?.bool
            else { break }
            let wanted = ProvidedCommands.Target(step: step, isOn: isOn)
            if work == nil { apply(id, wanted) } else { pending = (id, wanted) }
        case "withdrawn":
            terminal.warn("Another client provides \(display.id) now, or has withdrawn it.")
            return false
        case nil where json["id"]?.integer == 1:
            if let problem = json["error"]?["data"].flatMap({ ProblemDocument(reading: $0) }) {
                throw .refused(status: problem.status, problem.json)
            }
            (wasProvided, hasWarnedOfConnection, pause) = (true, false, .seconds(1))
        default: break
        }
        return true
    }
}

extension DaemonAddress {
    fileprivate func error(_ failure: WebSocketConnection.Failure) -> ClientError {
        switch failure {
        case .transfer(let failure): error(failure)
        case .refused(let status, let body):
            .refused(ProblemDocument(status: status, JSONDocument(parsing: body, upTo: .max)?.root))
        case .unconfirmed: .unreachable("\(name) does not answer as a WebSocket server does.")
        case .closed: .unreachable("The connection to \(name) is lost.")
        }
    }
}
