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

    private func sign(_ file: String, _ means: DeviceSign.Means, _ cause: Cause.Kind) -> DeviceSign {
        DeviceSign(path: tree.path("light", file), means: means, cause: cause)
    }

    @Test func `a program that writes is heard, with what it means`() async throws {
        let watch = DeviceWatch()
        let (heard, hear) = AsyncStream.makeStream(of: Cause.Kind.self)
        var causes = heard.makeAsyncIterator()
        let ear = watch.listen(to: device, signs: [sign("brightness", .writing, .hotkey)]) { hear.yield($0) }
        try SysfsLED(#require(DisplayID("light")), root: tree.root).write(5)
        #expect(await causes.next() == .hotkey)
        watch.forget(ear)
    }

    @Test func `signs that cannot be watched are no trouble, and let go of what they open`() throws {
        let watch = DeviceWatch()
        // Not on sysfs, and not there at all.
        let signs = [
            sign("brightness", .notice, .external), sign("none", .notice, .external), sign("no", .writing, .external),
        ]
        let ear = watch.listen(to: device, signs: signs) { _ in }
        #expect(tree.openFiles().isEmpty)
        watch.forget(ear)
        watch.forget(ear)
    }

    @Test func `one that forgot hears no more`() async throws {
        let watch = DeviceWatch()
        let (heard, hear) = AsyncStream.makeStream(of: String.self)
        var causes = heard.makeAsyncIterator()
        let signs = [sign("brightness", .writing, .external)]
        watch.forget(watch.listen(to: device, signs: signs) { _ in hear.yield("forgotten") })
        let ear = watch.listen(to: device, signs: signs) { _ in hear.yield("listening") }
        try SysfsLED(#require(DisplayID("light")), root: tree.root).write(5)
        #expect(await causes.next() == "listening")
        watch.forget(ear)
    }
}
