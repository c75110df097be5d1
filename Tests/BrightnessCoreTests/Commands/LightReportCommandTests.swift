// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite struct LightReportCommandTests {
    private let start = Instant(sinceBoot: .seconds(100))

    private func command(_ text: String) throws -> LightReportCommand {
        try LightReportCommand(from: RequestBody(parsing: Array(text.utf8)))
    }

    @Test(arguments: [("{\"illuminance\":3.2}", 300), ("{\"illuminance\":3.2,\"ttl\":60}", 60)])
    func `a reading counts for its ttl, by default 300 s`(text: String, seconds: Double) throws {
        let reports = LightReports(poster: NotificationHub().poster)
        let name = try LightReport.name("window")
        try command(text).execute(on: reports, name, at: start)
        #expect(reports.all(at: start + .seconds(seconds - 1)).map(\.illuminance.lux) == [3.2])
        #expect(reports.all(at: start + .seconds(seconds)).isEmpty)
    }

    @Test(arguments: [
        ("{}", "illuminance is required, in lux, such as 3.2."),
        ("{\"illuminance\":-1}", "illuminance must be a number from 0 to 200000, not -1."),
        ("{\"illuminance\":300000}", "illuminance must be a number from 0 to 200000, not 300000."),
        ("{\"illuminance\":\"3\"}", "illuminance must be a number from 0 to 200000, not \"3\"."),
        ("{\"illuminance\":3,\"ttl\":0.5}", "ttl must be a number from 1 to 86400, not 0.5."),
        (
            "{\"lux\":3,\"illuminance\":3}",
            "Unknown member \"lux\". Did you mean illuminance? The members are illuminance and ttl."
        ),
    ])
    func `an invalid reading is rejected with the remedy`(text: String, detail: String) {
        let problem = #expect(throws: Problem.self) { try command(text) }
        #expect(problem?.type == .invalidBody)
        #expect(problem?.detail == detail)
    }

    @Test func `a reading beyond the limit is rejected`() throws {
        let reports = LightReports(poster: NotificationHub().poster)
        let command = try command("{\"illuminance\":3}")
        for number in 1...LightReports.limit {
            try command.execute(on: reports, LightReport.name("s\(number)"), at: start)
        }
        let problem = #expect(throws: Problem.self) {
            try command.execute(on: reports, LightReport.name("more"), at: start)
        }
        #expect(problem?.type == .serverLimitReached)
    }

    @Test func `an invalid name is rejected`() {
        #expect(throws: Problem.self) { try LightReport.name("a b") }
    }
}
