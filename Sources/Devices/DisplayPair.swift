// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A value of `--pair`, `ID=PART+PART`: a display whose brightness is that of the first part and whose power is that of
/// the second.
package struct DisplayPair: Hashable, Sendable {
    /// A display, which may come later, or a device, which is opened unless a selection has opened it.
    package enum Part: Hashable, Sendable, CustomStringConvertible {
        case display(DisplayID)
        case device(DisplaySelection)

        package var description: String {
            switch self {
            case .display(let id): id.text
            case .device(let selection): selection.description
            }
        }

        /// Returns `nil` for `auto`, `cec:auto` and `none`, and for an id of another daemon's display.
        fileprivate init?(_ text: Substring) {
            switch DisplaySelection(String(text)) {
            case .auto, .allTelevisions, .none?: return nil
            case let device?: self = .device(device)
            case nil:
                guard let id = DisplayID(own: text) else { return nil }
                self = .display(id)
            }
        }
    }

    package let id: DisplayID
    package let brightness: Part
    package let power: Part

    /// Returns `nil` for a text of another form.
    package init?(_ text: String) {
        let names = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard names.count == 2, let id = DisplayID(own: names[0]) else { return nil }
        let parts = names[1].split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 2, let brightness = Part(parts[0]), let power = Part(parts[1]) else { return nil }
        (self.id, self.brightness, self.power) = (id, brightness, power)
    }

    package var parts: [Part] { [brightness, power] }

    /// The devices among the parts.
    var devices: [DisplaySelection] {
        parts.compactMap { if case .device(let device) = $0 { device } else { nil } }
    }
}

extension [DisplayID: DisplayRecord] {
    /// The records by which devices are found again: those of displays, and of the parts of these pairs. A record of a
    /// part itself is of a run without the pair.
    package func withParts(of pairs: [DisplayPair]) -> Self {
        let parts = pairs.compactMap { self[$0.id] }.flatMap(\.parts)
        return merging(parts.map { ($0.id, $0) }) { _, part in part }
    }
}

extension DisplayID {
    /// The ids of mirrored displays contain a colon.
    package init?(own text: Substring) {
        guard !text.contains(":") else { return nil }
        self.init(String(text))
    }
}
