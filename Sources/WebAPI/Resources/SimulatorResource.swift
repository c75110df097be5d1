// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The room of the simulated displays.
    static let simulator = Resource("/v1/simulator", .get(read), .write(.patch, change))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    .now(.json(try findSimulator(context).room.json))
}

private func change(_ context: RequestContext) throws(Problem) -> Reply {
    let simulator = try findSimulator(context)
    let change = try RoomChange(from: context.body())
    guard simulator.change(change) else { throw RoomChange.unknown(change.display?.text ?? "") }
    return .now(.json(simulator.room.json))
}

private func findSimulator(_ context: RequestContext) throws(Problem) -> any Simulator {
    guard let simulator = context.backend.configuration.simulator,
        context.backend.service.hasSimulated
    else {
        throw Problem(.notFound, "This daemon has no simulated display. Start it with --display simulated.")
    }
    return simulator
}

extension RoomChange {
    /// `PATCH /v1/simulator`: omitted members stay unchanged. Shapes and limits are those of `openapi.yaml`.
    init(from body: consuming RequestBody) throws(Problem) {
        self.init()
        front = try body.lux("front")
        back = try body.lux("back")
        isFrontCovered = try body.bool("frontCovered")
        isBackCovered = try body.bool("backCovered")
        isNear = try body.bool("near")
        hasSensors = try body.bool("sensors")
        isSystemAutomatic = try body.bool("systemAutomatic")
        let duration = try body.number("seconds", in: 0.1...86_400).map { Duration.seconds($0) }
        if let name = try body.nullableString("script", length: 1...16) {
            script = try Self.script(name, duration)
        }
        if duration != nil, script == nil || script == .stop {
            try body.reject("seconds", "seconds requires script, the script that takes this long.")
        }
        display = try body.string("display", length: 1...64).map { (name) throws(Problem) in
            guard let id = DisplayID(name) else { throw Self.unknown(name) }
            return id
        }
        slider = try body.number("slider", in: 0...1).map { Brightness(clamping: $0) }
        refuses = try body.bool("refuses")
        isUnplugged = try body.bool("unplugged")
        delay = try body.number("delay", in: 0...10).map { .seconds($0) }
        try body.end()
    }

    private static func script(_ name: String?, _ duration: Duration?) throws(Problem) -> ScriptChange {
        guard let name else { return .stop }
        guard let script = RoomScript(rawValue: name) else {
            let names = RoomScript.allCases.map(\.rawValue).joined(separator: ", ")
            throw RequestBody.invalid("script", "Unknown script \"\(name)\". The scripts are \(names); null stops one.")
        }
        return .begin(script, duration ?? script.defaultDuration)
    }

    fileprivate static func unknown(_ display: String) -> Problem {
        RequestBody.invalid("display", "No simulated display has the id \"\(display)\". Nothing was changed.")
    }
}

extension RequestBody {
    fileprivate mutating func lux(_ name: String) throws(Problem) -> Illuminance? {
        try number(name, in: 0...150_000).flatMap { Illuminance(lux: $0) }
    }
}

extension RoomState {
    /// The document of `GET /v1/simulator`.
    var json: [UInt8] {
        JSONWriter.object { json in
            json.member("front", decimal: front.lux)
            json.member("back", decimal: back.lux)
            json.member("frontCovered", isFrontCovered)
            json.member("backCovered", isBackCovered)
            json.member("near", isNear)
            json.member("sensors", hasSensors)
            json.member("systemAutomatic", isSystemAutomatic)
            json.member("script", script?.script.rawValue)
            json.member("seconds", decimal: script?.duration.inSeconds)
            json.member("elapsed", decimal: script?.elapsed.inSeconds)
            json.member("displays", objects: displays) { $1.write(to: &$0) }
        }
    }
}

extension RoomState.Display {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("id", id.text)
        json.member("slider", decimal: slider.fraction)
        json.member("refuses", failures.refuses)
        json.member("unplugged", failures.isUnplugged)
        json.member("delay", decimal: failures.delay.inSeconds)
    }
}

extension Duration {
    fileprivate var inSeconds: Double { self / .seconds(1) }
}
