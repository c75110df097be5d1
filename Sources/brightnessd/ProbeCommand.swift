// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Devices
import Glibc

struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Lists the displays and sensors of this machine, and what is missing to use them.",
        discussion: """
            Run it as the user that the daemon runs as. It reads only, and says for everything that cannot be used what \
            would help. Exits with 0 if there is a display that can be set, else with 1.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Where sysfs is mounted. [env: BRIGHTNESSD_SYSFS_ROOT; default: /sys]",
            valueName: "directory"
        )
    )
    var sysfsRoot: String?

    func run() throws {
        let root = try Environment().value("sysfs-root", sysfsRoot) { $0.isEmpty ? nil : $0 } ?? "/sys"
        // Beside the report, so that this can be read by a program.
        let report = Probe(root: root) { progress in
            let line = Array("\(progress) …\n".utf8)
            write(STDERR_FILENO, line, line.count)
        }.run()
        print(report)
        if !report.isUsable { throw ExitCode.failure }
    }
}
