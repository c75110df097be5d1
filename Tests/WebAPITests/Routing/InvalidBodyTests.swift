// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import WebAPI

/// Bodies that are not JSON, or have a value out of range, with a pointer to it.
@Suite struct InvalidBodyTests {
    private static let brightness = "/v1/brightness"
    private static let boost = "/v1/boost"
    private static let settings = "/v1/displays/panel-0/settings"
    private static let lease = "/v1/displays/panel-0/leases/" + String(repeating: "0", count: 32)

    @Test func `a body that is not JSON is 400`() async throws {
        try await serving(ServedApplication()) { daemon in
            for body in [
                "", " ", "{", "}", #"{"brightness":}"#, #"{"brightness":0.5"#, #"{"brightness":0.5}}"#,
                #"{"brightness":NaN}"#, "NaN", #"{"brightness":Infinity}"#, #"{"brightness":.5}"#,
                #"{"brightness":0x1}"#, "{'brightness':0.5}", #"{"brightness":0.5,}"#, "{\"brightness\":0.5}\0",
                #"{"brightness":0.5}{"brightness":0.6}"#, String(repeating: "{", count: 10_000),
                String(repeating: "[", count: 10_000), #"{"brightness":01}"#, #"{"brightness":1e400}"#,
                #"{"brightness":-1e400}"#, "{\"brightness\":\(String(repeating: "9", count: 5_000))}",
            ] {
                for (method, path) in [("PUT", Self.brightness), ("PATCH", Self.lease)] {
                    #expect(try daemon.refuse(400, method, path, body: body).pointers.isEmpty)
                }
            }
            for path in [Self.boost, "/v1/restore"] { try daemon.refuse(400, "POST", path, body: "{") }
            let place = try daemon.refuse(400, "PUT", Self.brightness, body: "{\n \"percent\": 70,\n}").body
            #expect(place.contains("line 3, column"))
        }
    }

    private static func quoted(_ count: Int) -> String { "\"\(String(repeating: "x", count: count))\"" }

    /// 33 points, and 400.
    private static let longCurves = [
        (0..<33).map { "[\(Double($0) / 32),\(Double($0) / 33)]" },
        (0..<400).map { $0 % 2 == 0 ? "[0,0.03]" : "[1,0.8]" },
    ].map { "[\($0.joined(separator: ","))]" }

    private static let configuration = "/v1/configuration"
    private static let day = #"{"name":"day","displays":{"all":{"on":true}}}"#
    private static let tooMany =
        "[\((0...64).map { day.replacing("day", with: "day \($0)") }.joined(separator: ","))]"

    /// - pointer: `nil` if several would be right.
    /// - body: With `@` in the place of each value.
    private typealias Row = (method: String, path: String, pointer: String?, body: String, values: [String])

    private static let rows: [Row] = [
        (
            "PUT", brightness, "/brightness", #"{"brightness":@}"#,
            ["2", "1.0000001", "-0.0000001", #""0.5""#, "true", "null", "[0.5]", "{}"]
        ),
        ("PUT", brightness, "/percent", #"{"percent":@}"#, ["101", "-1"]),
        ("PUT", brightness, "/raw", #"{"raw":@}"#, ["1000000", "-1", "1.5", "1e30", "101"]),
        ("PUT", brightness, "/transition", #"{"brightness":0.6,"transition":@}"#, ["3600.1", "-1"]),
        (
            "PUT", brightness, "/holder", #"{"brightness":0.6,"holder":@}"#,
            [
                #""""#, quoted(129), "3", #""kiosk\u0000""#, #""\u009b2Jkiosk""#, #""kiosk\u202e3""#, #""\u200b""#,
                #""kiosk\ufeff""#,
            ]
        ),
        (
            "PUT", brightness, "/reason", #"{"brightness":0.6,"reason":@}"#,
            [quoted(257), #""a\nb""#, "7", #""kiosk\u2066""#]
        ),
        ("PUT", brightness, "/brightnes", #"{"brightness":0.6,"brightnes":@}"#, ["0.5"]),
        ("PUT", brightness, "/a~1b~0c", #"{"brightness":0.6,"a/b~c":@}"#, ["0"]),
        ("PUT", brightness, "/ttl", #"{"brightness":0.6,"ttl":@}"#, ["5"]),
        ("PUT", brightness, "", "@", ["{}", #"{"reason":"qr"}"#, "[]", "0.5", #""0.5""#, "null"]),
        ("PUT", brightness, nil, #"{"brightness":0.6,"percent":@}"#, ["60"]),
        ("PATCH", brightness, "/delta", #"{"delta":@}"#, ["1.5", #""up""#]),
        ("PATCH", brightness, "/transition", #"{"delta":-0.1,"transition":@}"#, [#""1""#]),
        ("PATCH", brightness, nil, "@", [#"{"brightness":0.6}"#, "{}"]),
        ("POST", boost, "/brightness", #"{"brightness":@}"#, ["1.5"]),
        ("POST", boost, "/raw", #"{"raw":@}"#, ["101"]),
        ("POST", boost, "/ttl", #"{"ttl":@}"#, ["0", "-5", "3600.001", #""60""#]),
        ("POST", boost, "/holder", #"{"holder":@}"#, [#""""#, quoted(129), #""idle""#, #""kiosk\u0000""#]),
        ("POST", boost, "/holder", "@", [#"{"lifespan":"visible"}"#]),
        ("POST", boost, "/lifespan", #"{"lifespan":@}"#, [#""forever""#, "1"]),
        ("POST", boost, "/transition", #"{"transition":@}"#, ["true"]),
        ("POST", boost, "/reason", #"{"reason":@}"#, [quoted(257), "7"]),
        ("POST", boost, "", "@", [#"["boost"]"#]),
        ("POST", "/v1/leases", "/kind", "@", ["{}", #"{"kind":"bright"}"#]),
        ("POST", "/v1/sleep", "/lifespan", "@", [#"{"lifespan":"lifetime"}"#]),
        ("POST", "/v1/sleep", "/ttl", "@", [#"{"ttl":86401}"#, #"{"lifespan":"visible","holder":"a"}"#]),
        ("POST", "/v1/wake", "/ttl", #"{"ttl":@}"#, ["3601"]),
        ("POST", "/v1/wake", "/brightness", #"{"brightness":@}"#, ["1"]),
        ("POST", "/v1/dim", "/brightness", #"{"brightness":@}"#, ["70"]),
        ("POST", "/v1/dim", "/holder", #"{"holder":@}"#, [#""schedule:night""#, #""idle""#]),
        ("POST", "/v1/restore", "/holder", #"{"holder":@}"#, [#""""#, #""presence""#, #""idle""#, #""schedule:x""#]),
        ("POST", "/v1/restore", "/all", #"{"all":@}"#, ["1"]),
        ("POST", "/v1/restore", "/kind", #"{"kind":@}"#, [#""nap""#]),
        ("POST", "/v1/restore", "/everybody", #"{"everybody":@}"#, ["true"]),
        ("PUT", "/v1/auto", "/enabled", "@", [#"{"enabled":"yes"}"#, #"{"enabled":0}"#, "{}"]),
        ("PUT", "/v1/displays/all/auto", "/heldUntil", #"{"enabled":false,"heldUntil":@}"#, ["null"]),
        (
            "PUT", "/v1/location", "/latitude", "@",
            ["{}", #"{"latitude":"52.52","longitude":13.4}"#, #"{"latitude":90.1,"longitude":-180.1}"#]
        ),
        (
            "PUT", "/v1/location", "/longitude", "@",
            [#"{"latitude":52.52}"#, #"{"latitude":90.1,"longitude":-180.1}"#]
        ),
        ("PUT", "/v1/location", "/altitude", #"{"latitude":52.52,"longitude":13.4,"altitude":@}"#, ["34"]),
        ("PUT", "/v1/location", "/source", #"{"latitude":52.52,"longitude":13.4,"source":@}"#, [#""set""#]),
        (
            "PUT", settings, "/name", #"{"name":@}"#,
            [
                #""""#, #"" ""#, #"" Left""#, #""Left ""#, quoted(65), #""a\tb""#, #""a\nb""#, #""a\u007fb""#,
                #""a\u202eb""#, #""\ufffd""#, "7", "true", #"["Left"]"#, #"{"name":"Left"}"#,
            ]
        ),
        (
            "PUT", "/v1/schedules/night", "/transition", #"{"from":"22:00","to":"06:00","dim":0.2,"transition":@}"#,
            ["3600.1", "-1", "true"]
        ),
        ("PUT", configuration, "/version", "@", ["{}", #"{"version":2}"#, #"{"version":"1"}"#]),
        ("PUT", configuration, "/presets", #"{"version":1,"presets":@}"#, ["{}", "null", tooMany]),
        ("PUT", configuration, "/presets/1", #"{"version":1,"presets":[\#(day),@]}"#, ["1", day]),
        (
            "PUT", configuration, "/presets/1/name", #"{"version":1,"presets":[\#(day),@]}"#,
            ["{}", #"{"name":"a/b","displays":{"all":{"on":true}}}"#]
        ),
        (
            "PUT", configuration, "/presets/0/displays/all/brightness", #"{"version":1,"presets":[@]}"#,
            [#"{"name":"a","displays":{"all":{"brightness":2}}}"#]
        ),
        (
            "PUT", configuration, "/presets/0/displays/group:nothing", #"{"version":1,"presets":[@]}"#,
            [#"{"name":"a","displays":{"group:nothing":{"on":true}}}"#]
        ),
        (
            "PUT", configuration, "/schedules/0/dim", #"{"version":1,"schedules":[@]}"#,
            [#"{"name":"a","from":"22:00","to":"06:00","dim":2}"#]
        ),
        (
            "PUT", configuration, "/schedules/0/from", #"{"version":1,"schedules":[@]}"#,
            [#"{"name":"a","from":"sunset","to":"06:00","dim":0.2}"#, #"{"name":"a","to":"06:00","dim":0.2}"#]
        ),
        (
            "PUT", configuration, "/schedules/0/displays", #"{"version":1,"schedules":[@]}"#,
            [#"{"name":"a","displays":["tag:a"],"from":"22:00","to":"06:00","dim":0.2}"#]
        ),
        (
            "PUT", configuration, "/displays/0/display", #"{"version":1,"displays":[@]}"#,
            ["{}", #"{"display":"all"}"#, #"{"display":"group:hall"}"#]
        ),
        (
            "PUT", configuration, "/displays/0/position", #"{"version":1,"displays":[@]}"#,
            [#"{"display":"a","position":0}"#]
        ),
        ("PUT", configuration, "/displays/0/nmae", #"{"version":1,"displays":[@]}"#, [#"{"display":"a","nmae":"b"}"#]),
        ("PUT", configuration, "/location/latitude", #"{"version":1,"location":@}"#, [#"{"longitude":13.4}"#]),
        ("PUT", configuration, "/location", #"{"version":1,"location":@}"#, ["1", "[52.52,13.4]"]),
        ("PUT", configuration, "/leases", #"{"version":1,"leases":@}"#, ["[]"]),
        ("PUT", settings, "/position", #"{"position":@}"#, ["0", "10001", "1.5", #""1""#, "true"]),
        (
            "PUT", settings, "/curve", #"{"curve":@,"name":"Left"}"#,
            [
                #""""#, #""log""#, "1", "true", "{}", "[]", "[[0,0.03]]", "[[0,0.03],[1]]", "[[0,0.03],[1,0.8,1]]",
                "[[0.1,0.03],[1,0.8]]", "[[0,0.03],[0.9,0.8]]", "[[0,0.8],[1,0.03]]", "[[0,0.03],[0.5,0.03],[1,0.8]]",
                "[[0,0.03],[0.5,0.3],[0.5,0.4],[1,0.8]]", "[[0,-0.1],[1,0.8]]", "[[0,0.03],[1,1.1]]",
                #"[["0",0.03],[1,0.8]]"#, longCurves[0], longCurves[1],
            ]
        ),
    ]

    @Test func `an invalid value is 422 with a pointer to it`() async throws {
        try await serving(ServedApplication()) { daemon in
            for row in Self.rows {
                for value in row.values {
                    let body = row.body.replacing("@", with: value)
                    let pointers = try daemon.refuse(422, row.method, row.path, body: body).pointers
                    let isNamed = row.pointer.map { pointers.contains($0) } ?? !pointers.isEmpty
                    #expect(isNamed, "\(row.path) \(body): \(pointers)")
                }
            }
        }
    }

    @Test(arguments: [
        ("PUT", brightness, #"{"level":70}"#, "Did you mean brightness, percent or raw?"),
        ("PUT", brightness, #"{"value":70}"#, "Did you mean brightness, percent or raw?"),
        ("PUT", brightness, #"{"brightness":70}"#, #"send {\"percent\":70}"#),
        ("PATCH", brightness, #"{"percent":70}"#, #"{\"delta\":{\"percent\":-10}}"#),
        ("POST", boost, #"{"duration":60}"#, "Did you mean ttl?"),
        ("POST", "/v1/restore", #"{"holdr":"kiosk"}"#, "Did you mean holder?"),
        (
            "PUT", settings, "{}",
            #"Send name, curve or position, such as {\"name\":\"Left\"}; null is the device's own."#
        ),
        ("PUT", settings, #"{"nmae":"Left"}"#, "Did you mean name?"),
        ("PUT", settings, #"{"name":"Left","deviceName":"x"}"#, "It is not a setting; leave it out."),
        ("PUT", settings, #"{"name":"Left","holder":"idle"}"#, "reserved"),
    ])
    func `an invalid body names the remedy`(method: String, path: String, body: String, hint: String) async throws {
        try await serving(ServedApplication()) { daemon in
            let text = try daemon.refuse(422, method, path, body: body).body
            #expect(text.contains(hint), "\(text)")
        }
    }

    @Test(arguments: [
        ("boost", "page", "{}", ""), ("boost", "page", #"{"transition":1}"#, ""),
        ("boost", "page", #"{"ttl":60,"kind":"dim"}"#, "/kind"),
        ("boost", "page", #"{"ttl":60,"holder":"me"}"#, "/holder"),
        ("boost", "page", #"{"ttl":60,"brightness":70}"#, "/brightness"),
        ("boost", "page", #"{"ttl":60,"raw":101}"#, "/raw"),
        ("boost", "page", #"{"brightness":0.5,"ttl":3601}"#, "/ttl"), ("boost", "page", #"{"ttl":0}"#, "/ttl"),
        ("boost", "page", #"{"ttl":"x"}"#, "/ttl"), ("dim", nil, #"{"lifespan":"visible"}"#, "/lifespan"),
        ("wake", "page", #"{"ttl":60,"brightness":0.5}"#, ""), ("wake", "page", #"{"ttl":80000}"#, "/ttl"),
        ("sleep", "page", #"{"lifespan":"lifetime"}"#, "/lifespan"),
        ("sleep", "page", #"{"lifespan":"visible"}"#, "/lifespan"),
    ])
    func `an impossible change of a lease is 422`(kind: String, holder: String?, body: String, pointer: String)
        async throws
    {
        try await serving(ServedApplication()) { daemon in
            let request = holder.map { #"{"kind":"\#(kind)","holder":"\#($0)"}"# } ?? #"{"kind":"\#(kind)"}"#
            let path = try #require(try daemon.ask("POST", "/v1/leases", body: request).fields["location"])
            let before = try daemon.ask("GET", "/v1/leases").body
            #expect(try daemon.refuse(422, "PATCH", path, body: body).pointers == [pointer])
            #expect(try daemon.ask("GET", "/v1/leases").body == before)
        }
    }

    @Test func `the time limit depends on the kind`() async throws {
        try await serving(ServedApplication()) { daemon in
            for (kind, longest) in [("boost", 3_600), ("dim", 86_400), ("wake", 3_600), ("sleep", 86_400)] {
                func ttl(_ seconds: Int) -> String { #"{"ttl":\#(seconds)}"# }
                try daemon.refuse(422, "POST", "/v1/\(kind)", body: ttl(longest + 1))
                let lease = try daemon.ask("POST", "/v1/\(kind)", body: ttl(longest))
                let path = try #require(lease.fields["location"])
                #expect(try daemon.ask("PATCH", path, body: ttl(longest)).status == 200)
                try daemon.refuse(422, "PATCH", path, body: ttl(longest + 1))
            }
        }
    }

    @Test func `texts of the maximum length are accepted, and names that people write`() async throws {
        try await serving(ServedApplication()) { daemon throws in
            func text(_ character: Character, _ count: Int) -> String { String(repeating: character, count: count) }
            for (name, value) in [("holder", text("é", 128)), ("reason", text("🌞", 256)), ("reason", "")] {
                let body = #"{"brightness":0.6,"\#(name)":"\#(value)"}"#
                #expect(try daemon.ask("PUT", Self.brightness, body: body).status == 200)
            }
            for name in [text("a", 64), text("ö", 64), "Left/right", "50 % dim?", ".", "all"] {
                #expect(try daemon.ask("PUT", Self.settings, body: #"{"name":"\#(name)"}"#)["name"] == .string(name))
            }
        }
    }
}
