// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CLinux
import Glibc
import Support

extension Probe {
    /// Lists the CEC adapters, what each is connected to, and who else has it open. Claims no address: the status is
    /// asked for only if some program has claimed one.
    func probeTelevisions(_ report: inout ProbeReport) {
        var table = ProbeReport.Table(
            title: "Televisions (HDMI-CEC)",
            headings: ["display", "connector", "connected to", "now", "open in", "can be set"]
        )
        for number in TelevisionSource.present {
            table.rows.append(row(of: number, &report))
        }
        if !table.rows.isEmpty {
            table.remarks.append("auto serves no television; --display cec:N does.")
            if geteuid() != 0 { table.remarks.append("Only root sees the programs of other users.") }
        }
        report.tables.append(table)
    }

    private func row(of number: Int, _ report: inout ProbeReport) -> [String] {
        let path = TelevisionSource.path(of: number)
        let name = "cec:\(number)"
        if let remedy = FileAccess(to: path).remedy(for: path, subsystem: "cec") { report.advise(remedy) }
        guard let file = try? CECFile(path) else { return [name, "", "", "", FileUsers(of: path).text, "no"] }
        let connector = CECConnector(of: file, sysfsRoot: root)
        let connection = connector?.name ?? file.driver ?? ""
        let users = FileUsers(of: path).text
        let isHeld = file.isHeld
        let holders = isHeld ? "\(users.isEmpty ? "a program" : users), for itself alone" : users
        guard let physical = try? file.physicalAddress() else {
            return [name, connection, "nothing", "unplugged", holders, "when plugged in"]
        }
        guard physical != 0 else { return [name, connection, "a source", "an input", holders, "no"] }
        let other = [connector?.monitor, "at \(CECAddresses.text(of: physical))"].compactMap { $0 }
        if !isHeld { report.isUsable = true }
        let status = status(of: file, path, physical)
        return [name, connection, other.joined(separator: " "), status, holders, isHeld ? "no" : "yes"]
    }

    private func status(of file: CECFile, _ path: String, _ physical: UInt16) -> String {
        guard let logical = try? file.logicalAddress() else { return "not asked" }
        progress("asking the television at \(path)")
        let own = CECAddresses(physical: physical, logical: logical)
        let answer = try? CECAdapter(path: path).send(own.givePowerStatus, expecting: .opcode(.reportPowerStatus))
        switch answer {
        case .reply(let message): return CECPowerStatus(of: message).map { $0.isOn ? "on" : "off" } ?? "unknown"
        case .busy: return "not asked"
        case .unacknowledged: return "no answer: no power, or CEC is off"
        case .sent, .rejected, nil: return "unknown: it does not report it"
        }
    }
}

/// The programs that have a file open, as far as this process may see.
private struct FileUsers {
    /// The maximum number that is shown.
    private static let limit = 4

    let text: String

    init(of path: String) {
        let own = String(getpid())
        let processes = SysfsDirectory(path: "/proc").names.filter { Int($0) != nil && $0 != own }
        let names = processes.compactMap { process -> String? in
            let directory = "/proc/\(process)/fd"
            let files = SysfsDirectory(path: directory).names
            guard files.contains(where: { linkTarget(of: "\(directory)/\($0)") == path }) else { return nil }
            let name = try? SysfsAttribute(path: "/proc/\(process)/comm").text()
            return "\(name?.plain(upTo: 16) ?? "process") (\(process))"
        }
        let more = names.count > Self.limit ? ["…"] : []
        text = (names.prefix(Self.limit) + more).joined(separator: ", ")
    }
}
