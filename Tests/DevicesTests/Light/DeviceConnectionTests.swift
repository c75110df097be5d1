// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPClient
import Synchronization
import Testing

@testable import Devices

/// A clock for the sensor, which reads it.
private final class TestClock: Sendable {
    private let time = Mutex(Instant(sinceBoot: .seconds(1_000)))

    var now: Instant { time.withLock { $0 } }

    func pass(_ seconds: Double) { time.withLock { $0 = $0 + .seconds(seconds) } }
}

@Suite struct DeviceConnectionTests {
    private let clock = TestClock()
    private let sensor: DeviceSensor
    private var connection: DeviceConnection
    private static let stream = DeviceConnection.Head(status: 200, mediaType: "text/event-stream")
    private static let json = DeviceConnection.Head(status: 200, mediaType: "application/json")
    private static let state = #"{"id":"sensor-a","state":"7 lx","value":7}"#
    private static let event = Array("event: state\ndata: \(state)\n\n".utf8)

    init() throws {
        let url = try #require(LightDeviceURL("http://light.local"))
        sensor = DeviceSensor(url) { [clock] in clock.now }
        connection = DeviceConnection(url, sensor, at: clock.now) { 1 }
    }

    private var lux: Double? { if case .lux(let lux)? = try? sensor.read() { lux } else { nil } }

    private mutating func receive(_ bytes: [UInt8], _ head: DeviceConnection.Head = stream) {
        connection.receive(bytes, head: head, at: clock.now)
    }

    /// Expects these lines of the log since the last call.
    private mutating func expectLines(_ expected: [DeviceLog.Line], at location: SourceLocation = #_sourceLocation) {
        let lines = connection.takeLogLines()
        #expect(lines == expected, sourceLocation: location)
    }

    private mutating func check() -> Bool { connection.check(at: clock.now) }

    /// Lets time pass, with a check at each deadline. Returns whether a connection was due.
    private mutating func pass(_ seconds: Double) -> Bool {
        let end = clock.now + .seconds(seconds)
        var isDue = false
        while connection.deadline <= end {
            let left = max((connection.deadline - clock.now) / .seconds(1), 0)
            clock.pass(left)
            if connection.check(at: clock.now) { isDue = true }
            if isDue { break }
        }
        clock.pass(max((end - clock.now) / .seconds(1), 0))
        return isDue
    }

    /// Lets time pass as above, and expects that a connection is due or not.
    private mutating func expectConnection(
        _ expected: Bool,
        after seconds: Double,
        at location: SourceLocation = #_sourceLocation
    ) {
        let isDue = pass(seconds)
        #expect(isDue == expected, sourceLocation: location)
    }

    @Test mutating func `a reading counts while the device is heard of`() {
        let isDue = check()
        #expect(isDue)
        receive(Self.event)
        #expect(lux == 7)
        expectLines([.reads])
        for _ in 0..<10 {
            expectConnection(false, after: 20)
            receive(Array("event: ping\ndata: {}\n\n".utf8))
            #expect(lux == 7)
        }
        expectLines([])
    }

    @Test mutating func `a silent device is tried again and its reading ends`() {
        _ = connection.check(at: clock.now)
        receive(Self.event)
        expectConnection(false, after: 29)
        #expect(connection.isOpen)
        expectConnection(false, after: 1)
        #expect(!connection.isOpen)
        #expect(lux == 7)
        _ = connection.takeLogLines()
        expectConnection(true, after: 30)
        #expect(lux == nil)
        _ = pass(300)
        expectLines([.fails("it is silent"), .fails("it does not answer")])
    }

    @Test mutating func `a stream whose state stays the same is opened again, without a gap`() {
        _ = connection.check(at: clock.now)
        receive(Self.event)
        var isDue = false
        for _ in 0..<25 where !isDue {
            isDue = pass(10)
            if connection.isOpen, !isDue { receive(Array(":\n\n".utf8)) }
        }
        #expect(isDue)
        #expect(lux == 7)
        receive(Self.event)
        expectConnection(false, after: 20)
        #expect(lux == 7)
        expectLines([.reads])
    }

    @Test mutating func `a document is read every five seconds`() {
        for _ in 0..<3 {
            expectConnection(true, after: 5)
            receive(Array(Self.state.utf8), Self.json)
            connection.end(.complete, at: clock.now)
            #expect(lux == 7)
        }
        expectLines([.reads])
    }

    @Test(
        arguments: [
            (.init(status: 302, mediaType: "text/html"), "it redirects to another URL, which is not followed"),
            (.init(status: 401, mediaType: nil), "it requires a password, which is not supported"),
            (.init(status: 503, mediaType: "application/json"), "it answers with status 503"),
            (.init(status: 200, mediaType: "text/event-stream", isEncoded: true), "its answer is compressed"),
            (
                .init(status: 200, mediaType: "text/html"),
                "it sends text/html, not text/event-stream or application/json"
            ),
        ] as [(DeviceConnection.Head, String)]
    )
    mutating func `another answer is refused, and logged once`(head: DeviceConnection.Head, reason: String) {
        for _ in 0..<5 {
            expectConnection(true, after: 30)
            receive(Self.event, head)
            #expect(!connection.isOpen)
            #expect(lux == nil)
        }
        expectLines([.fails(reason)])
    }

    @Test mutating func `the delay grows while a device refuses, and begins again after a good connection`() {
        var delays: [Double] = []
        for _ in 0..<5 {
            let before = clock.now
            while !connection.check(at: clock.now) { clock.pass(1) }
            delays.append((clock.now - before) / .seconds(1))
            connection.end(.failed(.unreachable), at: clock.now)
        }
        #expect(delays == [0, 2, 4, 8, 16])
        while !connection.check(at: clock.now) { clock.pass(1) }
        receive(Self.event)
        clock.pass(5)
        connection.end(.complete, at: clock.now)
        let before = clock.now
        while !connection.check(at: clock.now) { clock.pass(1) }
        #expect(clock.now - before == .seconds(2))
    }

    @Test mutating func `a device that closes each connection after its reading is not logged again and again`() {
        for _ in 0..<20 {
            while !connection.check(at: clock.now) { clock.pass(1) }
            receive(Self.event)
            connection.end(.complete, at: clock.now)
            #expect(lux == 7)
        }
        expectLines([.reads])
    }

    @Test mutating func `a head or a document that does not end is given up after ten seconds`() {
        _ = connection.check(at: clock.now)
        expectConnection(false, after: 9)
        #expect(connection.isOpen)
        expectConnection(false, after: 1)
        #expect(!connection.isOpen)
        expectLines([.fails("it does not answer")])
        expectConnection(true, after: 2)
        receive([0x20], Self.json)
        expectConnection(false, after: 9)
        receive([0x20], Self.json)
        expectConnection(false, after: 1)
        expectLines([.fails("its answer takes too long")])
    }

    @Test mutating func `a stream without a light is reported, and read on`() {
        _ = connection.check(at: clock.now)
        for _ in 0..<4 {
            receive(Array("event: ping\ndata: {}\n\n".utf8))
            _ = pass(10)
        }
        #expect(connection.isOpen)
        expectLines([.fails("it reports no illuminance in lx")])
        receive(Self.event)
        #expect(lux == 7)
        expectLines([.reads])
    }

    @Test mutating func `a sensor that loses its value has no reading at once`() {
        _ = connection.check(at: clock.now)
        receive(Self.event)
        receive(Array("event: state\ndata: {\"id\":\"sensor-a\",\"state\":\"NA\",\"value\":null}\n\n".utf8))
        #expect(lux == nil)
        expectLines([.reads, .fails("its sensor has no reading")])
    }

    @Test mutating func `an endless line ends the connection`() {
        _ = connection.check(at: clock.now)
        receive([UInt8](repeating: 0x41, count: 65_536))
        #expect(!connection.isOpen)
        expectLines([.fails("it sends more than 16384 bytes at once")])
    }
}
