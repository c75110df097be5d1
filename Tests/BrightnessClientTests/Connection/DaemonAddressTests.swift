// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import BrightnessClient

@Suite struct DaemonAddressTests {
    @Test(
        arguments: [
            ("kiosk:8787", "http://kiosk:8787"), ("http://kiosk/", "http://kiosk"),
            ("https://kiosk/displays//", "https://kiosk/displays"),
            ("[::1]:8787", "http://[::1]:8787"),
        ]
    )
    func `a server without a scheme is http`(text: String, url: String) throws {
        #expect(try DaemonAddress(options: .init(server: text), environment: .init()).url == url)
    }

    @Test(arguments: ["", "file:///etc/passwd", "http://", "ftp://kiosk"])
    func `another scheme is refused`(text: String) {
        #expect(throws: ClientError.self) { try DaemonAddress(options: .init(server: text), environment: .init()) }
    }

    @Test func `options have priority over the environment, and a socket over a server`() throws {
        let environment = DaemonAddress.Settings(server: "http://a", socket: "/a")
        #expect(try DaemonAddress(options: .init(), environment: environment).name == "/a")
        #expect(try DaemonAddress(options: .init(server: "http://b"), environment: environment).name == "http://b")
        #expect(try DaemonAddress(options: .init(socket: "/b"), environment: environment).name == "/b")
        #expect(try DaemonAddress(options: .init(), environment: .init()).name == "http://127.0.0.1:8787")
        #expect(throws: ClientError.usage("--server and --unix exclude each other: give one of them.")) {
            try DaemonAddress(options: environment, environment: .init())
        }
    }

    @Test func `a token has no white space around it`() throws {
        #expect(try DaemonAddress(options: .init(), environment: .init(token: " secret\n")).token == "secret")
    }

    @Test(arguments: [" ", "two words", "line\nbreak", "naïve", "wall:read:secret", "wall:read,write:secret"])
    func `a token that is not a secret is refused`(token: String) {
        #expect(throws: ClientError.self) { try DaemonAddress(options: .init(), environment: .init(token: token)) }
    }

    @Test func `an id is percent-encoded`() {
        #expect(Target.display("DP-2_a.b~").state.path == "/v1/displays/DP-2_a.b~")
        #expect(Target.display("a/ü?").state.path == "/v1/displays/a%2F%C3%BC%3F")
    }

    @Test func `a target decides the path`() {
        #expect(Target(nil).state.path == "/v1/brightness")
        #expect(Target("all").state.path == "/v1/displays")
        #expect(Target("group:lobby").state.path == "/v1/displays?group=lobby")
        let (boost, restore) = (Command(.grant(LeaseRequest())), Command(.restoreAll(), by: "a\"b"))
        #expect(Target(nil).request(boost).path == "/v1/boost")
        #expect(Target("all").request(boost).path == "/v1/displays/all/boost")
        #expect(Target("DP-2").request(restore).path == "/v1/displays/DP-2/restore")
        #expect(Target("group:lobby").request(restore).path == "/v1/groups/lobby/restore")
        #expect(Target(nil).request(restore).body == #"{"all":true,"holder":"a\"b","reason":null}"#)
    }
}
