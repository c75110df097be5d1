// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore
import Glibc

struct LeaseOptions: ParsableArguments {
    @Option(
        "time",
        "How long it lasts at most: 60, 90s, 45m. [default: 5m; with -- COMMAND as long as it runs]",
        name: [.customLong("ttl"), .customLong("for")]
    )
    var ttl: String?

    @Option("time", "When it ends at the latest, by the clock of this machine: 07:00, 7am.") var until: String?

    @Option("text", "The reason, which every client sees.") var reason: String?

    @Option(
        "name",
        """
        The holder of the lease. A second request of the same holder renews the lease. \
        [default: the token's name, or none; with -- COMMAND a generated name]
        """
    )
    var holder: String?

    @Flag(help: "With -- COMMAND: do not run the command without the lease.")
    var require = false

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("A command to run and its arguments, after --.", valueName: "command")
    )
    var command: [String] = []

    /// The time limit; `nil` without one.
    fileprivate func limit(of kind: LeaseKind) throws(ClientError) -> Span? {
        guard ttl == nil || until == nil else {
            throw .usage("--ttl (or --for) and --until exclude each other: give one of them.")
        }
        let limit: Span
        if let ttl {
            limit = try span(ttl, of: "--ttl")
        } else if let until {
            guard let time = ClockTime(until) else {
                throw .usage("\"\(until.shown)\" is not a time of the day for --until: write 07:00 or 7am.")
            }
            limit = time.span(from: .now)
        } else {
            return nil
        }
        return try limit.checked(
            upTo: kind.longestTTL,
            of: "A \(kind.rawValue) lasts",
            or: ", or brightness \(kind.rawValue) -- COMMAND for as long as a command runs"
        )
    }
}

extension Span {
    /// This time, if it is not too long.
    ///
    /// - Parameters:
    ///   - subject: Such as `A boost lasts`.
    ///   - otherwise: Another remedy.
    func checked(upTo limit: Duration, of subject: String, or otherwise: String = "") throws(ClientError) -> Span {
        let longest = Span(seconds: Double(limit.components.seconds))
        guard seconds > longest.seconds else { return self }
        let time = longest.text.split(separator: " ").joined()
        throw .usage("\(subject) at most \(longest.text): write --for \(time)\(otherwise).")
    }
}

extension CommandSession {
    func requestLease(_ kind: LeaseKind, at level: BrightnessLevel?, _ options: LeaseOptions) throws {
        let ttl = try options.limit(of: kind).map { Duration.seconds($0.seconds) }
        var request = LeaseRequest(kind, at: level, ttl: ttl, holder: options.holder, reason: options.reason)
        guard !options.command.isEmpty else { return try change(Command(.grant(request), reason: options.reason)) }
        // It ends by itself if this process is killed: the stream that `KeptLease` holds open keeps it in force.
        request.lifespan = .visible
        // The daemon requires a time limit, so that no display stays off for ever.
        request.ttl = ttl ?? (kind == .sleep ? Duration.seconds(86_400) : nil)
        request.holder = options.holder ?? Self.ownHolder
        let lease = KeptLease(request, on: target, at: client) { [terminal] error in
            terminal.warn(error.sentence + " The command goes on without the \(kind.rawValue).")
        }
        throw ExitCode(try run(options.command, keeping: lease, isOptional: !options.require))
    }

    /// Runs a command to its end while the lease is held.
    ///
    /// - Returns: The command's exit status.
    private func run(_ command: [String], keeping lease: KeptLease, isOptional: Bool) throws -> Int32 {
        let inherited = InheritedDescriptors()
        // The end of the lease must not wait for the end of its stream.
        defer { lease.release() }
        do {
            // A panel that hangs refuses after 10 seconds.
            try lease.begin(waiting: isOptional ? 5 : 15)
        } catch {
            guard isOptional else { throw error }
            terminal.warn(error.sentence + " The command runs without it.")
        }
        for (display, problem) in lease.problems {
            guard isOptional else { throw ClientError.refused(problem) }
            terminal.warn("\(display): \(problem.sentence)")
        }
        let signals = try SignalDescriptor(ChildProcess.passedOn + [SIGCHLD])
        do {
            let child = try ChildProcess(command, inherited, signals)
            while true {
                guard lease.keep(untilReadable: signals.descriptor) else { continue }
                for signal in signals.next() where signal.isFromProcess && signal.number != SIGCHLD {
                    child.send(signal.number)
                }
                if let code = child.exitCode() { return code }
            }
        } catch {
            terminal.warn("\(error.reason): check the command after \"--\".")
            return error.exitCode
        }
    }

    /// Different for each run, since holders of one name share a lease. Containers may have the host's name, and each a
    /// process 1.
    static var ownHolder: String {
        var name = [CChar](repeating: 0, count: 65)
        gethostname(&name, 64)
        let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let run = String(UInt32.random(in: 0 ... .max), radix: 36)
        return "brightness-\(host)-\(getpid())-\(run)"
    }
}
