// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore

extension Health {
    /// What `GET /readyz` answers and `health` events carry.
    var json: [UInt8] {
        JSONWriter.object { json in
            json.member("ready", isReady)
            json.name("unavailable")
            json.array(unavailable) { $0.string($1.text) }
            write(journalWords, as: "journal", to: &json)
            write(brokerWords, as: "mqtt", to: &json)
        }
    }

    private func write(_ words: Words, as name: StaticString, to json: inout JSONWriter) {
        json.member(name) { json in
            json.member("state", words.state)
            json.member("detail", words.detail)
        }
    }

    private typealias Words = (state: String, detail: String?)

    private var journalWords: Words {
        switch journal {
        case .durable: ("durable", nil)
        case .begunAnew(_, let why): ("durable", "begun anew, since \(why)")
        case .failing(let why): ("failing", why)
        case nil: ("off", nil)
        }
    }

    private var brokerWords: Words {
        switch broker {
        case .connecting: ("connecting", nil)
        case .connected(let limitation): ("connected", limitation)
        case .away(let why): ("away", why)
        case nil: ("off", nil)
        }
    }
}
