// SPDX-License-Identifier: Apache-2.0

/// An entry of `/dev/input`, as sysfs describes it.
struct InputDevice {
    /// Such as `event3`.
    let name: String
    private let folder: String

    init(_ name: String, sysfsRoot: String) {
        self.name = name
        folder = "\(sysfsRoot)/class/input/\(name)/device"
    }

    /// The device's name for people; `nil` if it has none.
    var title: String? { try? SysfsAttribute(path: "\(folder)/name").text() }

    /// Whether it is an event device that a person uses: one with keys or buttons, as touch screens have, too. Not an
    /// accelerometer, which sends events all the time, nor the switch of a lid or a plug.
    var isUsedByPeople: Bool {
        guard name.hasPrefix("event"), Int(name.dropFirst(5)) != nil else { return false }
        let accelerometer: UInt64 = 1 << 6
        if let properties = bits(of: "properties"), properties & accelerometer != 0 { return false }
        let keys: UInt64 = 1 << 1
        return bits(of: "capabilities/ev").map { $0 & keys != 0 } ?? true
    }

    /// The lowest bits of a bitmap in sysfs.
    private func bits(of file: String) -> UInt64? {
        (try? SysfsAttribute(path: "\(folder)/\(file)").text())?.split(separator: " ").last
            .flatMap { UInt64($0, radix: 16) }
    }
}
