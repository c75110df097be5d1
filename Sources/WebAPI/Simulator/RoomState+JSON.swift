// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore

extension RoomState {
    /// What `GET /v1/simulator` answers.
    var json: [UInt8] {
        JSONWriter.object { json in
            json.member("front", fraction: front.lux)
            json.member("back", fraction: back.lux)
            json.member("frontCovered", isFrontCovered)
            json.member("backCovered", isBackCovered)
            json.member("near", isNear)
            json.member("noise", fraction: noise)
            json.member("script", script?.script.rawValue)
            json.member("seconds", fraction: script?.duration.inSeconds)
            json.member("elapsed", fraction: script?.elapsed.inSeconds)
            json.name("displays")
            json.array(displays) { json, display in json.object { display.write(to: &$0) } }
        }
    }
}

extension RoomState.Display {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("id", id.text)
        json.member("slider", fraction: slider.fraction)
        json.member("refuses", failures.refuses)
        json.member("unplugged", failures.isUnplugged)
        json.member("delay", fraction: failures.delay.inSeconds)
    }
}

extension Duration {
    fileprivate var inSeconds: Double { self / .seconds(1) }
}
