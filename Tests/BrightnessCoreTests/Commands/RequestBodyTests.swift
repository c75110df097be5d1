// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

@testable import BrightnessCore

@Suite struct RequestBodyTests {
    private func problem(_ json: String, _ read: (RequestBody) throws -> Command) throws -> Problem {
        try #require(throws: Problem.self) { _ = try read(try RequestBody(parsing: Array(json.utf8))) }
    }

    @Test func `every fault of a body is reported`() throws {
        let problem = try problem(#"{"brightness":70,"ttl":"x","foo":1}"#) { try .lease(.boost, from: $0) }
        #expect(problem.errors.map(\.pointer) == ["/brightness", "/ttl", "/foo"])
        #expect(problem.detail.hasPrefix(problem.errors.first?.detail ?? "-"))
        #expect(problem.detail.contains("3 faults"))
    }

    @Test func `a byte-order mark is named`() throws {
        let problem = try problem("\u{FEFF}{\"brightness\":0.5}") { try .lease(.boost, from: $0) }
        #expect(problem.type == .invalidJSON)
        #expect(problem.detail.contains("begins with a byte-order mark (the bytes EF BB BF); send it without one"))
    }

    @Test func `at most 16 faults are reported`() throws {
        let members = (0..<100).map { "\"x\($0)\":1" }.joined(separator: ",")
        let problem = try problem("{\(members)}") { try .lease(.boost, from: $0) }
        #expect(problem.errors.count == RequestBody.mostFaults)
    }

    @Test(arguments: [
        (#"{"level":70}"#, "/level", "Did you mean brightness, percent or raw?"),
        (#"{"Percent":70}"#, "/Percent", "Did you mean percent?"),
        (#"{"brightnes":0.7}"#, "/brightnes", "Did you mean brightness?"),
        (#"{"xyz":1,"percent":5}"#, "/xyz", "The members are brightness, percent, raw, transition, holder and reason."),
        (#"{"brightness":70}"#, "/brightness", #"For percent, send {"percent":70}."#),
        (#"{"delta":0.1}"#, "/delta", "PATCH (move)"),
        (#"{"brightness":0.5,"raw":5}"#, "", "only one of"),
        (#"{}"#, "", "Send one of brightness"),
    ])
    func `an invalid set names the remedy`(json: String, pointer: String, advice: String) throws {
        let problem = try problem(json) { try .set(from: $0) }
        #expect(problem.errors.map(\.pointer) == [pointer])
        #expect(problem.detail.contains(advice), "\(problem.detail)")
    }

    @Test(arguments: [
        (#"{"percent":70}"#, "/percent", #"{"delta":{"percent":-10}}"#),
        (#"{"delta":-10}"#, "/delta", #"{"delta":{"percent":-10}}"#),
        (#"{"delta":{"percent":101}}"#, "/delta/percent", "-100 to 100"),
        (#"{"delta":{}}"#, "/delta", "requires brightness"),
        (#"{"delta":{"brightness":0.1,"percent":10}}"#, "/delta", "only one"),
        (#"{}"#, "/delta", "delta is required"),
    ])
    func `an invalid step names the remedy`(json: String, pointer: String, advice: String) throws {
        let problem = try problem(json) { try .move(from: $0) }
        #expect(problem.errors.map(\.pointer) == [pointer])
        #expect(problem.detail.contains(advice), "\(problem.detail)")
    }

    @Test(arguments: [
        (#"{"delta":-0.1}"#, -0.1), (#"{"delta":{"percent":-10}}"#, -0.1), (#"{"delta":{"brightness":0.25}}"#, 0.25),
    ])
    func `delta is a fraction or has a unit`(json: String, wanted: Double) throws {
        let command = try Command.move(from: RequestBody(parsing: Array(json.utf8)))
        guard case .move(let delta) = command.action else { throw CancellationError() }
        #expect(delta == wanted)
    }

    @Test(arguments: [
        (#"{"brightness":0.5}"#, BrightnessLevel.fraction(.at(0.5))), (#"{"percent":50}"#, .fraction(.at(0.5))),
        (#"{"raw":480}"#, .step(480)), ("{}", .fraction(.full)),
    ])
    func `a boost has a brightness in any unit`(json: String, level: BrightnessLevel) throws {
        let command = try Command.lease(.boost, from: RequestBody(parsing: Array(json.utf8)))
        guard case .grant(let request) = command.action else { throw CancellationError() }
        #expect(request.level == level)
    }

    @Test func `a schedule and a curve are equal to those of their documents`() throws {
        let times = #"{"from":"18:00","to":"23:00","brightness":0.33333333,"transition":0.12345678}"#
        let name = try #require(ResourceName("eve"))
        let schedule = try Schedule(name, from: RequestBody(parsing: Array(times.utf8)))
        let document = ScheduleState(schedule: schedule, isActive: false, next: nil).json
        let root = try #require(JSONDocument(parsing: document)?.root)
        #expect(ScheduleState(reading: root)?.schedule == schedule)
        let curve = #"{"curve":[[0,0.0385416666],[1,1]]}"#
        let command = try Command.configure(from: RequestBody(parsing: Array(curve.utf8)))
        guard case .configure(let change) = command.action else { throw CancellationError() }
        let points = try #require(PanelCurve.Points([.init(0, 0.038542), .init(1, 1)]))
        #expect(change.curve == .some(.points(points)))
    }

    @Test func `invalid JSON is reported with its line and column`() throws {
        let problem = try problem("{'percent':70}") { try .set(from: $0) }
        #expect(problem.type == .invalidJSON)
        #expect(problem.detail.contains("line 1, column 2"))
    }

    @Test(arguments: [
        ("brightnes", "brightness"), ("BRIGHTNESS", "brightness"), ("trasnition", "transition"), ("reson", "reason"),
        ("zzz", nil), ("", nil), (String(repeating: "r", count: 100), nil),
    ])
    func `the nearest word has few typing errors`(word: String, nearest: String?) {
        #expect(Suggestion.nearest(to: word, among: ["brightness", "transition", "reason", "raw"]) == nearest)
    }
}
