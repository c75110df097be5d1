// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore

extension RoomChange {
    /// `PATCH /v1/simulator`: what is left out stays as it is. Shapes and limits are those of `openapi.yaml`.
    init(from body: consuming RequestBody) throws(Problem) {
        self.init()
        front = try body.lux("front")
        back = try body.lux("back")
        isFrontCovered = try body.bool("frontCovered")
        isBackCovered = try body.bool("backCovered")
        isNear = try body.bool("near")
        noise = try body.number("noise", in: 0...1)
        seed = try body.integer("seed").map { (number) throws(Problem) in
            guard let seed = UInt64(exactly: number) else { throw RequestBody.invalid("seed", "seed is at least 0.") }
            return seed
        }
        let duration = try body.number("seconds", in: 0.1...86_400).map { Duration.seconds($0) }
        if let name = try body.nullableString("script", length: 1...16) {
            script = try Self.script(name, duration)
        }
        if duration != nil, script == nil || script == .stop {
            throw RequestBody.invalid("seconds", "seconds is how long a script takes: say which, too.")
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
            throw RequestBody.invalid("script", "There is no script \"\(name)\". There are \(names), and null to stop.")
        }
        return .begin(script, duration ?? script.usualDuration)
    }

    static func unknown(_ display: String) -> Problem {
        RequestBody.invalid("display", "There is no simulated display \"\(display)\". Nothing was changed.")
    }
}

extension RequestBody {
    fileprivate mutating func lux(_ name: String) throws(Problem) -> Illuminance? {
        try number(name, in: 0...150_000).flatMap { Illuminance(lux: $0) }
    }
}
