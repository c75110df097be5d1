// SPDX-License-Identifier: Apache-2.0
import Devices
import Testing

@Suite struct DeviceResponseTests {
    /// The beginning of a connection, as an ESPHome of 2026.8 sends it.
    private static let esphome = """
        retry: 30000\r
        id: 1\r
        event: ping\r
        data: {"title":"desk","comment":"","ota":true,"log":true,"lang":"en"}\r
        \r
        event: state\r
        data: {"id":"light/Lamp","state":"ON","brightness":255}\r
        \r
        event: state\r
        data: {"id":"sensor/Temperature","name":"Temperature","state":"21.5 °C","value":21.5,"uom":"°C"}\r
        \r
        event: state\r
        data: {"id":"sensor/Ambient Light","name":"Ambient Light","state":"123.4 lx","value":123.4,"uom":"lx"}\r
        \r
        event: log\r
        data: [D][sensor:094]: 'Ambient Light': Sending state 5.0 lx\r
        \r

        """

    private func events(_ states: String...) -> [UInt8] {
        Array(states.map { "event: state\ndata: \($0)\n\n" }.joined().utf8)
    }

    @Test(arguments: [nil, "Ambient Light", "ambient_light", "sensor-ambient_light"])
    func `the sensor in lux counts, whatever else a device has`(name: String?) {
        var answer = DeviceResponse(.events, of: name)
        #expect(answer.receive(Array(Self.esphome.utf8)) == .lux(123.4))
    }

    @Test(arguments: ["Temperature", "Lamp", "other"])
    func `a name of something else has no reading`(name: String) {
        var answer = DeviceResponse(.events, of: name)
        #expect(answer.receive(Array(Self.esphome.utf8)) == nil)
    }

    @Test func `without a name the first sensor in lux counts, until the end of the connection`() {
        var answer = DeviceResponse(.events, of: nil)
        let first = #"{"id":"sensor-a","state":"1 lx","value":1}"#
        let second = #"{"id":"sensor-b","state":"2 lx","value":2}"#
        #expect(answer.receive(events(first, second)) == .lux(1))
        #expect(answer.receive(events(second)) == nil)
    }

    @Test(arguments: ["null", #""NaN""#, #""NA""#])
    func `a sensor without a value has no reading`(value: String) {
        var answer = DeviceResponse(.events, of: nil)
        #expect(answer.receive(events(#"{"id":"sensor-a","state":"1 lx","value":1}"#)) == .lux(1))
        #expect(
            answer.receive(events(#"{"id":"sensor-a","state":"NA","value":\#(value)}"#)) == .unavailable
        )
    }

    @Test(arguments: ["NaN", "{", "[]", #"{"id":"sensor-a"}"#, #"{"id":"sensor-a","state":"1 lx","value":1e999}"#])
    func `an event that is not a state is ignored`(data: String) {
        var answer = DeviceResponse(.events, of: nil)
        #expect(answer.receive(events(data)) == nil)
    }

    @Test(arguments: ["data: x", "event: state\ndata: ", ":"])
    func `a line without an end is not kept`(start: String) {
        var answer = DeviceResponse(.events, of: nil)
        _ = answer.receive(Array(start.utf8))
        for _ in 0..<64 { _ = answer.receive([UInt8](repeating: 0x31, count: 1_024)) }
        #expect(answer.isTooLong)
    }

    @Test func `a document is one state, and too long beyond the limit`() {
        var answer = DeviceResponse(.document, of: nil)
        for byte in #"{"id":"sensor-ambient_light","state":"400.0 lx","value":400.0}"#.utf8 {
            #expect(answer.receive([byte]) == nil)
        }
        #expect(answer.end() == .lux(400))
        _ = answer.receive([UInt8](repeating: 0x20, count: DeviceResponse.longestEvent))
        #expect(answer.isTooLong)
        #expect(answer.end() == nil)
    }

    @Test(arguments: [#"{"id":"sensor-t","state":"21 °C","value":21}"#, #"{"error":"none"}"#, "", "12"])
    func `a document that is not a light has no reading`(text: String) {
        var answer = DeviceResponse(.document, of: nil)
        _ = answer.receive(Array(text.utf8))
        #expect(answer.end() == nil)
    }
}
