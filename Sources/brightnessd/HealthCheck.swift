// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPServer

struct HealthCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Asks the daemon on this machine whether it answers. Exits with 0 if it does, else with 1.",
        discussion: "For container health checks and scripts, where there is no curl."
    )

    @Option(help: "Where the daemon listens. [env: BRIGHTNESSD_LISTEN; default: 127.0.0.1:8787]")
    var listen: String?

    @Flag(help: "Ask for readiness: are all displays available?")
    var ready = false

    func run() throws {
        let address = try Environment().value("listen", listen) { ListenAddress($0) } ?? Settings.usualAddress
        let path = ready ? "/readyz" : "/livez"
        switch HealthProbe.status(of: path, at: address, within: .seconds(3)) {
        case 200?: return
        case let status?: print("http://\(address.reachable)\(path) answered \(status)")
        case nil: print("nobody answers at http://\(address.reachable)\(path)")
        }
        throw ExitCode.failure
    }
}
