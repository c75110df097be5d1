// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Devices

/// Input devices that are named pipes in a directory like `/dev/input`.
@Suite(.timeLimit(.minutes(10))) struct InputWatchTests {
    private let tree: SysfsTree
    private let pauses = ManualQueue()
    private let hub = NotificationHub()
    private let posted = AsyncStream.makeStream(of: Void.self)
    private let listener: Listener

    init() throws {
        tree = try SysfsTree(of: "input")
        listener = hub.source.listen(to: NotificationFilter([.activity, .notice])) { [posted] in
            posted.continuation.yield()
        }
        for folder in ["dev", "dev/input"] { try tree.makeDirectory(folder) }
    }

    private func watch() -> InputWatch {
        InputWatch(
            directory: "\(tree.root)/dev/input",
            sysfsRoot: tree.root,
            delay: { [pauses] in pauses.enqueue($0) },
            poster: hub.poster
        )
    }

    /// Adds a device with these bits of events and properties. Returns its writing end.
    private func add(_ name: String, events: String = "120013", properties: String = "0") throws -> Pipe {
        for folder in ["\(name)", "\(name)/device", "\(name)/device/capabilities"] {
            try tree.makeDirectory("class/input/\(folder)")
        }
        try tree.write("\(events)\n", "class/input/\(name)/device/capabilities/ev")
        try tree.write("\(properties)\n", "class/input/\(name)/device/properties")
        return try Pipe("\(tree.root)/dev/input/\(name)")
    }

    /// Waits for the next post.
    @discardableResult private func next() async -> [BrightnessCore.Notification] {
        for await _ in posted.stream { return listener.drain() }
        return []
    }

    @Test func `an event is reported, and later ones only after a pause`() async throws {
        let keyboard = try add("event0")
        let mouse = try add("event1")
        let watch = watch()
        #expect(watch.names == ["event0", "event1"])
        keyboard.send(1)
        await next()
        mouse.send(1_000)
        // An event came during the pause, so it is reported now, and another pause begins.
        pauses.runAll()
        await next()
        pauses.runAll()
        #expect(pauses.count == 0)
        keyboard.send(1)
        await next()
        #expect(pauses.count == 1)
    }

    @Test func `a mouse that moves all the time is reported once a pause`() async throws {
        let mouse = try add("event0")
        let watch = watch()
        mouse.send(1)
        await next()
        for _ in 0..<10 {
            for _ in 0..<100 { mouse.send(10) }
            #expect(pauses.count == 1)
            pauses.runOne()
            await next()
        }
        withExtendedLifetime(watch) {}
    }

    @Test(arguments: [
        ("event0", "21", "0"),  // the switch of a lid
        ("event0", "9", "40"),  // an accelerometer
        ("mouse0", "7", "0"), ("js0", "b", "0"), ("event", "3", "0"),
    ]) func `a device that no person uses is not opened`(name: String, events: String, properties: String) throws {
        let device = try add(name, events: events, properties: properties)
        let watch = watch()
        #expect(watch.names == [])
        withExtendedLifetime((device, watch)) {}
    }

    @Test func `a device that is plugged in later is observed, and one that is unplugged is closed`() async throws {
        let watch = watch()
        let keyboard = try add("event7")
        // Its events wait in the pipe until it is opened.
        keyboard.send(1)
        await next()
        #expect(watch.names == ["event7"])
        try keyboard.unplug()
        pauses.runAll()
        #expect(watch.names == [])
        #expect(tree.openFiles().isEmpty)
    }

    @Test func `a device that comes back by its name before the old one is closed is observed`() async throws {
        let watch = watch()
        let keyboard = try add("event7")
        keyboard.send(1)
        await next()
        try keyboard.unplug()
        let again = try Pipe("\(tree.root)/dev/input/event7")
        // The search that finds event8 has skipped the new event7.
        let other = try add("event8")
        while !watch.names.contains("event8") { await Task.yield() }
        pauses.runAll()
        again.send(1)
        await next()
        #expect(watch.names == ["event7", "event8"])
        withExtendedLifetime(other) {}
    }

    @Test func `the directory may be created later`() async throws {
        tree.removeAll("dev/input")
        let watch = watch()
        try tree.makeDirectory("dev/input")
        let keyboard = try add("event0")
        keyboard.send(1)
        await next()
        withExtendedLifetime(watch) {}
    }

    @Test func `a denied device is reported once`() async throws {
        let devices = try [add("event0"), add("event1")]
        for name in ["event0", "event1"] { chmod("\(tree.root)/dev/input/\(name)", 0) }
        let denied = try asOrdinaryUser { watch() }
        #expect(await next() == [.notice(.inputDenied(path: "\(tree.root)/dev/input/event0"))])
        #expect(denied.names == [])
        withExtendedLifetime(devices) {}
    }
}

/// The writing end of a named pipe.
private final class Pipe: Sendable {
    private let descriptor: Mutex<Int32>
    private let path: String

    init(_ path: String) throws {
        self.path = path
        guard mkfifo(path, 0o600) == 0 else { throw SystemCallError("mkfifo", path) }
        // Opening for reading, too, needs no reader.
        descriptor = Mutex(open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC))
    }

    /// Sends this many events of 24 bytes, as far as they fit.
    func send(_ count: Int) {
        let events = [UInt8](repeating: 0, count: 24 * count)
        _ = descriptor.withLock { write($0, events, events.count) }
    }

    func unplug() throws {
        guard unlink(path) == 0 else { throw SystemCallError("unlink", path) }
        close()
    }

    private func close() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { Glibc.close(descriptor) }
            descriptor = -1
        }
    }

    deinit { close() }
}
