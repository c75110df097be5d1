// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices

struct DisplayOptions: OptionSection {
    static let title = "Displays"

    let display = DaemonOption(
        list: "display",
        """
        Display to serve; repeatable. auto: the machine's backlights and monitors, including those connected later; a \
        simulated display while there is none and no client provides one. cec:N: the television at /dev/cecN; \
        cec:auto: the televisions at all CEC adapters. none: only displays of other daemons, see --mirror. \
        brightnessd probe lists the available displays. NAME is the kernel's name or the display's id.
        """,
        form: DisplaySelection.form,
        stated: "auto"
    ) { DisplaySelection($0) }
    .map(valid)

    let excludeDisplay = DaemonOption(
        list: "exclude-display",
        "Display that auto does not serve, by its id or its kernel name; repeatable.",
        form: "id"
    ) { KernelName($0) }

    let pair = DaemonOption(
        list: "pair",
        """
        One display of two parts: the first sets the brightness, the second the power, such as \
        lobby=lobby-page+relay; repeatable. A part is the id of a display, even of one that a client provides, or a \
        value of --display. Only the pair is served.
        """,
        form: "id=part+part",
        values: "id=part+part, such as lobby=lobby-page+relay or desk=led:desk+ddc:DEL-1"
    ) { DisplayPair($0) }
    .map(valid)

    let defaultDisplay = DaemonOption(
        "default-display",
        "Display for the paths without an id, such as /v1/brightness and /v1/boost.",
        form: "id",
        stated: "the first"
    ) { DisplayID($0) }

    let group = DaemonOption(
        list: "group",
        """
        Name for some displays, such as lobby=hall:*,lobby:*,tag:kiosk; repeatable. A pattern is the id of a display, \
        with * for any characters, or a tag of a node. Commands for a group are below /v1/groups/NAME.
        """,
        form: "name=pattern,…",
        values: "name=pattern,… with at most \(DisplaySelector.limit) patterns, such as lobby=hall:*",
        separatedBy: groups(in:)
    ) { DisplayGroup($0) }
    .map(valid)

    let minBrightness = DaemonOption.fraction(
        "min-brightness",
        "Minimum brightness, 0 to 1; at least one step, so that no screen goes dark. LEDs may be off.",
        default: "0"
    )

    let curve = DaemonOption(
        list: "curve",
        """
        How a display's brightness maps to its panel's range; repeatable. perceptual: percent as eyes see it, for \
        panels whose steps are linear in light. Points: percent of brightness to percent of the panel, both rising; \
        the first and the last are the range in use. PUT /v1/displays/ID/settings overrides it.
        """,
        form: "id=linear|perceptual|percent:percent,…",
        values: "id=linear, id=perceptual, or id=percent:percent,… such as DP-1=0:3,50:30,100:80",
        stated: "linear",
        separatedBy: groups(in:)
    ) { OfDisplay($0) { PanelCurve(String($0)) } }
    .map { curves in Dictionary(curves.map { ($0.id, $0.value) }) { _, last in last } }

    let follow = DaemonOption(
        list: "follow",
        """
        Display that gets the brightness of another display, at the first start and whenever that changes, such as \
        DP-1=intel_backlight; repeatable.
        """,
        form: "id=leader",
        values: "id=leader, the ids of two displays of this machine, such as DP-1=intel_backlight"
    ) { OfDisplay($0) { DisplayID(own: $0) }.flatMap { $0.id == $0.value ? nil : $0 } }
    .map(valid)

    let boostCap = DaemonOption.fraction("boost-cap", "Maximum brightness of a boost, 0 to 1.", default: "1")

    let ddcWritesPerDay = DaemonOption(
        "ddc-writes-per-day",
        "Maximum number of writes per monitor and day, because writes wear monitors.",
        form: "count",
        values: "a whole number from 1 on",
        default: "\(MonitorSource.defaultWritesPerDay)"
    ) { Int($0, in: 1...Int.max) }

    let ddcPower = DaemonOption(
        list: "ddc-power",
        """
        Monitor that may be switched off and on, by its id; repeatable. Try it by hand first: some monitors need a \
        press of their own button to wake.
        """,
        form: "id"
    ) { DisplayID($0) }

    let cecOff = DaemonOption(
        "cec-off",
        """
        How a television is switched off. standby: it goes to standby. inactive-source, for a television that shows \
        pictures in standby: it shows another input or switches itself off; whether it is off is then unknown.
        """,
        form: "standby|inactive-source",
        default: "standby"
    ) { TelevisionOff(rawValue: $0) }

    let transition = DaemonOption.seconds(
        "transition",
        "Duration of a change, for requests without one.",
        in: 0...3_600,
        default: "0"
    )
}

/// Splits a variable, in which commas separate the groups as well as their patterns. A part with `=` begins a group.
private func groups(in text: String) -> [String] {
    text.split(separator: ",").reduce(into: []) { groups, part in
        if part.contains("=") || groups.isEmpty {
            groups.append(String(part))
        } else {
            groups[groups.count - 1] += ",\(part.split(separator: " ").joined())"
        }
    }
}

/// A value for one display. Accepts `ID=VALUE`.
struct OfDisplay<Value: Sendable>: Sendable {
    let id: DisplayID
    let value: Value

    init?(_ text: String, read: (Substring) -> Value?) {
        guard let (name, rest) = text.halves(at: "="), let id = DisplayID(own: name), let value = read(rest) else {
            return nil
        }
        (self.id, self.value) = (id, value)
    }
}

/// Rejects what no device makes valid. Two forms of one display are found when they are opened.
@Sendable private func valid(_ selections: [DisplaySelection]) throws(OptionError) -> [DisplaySelection] {
    guard selections.count < 2 || !selections.contains(.none) else {
        throw OptionError("--display none cannot be combined with another --display")
    }
    var earlier: Set<DisplaySelection> = []
    for selection in selections where !earlier.insert(selection).inserted {
        throw OptionError(SelectionError.twice(selection.description).description)
    }
    return selections
}

@Sendable private func valid(_ pairs: [DisplayPair]) throws(OptionError) -> [DisplayPair] {
    var parts: Set<DisplayPair.Part> = []
    for part in pairs.flatMap(\.parts) where !parts.insert(part).inserted {
        throw OptionError(SelectionError.partTwice(part.description).description)
    }
    for pair in pairs where !parts.insert(.display(pair.id)).inserted {
        throw OptionError(SelectionError.pairExists(pair.id).description)
    }
    return pairs
}

@Sendable private func valid(_ groups: [DisplayGroup]) throws(OptionError) -> DisplayGroups {
    do {
        return try DisplayGroups(groups)
    } catch {
        switch error {
        case .tooMany: throw OptionError("at most \(DisplayGroups.limit) groups are possible (--group)")
        case .twice(let name): throw OptionError("the group \(name.text) is there twice (--group)")
        }
    }
}

@Sendable private func valid(_ followers: [OfDisplay<DisplayID>]) throws(OptionError) -> [OfDisplay<DisplayID>] {
    var ids: Set<DisplayID> = []
    for follower in followers where !ids.insert(follower.id).inserted {
        throw OptionError("\(follower.id) can follow one display only (--follow)")
    }
    for follower in followers where ids.contains(follower.value) {
        throw OptionError(
            """
            \(follower.id) cannot follow \(follower.value), which is a follower itself: let all follow one (--follow)
            """
        )
    }
    return followers
}
