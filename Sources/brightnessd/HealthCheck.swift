// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DaemonRuntime
import HTTPClient
import HTTPServer

struct HealthCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Checks whether the daemon on this machine answers, or is ready. Exits with 0 if so, else with 1.",
        discussion: "For container health checks and scripts on machines without curl."
    )

    @Option(DaemonOptions.declared.access.listen.entry, "The address of the daemon.") var listen: String?

    @Option(help: ArgumentHelp("The daemon's Unix socket, instead of its address.", valueName: "path"))
    var unix: String?

    @Flag(help: "Check readiness: whether all displays are available.")
    var ready = false

    @Flag(help: "Print the report of the readiness check, even when the daemon is ready. Implies --ready.")
    var json = false

    func run() throws {
        let path = ready || json ? "/readyz" : "/livez"
        let address = try DaemonOptions.declared.access.listen.value(given: listen).reachable
        let url = unix.map { "\($0)\(path)" } ?? "http://\(address)\(path)"
        var request = Transfer.Request(unix == nil ? url : "http://localhost\(path)")
        request.socket = unix
        request.usesProxy = false
        request.seconds = 3
        let status: Int
        let body: Substring
        do throws(TransferFailure) {
            let transfer = try Transfer(request)
            body = try String(decoding: transfer.perform(), as: UTF8.self).prefix { $0 != "\n" }
            status = transfer.status
        } catch {
            let limit = error == .timedOut ? " within 3 s" : ""
            print("no answer from \(url)\(limit): does brightnessd run there? --listen or --unix names another address")
            throw ExitCode.failure
        }
        if json { print(body) }
        if status == 200 { return }
        // The answer to the readiness check names the displays that are not available.
        if !json { print("\(url) answered \(status)\(body.isEmpty ? "" : ": \(body)")") }
        throw ExitCode.failure
    }
}
