// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

@Suite struct UeventNameTests {
    @Test func `the name of a device is that of sysfs, where ! stands for a slash`() {
        #expect(UeventMonitor.directory(of: "panel/0") == "panel!0")
        #expect(UeventMonitor.directory(of: "backlight@0") == "backlight@0")
    }
}

/// Events without help of the kernel: writes by programs. The end-to-end tests cover the others.
@Suite(.timeLimit(.minutes(10))) struct DeviceWatchTests {
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
        let observer = watch.observe(to: device, files: [file("brightness", .writing, .hotkey)]) { hear.yield($0) }
        try SysfsLED(#require(DisplayID("light")), root: tree.root).write(5)
        #expect(await causes.next() == .hotkey)
        watch.forget(observer)
    }

    @Test func `unwatchable files are skipped and leave no descriptor open`() throws {
        let watch = DeviceWatch()
        // One file is not on sysfs, the other does not exist.
        let files = [
            file("brightness", .notice, .external), file("none", .notice, .external), file("no", .writing, .external),
        ]
        let observer = watch.observe(to: device, files: files) { _ in }
        #expect(tree.openFiles().isEmpty)
        watch.forget(observer)
        watch.forget(observer)
    }

    @Test func `a removed observer is not notified`() async throws {
        let watch = DeviceWatch()
        let (heard, hear) = AsyncStream.makeStream(of: String.self)
        var causes = heard.makeAsyncIterator()
        let files = [file("brightness", .writing, .external)]
        watch.forget(watch.observe(to: device, files: files) { _ in hear.yield("forgotten") })
        let observer = watch.observe(to: device, files: files) { _ in hear.yield("listening") }
        try SysfsLED(#require(DisplayID("light")), root: tree.root).write(5)
        #expect(await causes.next() == "listening")
        watch.forget(observer)
    }
}
