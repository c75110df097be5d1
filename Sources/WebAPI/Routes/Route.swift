// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

/// Every resource there is. A new one is a case here, and the compiler finds the rest.
enum Route: Equatable {
    case displays
    case display(DisplayTarget)
    case brightness(DisplayTarget)
    case boosts(DisplayTarget)
    /// The shortcut that only boosts.
    case boost
    case lease(DisplayTarget, LeaseID)
    case restore(DisplayTarget)
    case auto(DisplayTarget)
    /// Who asks.
    case caller
    /// The light in the room.
    case ambient
    /// The simulated room.
    case simulator
    case events
    /// The light sensor as ESPHome's web server has it, and its events.
    case sensor(SensorName)
    case sensorEvents
    case history
    case webSocket
    case live
    case ready
    case metrics
    case file(StaticFile)
    case problem(ProblemType)

    init?(path: String) {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        // By bytes: to find where one character ends and the next begins takes four times as long.
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
            .map { Substring($0) }
        switch segments.first {
        case "v1":
            self.init(versioned: Array(segments.dropFirst()))
        case "problems" where segments.count == 2:
            guard let type = segments.last.flatMap({ ProblemType(rawValue: String($0)) }) else { return nil }
            self = .problem(type)
        case "sensor" where segments.count == 2:
            guard let name = segments.last.flatMap({ SensorName(rawValue: String($0)) }) else { return nil }
            self = .sensor(name)
        default:
            switch path {
            case "/livez": self = .live
            case "/readyz": self = .ready
            case "/metrics": self = .metrics
            case "/events": self = .sensorEvents
            default:
                guard let file = StaticFile(path: path) else { return nil }
                self = .file(file)
            }
        }
    }

    private init?(versioned segments: [Substring]) {
        switch segments.count {
        case 1:
            switch segments[0] {
            case "displays": self = .displays
            case "brightness": self = .brightness(.byDefault)
            case "boost": self = .boost
            case "restore": self = .restore(.byDefault)
            case "whoami": self = .caller
            case "ambient": self = .ambient
            case "simulator": self = .simulator
            case "events": self = .events
            case "history": self = .history
            case "ws": self = .webSocket
            default: return nil
            }
        case 2 where segments[0] == "displays":
            self = .display(.named(String(segments[1])))
        case 3 where segments[0] == "displays":
            let name = DisplayTarget.named(String(segments[1]))
            let target = segments[1] == "all" ? DisplayTarget.all : name
            switch segments[2] {
            case "brightness": self = .brightness(target)
            case "boosts": self = .boosts(target)
            case "restore": self = .restore(target)
            case "auto": self = .auto(target)
            default: return nil
            }
        case 4 where segments[0] == "displays" && segments[2] == "boosts":
            self = .lease(.named(String(segments[1])), LeaseID(String(segments[3])))
        default:
            return nil
        }
    }

    /// What can be asked of it, beside HEAD (wherever GET is) and OPTIONS (everywhere).
    var methods: [Method] {
        switch self {
        case .displays, .display, .caller, .ambient, .events, .sensor, .sensorEvents, .history, .webSocket, .live,
            .ready, .metrics, .file, .problem:
            [.get]
        case .brightness(.all): [.put, .patch]
        case .brightness: [.get, .put, .patch]
        case .boosts(.all): [.post]
        case .boosts: [.get, .post]
        case .boost, .restore: [.post]
        case .lease: [.get, .patch, .delete]
        case .auto: [.put]
        case .simulator: [.get, .patch]
        }
    }

    /// What somebody needs to ask it; `nil` for what has no secrets: documents, pages, whether the daemon is well.
    func scope(for method: Method) -> Scope? {
        switch self {
        case .live, .ready, .file, .problem: nil
        default: method == .get ? .read : .write
        }
    }

    /// Whether it is a stream without an end, for which a browser cannot send a header.
    var isStream: Bool {
        switch self {
        case .events, .sensorEvents, .webSocket: true
        default: false
        }
    }

    static let json = MediaType("application/json")
    private static let eventStream = MediaType("text/event-stream")
    private static let plainText = MediaType("text/plain")

    /// What it answers with when nothing is wrong; `nil` for a WebSocket, which is no matter of `Accept`.
    var mediaType: MediaType? {
        switch self {
        case .displays, .display, .brightness, .boosts, .boost, .lease, .restore, .auto, .caller, .ambient, .simulator,
            .history, .sensor, .ready:
            Self.json
        case .events, .sensorEvents: Self.eventStream
        case .webSocket: nil
        case .live, .metrics, .problem: Self.plainText
        case .file(let file): file.mediaType
        }
    }

    /// The value of `Allow` for the server itself, `OPTIONS *`: what some resource allows.
    static var allowSomewhere: String {
        Method.allCases.filter { $0 != .other }.map(\.rawValue).joined(separator: ", ")
    }

    /// The value of `Allow`.
    var allow: String {
        let head: [Method] = methods.contains(.get) ? [.head] : []
        return (methods + head + [.options]).map(\.rawValue).joined(separator: ", ")
    }
}
