// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPClient
import Support

/// The rules of the connection to one device: when to connect, which answers to read, when to give up. Has no clock and
/// no socket.
///
/// - An event stream stays open. A JSON document is requested again every `pollInterval`.
/// - A device that is silent, refuses or sends something else is tried again after a growing delay.
/// - A stream without a reading for `refresh` is opened again: a device sends every state at its begin, and may send a
///   state that stays the same never again.
struct DeviceConnection {
    /// The time limit of an answer's head, and of a whole document.
    static let responseTimeout: Duration = .seconds(10)
    /// The maximum time between two bytes of a stream. ESPHome sends a `ping` every 10 s.
    static let silence: Duration = .seconds(30)
    static let pollInterval: Duration = .seconds(5)
    static let refresh: Duration = .seconds(240)

    struct Head: Equatable {
        var status: Int
        var mediaType: String?
        /// Whether the body is compressed.
        var isEncoded = false
    }

    /// A request and its answer so far.
    private struct Exchange {
        let since: Instant
        /// The time of the last bytes, or of the request.
        var heardAt: Instant
        /// The time of the last reading.
        var readAt: Instant?
        /// `nil` before the answer's head, as is `response`.
        var form: DeviceResponse.Form?
        var response: DeviceResponse?
        /// Whether the log has the lack of a reading.
        var isLackLogged = false
    }

    private enum Phase {
        case waiting(until: Instant)
        case open(Exchange)
    }

    let url: LightDeviceURL
    let sensor: DeviceSensor
    private let random: () -> Double
    private var phase: Phase
    private var backoff = Backoff()
    private var log = DeviceLog()
    private var logLines: [DeviceLog.Line] = []

    /// - Parameters:
    ///   - now: The first connection is due then.
    ///   - random: Returns a random number in 0…1.
    init(_ url: LightDeviceURL, _ sensor: DeviceSensor, at now: Instant, random: @escaping () -> Double) {
        self.url = url
        self.sensor = sensor
        self.random = random
        phase = .waiting(until: now)
    }

    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// When to call `check` again, if nothing comes before.
    var deadline: Instant {
        let next: Instant =
            switch phase {
            case .waiting(let until): until
            case .open(let exchange): Self.nextCheck(of: exchange)
            }
        return sensor.end.map { min(next, $0) } ?? next
    }

    private static func nextCheck(of exchange: Exchange) -> Instant {
        let response = exchange.since + responseTimeout
        guard exchange.form == .events else { return response }
        let end = min(exchange.heardAt + silence, (exchange.readAt ?? exchange.since) + refresh)
        // Before the end, the lack of a reading is logged.
        return exchange.readAt == nil && !exchange.isLackLogged ? min(end, response) : end
    }

    /// Applies what time alone changes. Returns whether to open a connection. Close the previous one then, and if
    /// `isOpen` is `false`.
    mutating func check(at now: Instant) -> Bool {
        if let end = sensor.end, end <= now {
            sensor.receive(nil, at: now)
            note(log.noteSilence())
        }
        switch phase {
        case .waiting(let until):
            guard until <= now else { return false }
            phase = .open(Exchange(since: now, heardAt: now))
            return true
        case .open(var exchange):
            guard Self.nextCheck(of: exchange) <= now else { return false }
            if exchange.form != .events {
                fail(exchange.form == nil ? "it does not answer" : "its answer takes too long", exchange, at: now)
            } else if now - exchange.heardAt >= Self.silence {
                fail("it is silent", exchange, at: now)
            } else if now - (exchange.readAt ?? exchange.since) >= Self.refresh {
                phase = .waiting(until: now)
            } else {
                exchange.isLackLogged = true
                phase = .open(exchange)
                note(log.noteFailure("it reports no illuminance\(url.sensor.map { " of \($0)" } ?? "") in lx"))
            }
            return false
        }
    }

    /// Reads what has come. Close the connection if `isOpen` is `false` afterwards.
    ///
    /// - Parameter head: `nil` before it has come.
    mutating func receive(_ bytes: [UInt8], head: Head?, at now: Instant) {
        guard case .open(var exchange) = phase, let head else { return }
        if exchange.form == nil {
            guard head.status == 200, !head.isEncoded, let form = Self.forms[head.mediaType ?? ""] else {
                return fail(Self.fault(of: head), exchange, at: now)
            }
            (exchange.form, exchange.response) = (form, DeviceResponse(form, of: url.sensor))
            exchange.heardAt = now
        }
        if !bytes.isEmpty {
            exchange.heardAt = now
            sensor.hear(at: now)
            if let reading = exchange.response?.receive(bytes) {
                read(reading, at: now)
                exchange.readAt = now
            }
            if exchange.response?.isTooLong == true {
                return fail("it sends more than \(DeviceResponse.longestEvent) bytes at once", exchange, at: now)
            }
        }
        phase = .open(exchange)
    }

    /// Notes that the answer has ended, or that no connection can be opened.
    mutating func end(_ outcome: TransferGroup.Outcome, at now: Instant) {
        guard case .open(let exchange) = phase else { return }
        switch outcome {
        case .failed(let failure): fail(failure.text, exchange, at: now)
        case .complete where exchange.form == .document:
            guard let reading = exchange.response?.end() else {
                return fail("it does not send a sensor's state in lx as JSON", exchange, at: now)
            }
            read(reading, at: now)
            backoff = Backoff()
            phase = .waiting(until: now + Self.pollInterval)
        case .complete: fail("it has closed the connection", exchange, at: now)
        }
    }

    mutating func takeLogLines() -> [DeviceLog.Line] {
        defer { logLines = [] }
        return logLines
    }

    private mutating func read(_ reading: DeviceResponse.Reading, at now: Instant) {
        switch reading {
        case .lux(let lux):
            sensor.receive(lux, at: now)
            note(log.noteReading())
        case .unavailable:
            sensor.receive(nil, at: now)
            // The next line has the reason, so the one about silence is not logged.
            _ = log.noteSilence()
            note(log.noteFailure("its sensor has no reading"))
        }
    }

    private mutating func fail(_ reason: String, _ exchange: Exchange, at now: Instant) {
        if exchange.readAt != nil { backoff.ended(after: now - exchange.since) }
        phase = .waiting(until: now + backoff.next(random: random()))
        note(log.noteFailure(reason))
    }

    private mutating func note(_ line: DeviceLog.Line?) { if let line { logLines.append(line) } }

    /// The form of an answer, by its media type.
    private static let forms: [String: DeviceResponse.Form] = [
        "text/event-stream": .events, "application/json": .document, "text/json": .document,
    ]

    /// Why an answer with this head is not read.
    private static func fault(of head: Head) -> String {
        switch head.status {
        case 200 where head.isEncoded: "its answer is compressed"
        case 200:
            "it sends \((head.mediaType ?? "no media type").plain(upTo: 64)), not text/event-stream or application/json"
        case 300..<400: "it redirects to another URL, which is not followed"
        case 401, 403: "it requires a password, which is not supported"
        default: "it answers with status \(head.status)"
        }
    }
}

extension TransferFailure {
    /// A reason for the log, after "it cannot be read: ".
    fileprivate var text: String {
        switch self {
        case .library(let trouble):
            "libcurl cannot be loaded (\(trouble)); install the package libcurl4 (Debian 13: libcurl4t64)"
        case .unreachable: "nothing answers at this address"
        case .unknownHost: "the name of its host is unknown"
        case .timedOut: "it does not answer"
        case .untrusted, .certificateFile: "its certificate cannot be verified"
        case .malformedURL: "its URL is not valid"
        case .tooLong: "it sends too many bytes"
        case .other(let text): text
        }
    }
}
