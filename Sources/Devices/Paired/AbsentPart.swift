// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A part of a pair that an earlier run has served and that has not come yet: a client that is not connected, or an
/// absent device. What that run has changed at the other part is changed back without it.
struct AbsentPart: Panel {
    let id: DisplayID
    let name: String
    let kind = DisplayKind.provided
    let range: BrightnessRange
    let isDimmable: Bool
    let isCheapToRead = true
    let isSwitchable = true
    /// The part may be of any kind, so its record is stored with the greatest care.
    let isVolatile = true
    let keepsStepWithoutPower = true
    let changes = AsyncStream<Cause.Kind> { $0.finish() }

    /// - Parameter record: That of the pair.
    init(_ id: DisplayID, of record: DisplayRecord) {
        (self.id, name) = (id, record.id.text)
        isDimmable = record.maximum > 1
        range = isDimmable ? BrightnessRange(maximum: record.maximum) ?? .fixed : .fixed
    }

    func read() throws(DeviceError) -> Int { throw .abandoned(id) }
    func write(_ step: Int) throws(DeviceError) { throw .abandoned(id) }
    func writePower(_ isOn: Bool) throws(DeviceError) { throw .abandoned(id) }
}
