// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

/// Leases, power and restores from the bodies of requests.
@Suite struct LeaseCommandTests {
    private func body(_ json: String, by holder: String? = nil) throws -> RequestBody {
        try RequestBody(parsing: Array(json.utf8), by: holder)
    }

    private func request(_ kind: LeaseKind?, _ json: String, _ lifespan: LeaseLifespan = .custom) throws
        -> LeaseRequest?
    {
        var body = try body(json, by: "page")
        body.defaultLifespan = lifespan
        let command = try Command.lease(kind, from: body)
        return if case .grant(let request) = command.action { request } else { nil }
    }

    @Test(arguments: LeaseKind.allCases)
    func `a kind in the body is the shortcut of that kind`(kind: LeaseKind) throws {
        #expect(try request(nil, #"{"kind":"\#(kind.rawValue)","ttl":7}"#) == request(kind, #"{"ttl":7}"#))
        #expect(try request(kind, "{}")?.level?.brightness == kind.defaultBrightness)
    }

    @Test(arguments: [
        (nil as LeaseKind?, "{}", "/kind"), (.boost, #"{"kind":"boost"}"#, "/kind"),
        (.sleep, #"{"lifespan":"lifetime"}"#, "/lifespan"), (.sleep, #"{"lifespan":"visible"}"#, "/ttl"),
        (.wake, #"{"ttl":3601}"#, "/ttl"), (.dim, #"{"ttl":86401}"#, "/ttl"),
        (.sleep, #"{"brightness":0}"#, "/brightness"),
        (.dim, #"{"holder":"presence"}"#, "/holder"), (.boost, #"{"holder":"preset:qr"}"#, "/holder"),
        (.wake, #"{"holder":"preset"}"#, "/holder"),
    ])
    func `an impossible lease is rejected with the place of the fault`(
        kind: LeaseKind?,
        json: String,
        pointer: String
    ) throws {
        do {
            _ = try request(kind, json)
            Issue.record("\(json) is accepted")
        } catch let problem as Problem {
            #expect(problem.type == .invalidBody)
            #expect(problem.errors.map(\.pointer) == [pointer])
        }
    }

    @Test func `a sleep has a time limit whatever its lifespan`() throws {
        #expect(try request(.sleep, "{}")?.ttl == .seconds(300))
        #expect(try request(.sleep, "{}", .visible)?.ttl == .seconds(300))
        #expect(try request(.sleep, #"{"lifespan":"visible","ttl":5}"#)?.ttl == .seconds(5))
        #expect(try request(.dim, "{}", .visible)?.ttl == nil)
    }

    @Test func `a renewal reads what a request reads`() throws {
        let json = #"{"percent":70,"ttl":60,"lifespan":"visible","reason":"qr","transition":2}"#
        let command = try Command.renew(LeaseID("x"), from: body(json, by: "page"))
        guard case .renew(let id, let change) = command.action else {
            Issue.record("\(command.action)")
            return
        }
        #expect((id, command.by, command.transition) == (LeaseID("x"), nil, .seconds(2)))
        let level = BrightnessLevel.fraction(Brightness(clamping: 0.7))
        #expect(change == LeaseRenewal(at: level, lifespan: .visible, ttl: .seconds(60), reason: "qr"))
    }

    @Test(arguments: [
        ("{}", [""]), (#"{"transition":1}"#, [""]), (#"{"lifespan":null,"reason":null}"#, [""]),
        (#"{"ttl":60,"kind":"dim"}"#, ["/kind"]), (#"{"ttl":60,"holder":"me"}"#, ["/holder"]),
        (#"{"ttl":0,"lifespan":"forever"}"#, ["/lifespan", "/ttl"]), (#"{"raw":1,"percent":1}"#, [""]),
    ])
    func `an impossible renewal is rejected with the place of each fault`(json: String, pointers: [String]) throws {
        do {
            _ = try Command.renew(LeaseID("x"), from: body(json))
            Issue.record("\(json) is accepted")
        } catch let problem as Problem {
            #expect(problem.errors.map(\.pointer).sorted() == pointers)
        }
    }

    @Test(arguments: [
        (#"{"ttl":7}"#, nil as String?, nil as String?), (#"{"ttl":7}"#, "token", nil),
        (#"{"ttl":7,"holder":"film"}"#, "token", "film"), (#"{"ttl":7,"holder":"token"}"#, "token", "token"),
    ])
    func `a held preset without a holder never has that of the caller`(
        json: String,
        owner: String?,
        holder: String?
    ) throws {
        let name = try #require(ResourceName("night"))
        guard case .apply(let request) = try Command.apply(name, from: body(json, by: owner)).action else {
            Issue.record("no preset")
            return
        }
        #expect(request.terms == PresetRequest.Terms(ttl: .seconds(7), holder: holder))
    }

    @Test(arguments: [
        ("{}", nil as String?, nil as String?, LeaseKind.boost as LeaseKind?),
        ("{}", "token", "token", .boost),
        (#"{"kind":"dim"}"#, "token", "token", .dim),
        (#"{"holder":"kiosk-3"}"#, "token", "kiosk-3", nil),
        (#"{"holder":"kiosk-3","kind":"sleep"}"#, nil, "kiosk-3", .sleep),
    ])
    func `a restore without a holder releases a boost only`(
        json: String,
        owner: String?,
        holder: String?,
        kind: LeaseKind?
    ) throws {
        guard case .restore(let restored, let restoredKind) = try Command.restore(from: body(json, by: owner)).action
        else {
            Issue.record("no restore")
            return
        }
        #expect((restored, restoredKind) == (holder, kind))
    }
}
