// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A device's name in its kernel class, such as `intel_backlight` or `backlight@0`: its directory's name in sysfs.
///
/// Device tree names have characters that a `DisplayID` does not allow.
package struct KernelName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    /// Returns `nil` for text that cannot be the name of a directory.
    package init?(_ text: String) {
        guard (1...255).contains(text.utf8.count), text != ".", text != "..", !text.utf8.contains(UInt8(ascii: "/")),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        self.text = text
    }

    /// The name equal to an id.
    package init(_ id: DisplayID) { text = id.text }

    package static func < (left: KernelName, right: KernelName) -> Bool { left.text < right.text }

    package var description: String { text }
}

/// The ids of the devices of one class.
struct DeviceIDs: Sendable {
    private var ids: [KernelName: DisplayID] = [:]

    /// Valid ids stay. Other names are converted, and numbered in the order of the names if the result is taken.
    ///
    /// - Parameter carried: The ids that are not made of the devices' names.
    init(of names: [KernelName], avoiding taken: Set<DisplayID> = [], carrying carried: [KernelName: DisplayID] = [:]) {
        ids = carried
        var taken = taken.union(carried.values)
        let names = names.sorted().filter { carried[$0] == nil }
        for name in names.filter({ DisplayID($0.text) != nil }) + names.filter({ DisplayID($0.text) == nil }) {
            var id = DisplayID(deviceName: name.text)
            var number = 1
            while !taken.insert(id).inserted {
                number += 1
                id = DisplayID(deviceName: name.text, number: number)
            }
            ids[name] = id
        }
    }

    subscript(name: KernelName) -> DisplayID? { ids[name] }

    /// Returns the device with a kernel name or an id; without one, the name and the id that it would have.
    func device(called name: KernelName) -> (name: KernelName, id: DisplayID) {
        if let id = ids[name] { return (name, id) }
        return ids.first { $0.value.text == name.text }.map { ($0.key, $0.value) }
            ?? (name, DisplayID(deviceName: name.text))
    }
}
