// SPDX-License-Identifier: Apache-2.0
import CDDCUtil
import DDCWire
import Glibc

/// The monitors found by libddcutil, and the requests to them. One thread.
///
/// A monitor is opened for each read or write, since other programs use the bus, too.
final class Monitors {
    /// The VCP feature of the brightness (MCCS, "luminance").
    private static let brightness: DDCA_Vcp_Feature_Code = 0x10
    /// The VCP feature of the power (MCCS, "power mode"): 1 is on.
    private static let power: DDCA_Vcp_Feature_Code = 0xD6

    typealias Answer = [String: WireObject.Value]

    private let connectors: Connectors
    private var known = KnownMonitors()
    /// The library's displays, by bus. A further search makes them invalid.
    private var references: [Int: DDCA_Display_Ref] = [:]
    /// The power mode that switches each monitor off, once its capabilities were asked for.
    private var offModes: [String: Int] = [:]
    /// The monitors whose capabilities could not be read.
    private var unread: Set<String> = []
    private var hasSearched = false

    init(connectors: Connectors) { self.connectors = connectors }

    func answers(to request: WireObject) -> [Answer] {
        if request.text("do") == "detect" { return detect(request.text("known") ?? "") }
        guard let id = request.text("monitor"), let monitor = known[id] else { return [["error": .text("absent")]] }
        if request.text("do") == "switch" {
            let isOn = request.holds("on")
            guard isOn || known.maySwitchOff(id, among: connectors.all) else { return [["error": .text("moved")]] }
            return [switchPower(monitor, isOn: isOn)]
        }
        switch known.power(of: id, among: connectors.all) {
        case .asleep: return [["error": .text("asleep")]]
        case .unplugged: return [["error": .text("absent")]]
        case .moved: return [["error": .text("moved")]]
        case .on, .unknown, nil: break
        }
        switch (request.text("do"), request.number("step")) {
        case ("read", _): return [read(monitor)]
        case ("write", let step?): return [write(step, to: monitor)]
        default: return [["error": .text("malformed")]]
        }
    }

    // MARK: Finding

    /// Searches every bus, which takes seconds. The ids are the same each time.
    ///
    /// - Parameter earlier: The ids of earlier searches and their addresses, such as `DEL-…@DP-1@5 DEL-…`.
    private func detect(_ earlier: String) -> [Answer] {
        // The library keeps the result of its first search, also an empty one.
        if hasSearched { _ = ddca_redetect_displays() }
        hasSearched = true
        references = [:]
        var addresses: [String: MonitorAddress?] = [:]
        for word in earlier.split(separator: " ") {
            let parts = word.split(separator: "@", maxSplits: 1)
            // `.some`: an id without an address is known, too.
            addresses[String(parts[0])] = .some(parts.count == 2 ? MonitorAddress(parts[1]) : nil)
        }
        known.adopt(list(), known: addresses, among: connectors.all)
        let answers: [Answer] = known.monitors.filter(\.answers).map {
            [
                "monitor": .text($0.id), "name": .text($0.name), "bus": .number($0.bus),
                "place": .text($0.address.text),
            ]
        }
        // Whether each connector with a monitor had an answer; left out if no driver reports connectors.
        let connectors: Answer =
            switch known.isComplete {
            case true?: ["connectors": .text("answered")]
            case false?: ["connectors": .text("unanswered")]
            case nil: [:]
            }
        return answers + [["done": .yes].merging(connectors) { $1 }]
    }

    private func list() -> [ListedMonitor] {
        var list: UnsafeMutablePointer<DDCA_Display_Info_List>?
        guard ddca_get_display_info_list2(true, &list) == DDCRC_OK, let list else { return [] }
        defer { ddca_free_display_info_list(list) }
        return (0..<list.pointee.ct).compactMap { index in
            guard var info = cddcutil_info(list, index)?.pointee else { return nil }
            let bus = Int(cddcutil_bus(&info))
            guard bus >= 0 else { return nil }
            let edid = withUnsafeBytes(of: info.edid_bytes) { Array($0) }
            let model = text(of: info.model_name)
            let maker = text(of: info.mfg_id)
            let serial = text(of: info.sn)
            references[bus] = info.dref
            return ListedMonitor(
                model: EDIDName.id(maker: maker, model: model, product: info.product_code, serial: serial, edid: edid),
                name: model.isEmpty ? "\(maker) monitor" : model,
                bus: bus,
                edid: edid,
                // The number of an "invalid" display, whose DDC/CI does not work, is negative.
                answers: info.dispno >= 0
            )
        }
    }

    private func text<Field>(of field: Field) -> String {
        withUnsafeBytes(of: field) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    // MARK: Reading and writing

    private func read(_ monitor: KnownMonitors.Monitor) -> Answer {
        with(monitor) { read(from: $0) }
    }

    private func read(from handle: DDCA_Display_Handle?) -> Answer {
        var value = DDCA_Non_Table_Vcp_Value()
        let status = ddca_get_non_table_vcp_value(handle, Self.brightness, &value)
        guard status == DDCRC_OK else { return failure(status) }
        return [
            "current": .number(Int(value.sh) << 8 | Int(value.sl)),
            "maximum": .number(Int(value.mh) << 8 | Int(value.ml)),
        ]
    }

    private func write(_ step: Int, to monitor: KnownMonitors.Monitor) -> Answer {
        guard let step = UInt16(exactly: step) else { return ["error": .text("malformed")] }
        return with(monitor) { handle in
            // The value is read back: a monitor does not confirm a write. The library keeps this setting per thread.
            _ = ddca_enable_verify(true)
            let status = ddca_set_non_table_vcp_value(handle, Self.brightness, UInt8(step >> 8), UInt8(step & 0xFF))
            if status == DDCRC_OK { return ["done": .yes] }
            guard status == cddcutil_verify else { return failure(status) }
            // It was written, and the monitor shows another value, which `verify` does not return.
            return read(from: handle).merging(["done": .yes]) { $1 }
        }
    }

    /// Switches a monitor without reading its power mode, which would wake some.
    private func switchPower(_ monitor: KnownMonitors.Monitor, isOn: Bool) -> Answer {
        let answer = with(monitor) { handle in
            guard let mode = isOn ? PowerModes.on : offMode(of: monitor, handle) else {
                return ["error": .text("failed")]
            }
            _ = ddca_enable_verify(false)
            let status = ddca_set_non_table_vcp_value(handle, Self.power, 0, UInt8(mode))
            return status == DDCRC_OK ? ["done": .yes] : failure(status)
        }
        // The library may refuse to open a monitor that did not answer its search.
        guard isOn, answer["error"] != nil, !monitor.answers else { return answer }
        let message = PowerModes.message(setting: PowerModes.on)
        return cddcutil_send(Int32(monitor.bus), message, message.count) == 0 ? ["done": .yes] : answer
    }

    /// Reads the monitor's capabilities once, which takes a second.
    ///
    /// - Returns: `nil` after the first failure: a wrong mode may be one that only the monitor's button ends. One that
    ///   fails again may have no capabilities.
    private func offMode(of monitor: KnownMonitors.Monitor, _ handle: DDCA_Display_Handle?) -> Int? {
        if let off = offModes[monitor.id] { return off }
        var text: UnsafeMutablePointer<CChar>?
        let status = ddca_get_capabilities_string(handle, &text)
        defer { free(text) }
        if status != DDCRC_OK, unread.insert(monitor.id).inserted { return nil }
        let capabilities = status == DDCRC_OK ? text.map { String(cString: $0) } : nil
        let off = PowerModes.off(in: capabilities ?? "")
        offModes[monitor.id] = off
        return off
    }

    private func with(_ monitor: KnownMonitors.Monitor, _ body: (DDCA_Display_Handle?) -> Answer) -> Answer {
        guard let reference = references[monitor.bus] else { return ["error": .text("lost")] }
        var handle: DDCA_Display_Handle?
        let status = ddca_open_display2(reference, true, &handle)
        guard status == DDCRC_OK else { return failure(status) }
        defer { _ = ddca_close_display(handle) }
        return body(handle)
    }

    private func failure(_ status: DDCA_Status) -> Answer {
        let word =
            switch status {
            case -EACCES, -EPERM: "permission"
            case -ENOENT, -ENODEV, cddcutil_invalid_display: "lost"
            // Also ENXIO, by which i915 reports that a monitor does not acknowledge.
            default: "failed"
            }
        let name = ddca_rc_name(status).map { String(cString: $0) } ?? ""
        return ["error": .text(word), "status": .number(Int(status)), "detail": .text(name)]
    }
}
