// SPDX-License-Identifier: Apache-2.0

/// The persisted facts about a display's device, part of its `DisplayRecord`.
package struct DeviceRecord: Hashable, Sendable {
    /// Where the device was last, such as `ddc:DP-1@5`: its kind, and its connector, bus or path. `nil` for a device
    /// that its id finds again.
    package var place: String?
    /// The newest writes to a device whose memory wears; `nil` for others.
    package var writes: DailyWrites?

    package init(place: String? = nil, writes: DailyWrites? = nil) { (self.place, self.writes) = (place, writes) }

    /// The connector, bus or path, if the device is of this kind.
    package func place(of kind: DisplayKind) -> String? {
        guard let place, place.hasPrefix("\(kind.rawValue):") else { return nil }
        return String(place.dropFirst(kind.rawValue.count + 1))
    }
}

/// The number of writes in one day.
package struct DailyWrites: Hashable, Sendable {
    /// In UTC, counted from 1970.
    package var day: Int64
    package var count: Int

    package init(day: Int64, count: Int) { (self.day, self.count) = (day, count) }
}
