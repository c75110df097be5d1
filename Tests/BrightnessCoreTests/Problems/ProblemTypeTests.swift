// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite struct ProblemTypeTests {
    @Test(arguments: ProblemType.allCases)
    func `a gateway passes on a problem with its type`(type: ProblemType) throws {
        let error = CommandError.remote(problem: type.rawValue, detail: "It failed.")
        let problem = Problem(error, display: try #require(DisplayID("lobby:a")))
        #expect(problem.type == type)
        #expect(problem.detail == "It failed.")
    }

    @Test func `a gateway reports a problem name that it does not know as an unavailable display`() throws {
        let id = try #require(DisplayID("lobby:a"))
        #expect(Problem(.remote(problem: "from-tomorrow", detail: ""), display: id).type == .displayUnavailable)
    }

    @Test func `titles of problems are unique, have at most 30 characters and end without a full stop`() {
        let titles = ProblemType.allCases.map(\.title)
        #expect(Set(titles).count == titles.count)
        #expect(titles.allSatisfy { $0.count <= 30 && !$0.hasSuffix(".") })
    }

    @Test(arguments: [
        (#"{"percent":101}"#, "percent must be a number from 0 to 100, not 101."),
        (#"{"percent":"70"}"#, #"percent must be a number from 0 to 100, not "70"."#),
        (#"{"brightness":1e300}"#, "brightness must be a number from 0 to 1, not 1e+300."),
        (#"{"raw":null}"#, "raw must be a whole number, not null."),
        (
            #"{"raw":1,"percen":70}"#,
            #"Unknown member "percen". Did you mean percent? "#
                + "The members are brightness, percent, raw, transition, holder and reason."
        ),
    ])
    func `the detail of an invalid body names the member and what is allowed`(body: String, detail: String) throws {
        let problem = try #require(throws: Problem.self) {
            _ = try Command.set(from: RequestBody(parsing: Array(body.utf8)))
        }
        #expect(problem.type == .invalidBody)
        #expect(problem.detail == detail)
    }
}
