// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

@Suite struct UeventNameTests {
    @Test func `a device's name is the one in sysfs, where a ! stands for a slash`() {
        #expect(UeventMonitor.directory(of: "panel/0") == "panel!0")
        #expect(UeventMonitor.directory(of: "backlight@0") == "backlight@0")
    }
}

/// What can be heard without the kernel's help: programs that write. The rest is heard by the end-to-end tests.
@Suite(.timeLimit(.minutes(1))) struct DeviceWatchTests {
    let tree: SysfsTree
    let device = KernelDevice(subsystem: "leds", name: "light")

    init() throws {
        tree = try SysfsTree(of: "leds")
        try tree.addDevice("light")
    }

    private func file(_ name: String, _ trigger: WatchedFile.Trigger, _ cause: Cause.Kind) -> WatchedFile {
        WatchedFile(path: tree.path("light", name), trigger: trigger, cause: cause)
    }

    @Test func `a write by another program is reported with its cause`() async throws {
        let watch = DeviceWatch()
        let (heard, hear) = AsyncStream.makeStream(of: Cause.Kind.self)
        var causes = heard.makeAsyncIterator()
        let observer = watch.listen(to: device, files: [file("brightness", .writing, .hotkey)]) { hear.yield($0) }
        try SysfsLED(#require(DisplayID("light")), root: tree.root).write(5)
        #expect(await causes.next() == .hotkey)
        watch.forget(observer)
    }

    @Test func `files that cannot be watched are skipped, and leave nothing open`() throws {
        let watch = DeviceWatch()
        // Not on sysfs, and not there at all.
        let files = [
            file("brightness", .notice, .external), file("none", .notice, .external), file("no", .writing, .external),
        ]
        let observer = watch.listen(to: device, files: files) { _ in }
        #expect(tree.openFiles().isEmpty)
        watch.forget(observer)
        watch.forget(observer)
    }

    @Test func `an observer that forgot is not notified`() async throws {
        let watch = DeviceWatch()
        let (heard, hear) = AsyncStream.makeStream(of: String.self)
        var causes = heard.makeAsyncIterator()
        let files = [file("brightness", .writing, .external)]
        watch.forget(watch.listen(to: device, files: files) { _ in hear.yield("forgotten") })
        let observer = watch.listen(to: device, files: files) { _ in hear.yield("listening") }
        try SysfsLED(#require(DisplayID("light")), root: tree.root).write(5)
        #expect(await causes.next() == "listening")
        watch.forget(observer)
    }
}
