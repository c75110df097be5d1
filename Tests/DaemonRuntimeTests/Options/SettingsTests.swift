// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import ESPHome
import HTTPServer
import TestSupport
import Testing
import WebAPI

@testable import DaemonRuntime

extension Settings {
    /// The settings from this command line and these variables only.
    init(_ given: [String: [String]] = [:], _ variables: [String: String] = [:]) throws {
        try self.init(OptionTexts(given, environment: { variables[$0] }))
    }
}

@Suite struct SettingsTests {
    private func failure(_ given: [String: [String]], _ variables: [String: String] = [:]) -> String? {
        do {
            _ = try Settings(given, variables)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `every option is a flag, a variable and a setting of its own`() throws {
        let entries = DaemonOptions.all.map(\.entry)
        #expect(Set(entries.map(\.name)).count == entries.count)
        #expect(entries.first?.name == "listen" && entries.last?.name == "log-format")
        let sections = Mirror(reflecting: DaemonOptions.declared).children.map { Mirror(reflecting: $0.value) }
        for (label, value) in sections.flatMap(\.children) where value is any DeclaredOption {
            let name = try #require(label).replacing("CAFile", with: "CaFile")
                .reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : "\($1)" }
            let entry = try #require(entries.first { $0.name == name })
            #expect(entry.variable == "BRIGHTNESSD_\(name.uppercased().replacing("-", with: "_"))")
        }
    }

    @Test func `help states the variable, its list syntax, and the default`() {
        let options = DaemonOptions.declared
        #expect(options.access.listen.entry.origin == "[env: BRIGHTNESSD_LISTEN; default: 127.0.0.1:8787]")
        #expect(options.displays.display.entry.origin == "[env: BRIGHTNESSD_DISPLAY, with commas; default: auto]")
        #expect(options.access.unix.entry.origin == "[env: BRIGHTNESSD_UNIX]")
    }

    /// Any of the broker's options requires a broker, so that its default is not its value.
    @Test func `the broker's defaults are those in the help text`() throws {
        let broker = ["mqtt": ["mqtt://broker.example"]], option = DaemonOptions.declared.mqtt.mqttDiscovery.entry
        let explicit = try Settings(broker.merging([option.name: [try #require(option.defaultText)]]) { $1 })
        #expect("\(try #require(explicit.broker))" == "\(try #require(Settings(broker).broker))")
    }

    @Test(arguments: [
        ("https://kiosk.example", "https://kiosk.example"), ("https://kiosk.example/", "https://kiosk.example"),
        ("HTTP://Kiosk.Example:3000/", "http://kiosk.example:3000"), ("null", nil), ("*", nil), ("kiosk.example", nil),
        ("https://kiosk.example/x", nil), ("https://", nil), ("https:///", nil), ("://kiosk.example", nil),
        ("https://a@kiosk.example", nil), ("https://*.example", nil),
    ])
    func `an origin has a scheme and a host`(text: String, origin: String?) {
        #expect((try? Settings(["allow-origin": [text]]))?.pages.allowOrigin.first == origin)
    }

    @Test func `an unknown variable is named with the nearest option`() {
        let names = ["PATH", "BRIGHTNESSD_LISTN", "BRIGHTNESSD_MQTT_PASSWORD", "BRIGHTNESSD_LISTEN", "BRIGHTNESSD_X"]
        #expect(
            OptionTexts.warnings(about: names) == [
                "unknown variable BRIGHTNESSD_LISTN. Did you mean BRIGHTNESSD_LISTEN?",
                "unknown variable BRIGHTNESSD_X",
            ]
        )
    }

    @Test func `the command line has priority over a variable, and an empty variable is none`() throws {
        let variables = [
            "BRIGHTNESSD_LISTEN": "127.0.0.1:9000", "BRIGHTNESSD_SHARDS": "", "BRIGHTNESSD_BOOST_CAP": "0.5",
        ]
        let settings = try Settings(["listen": ["127.0.0.1:9001"]], variables)
        #expect(settings.access.listen == ListenAddress("127.0.0.1:9001"))
        #expect(settings.load.shards == nil)
        #expect(settings.displays.boostCap.fraction == 0.5)
    }

    @Test func `a variable separates the items of a list by commas`() throws {
        let settings = try Settings([:], ["BRIGHTNESSD_ALLOW_HOST": "kiosk.example, lobby.example"])
        #expect(settings.pages.allowHost == ["kiosk.example", "lobby.example"])
        #expect(
            try Settings(["allow-host": ["a.example", "b.example"]]).pages.allowHost == ["a.example", "b.example"]
        )
    }

    @Test(arguments: [
        ("listen", "127.0.0.1:65536"), ("shards", "0"), ("shards", "257"), ("display", "nonsense"),
        ("min-brightness", "nan"), ("boost-cap", "1.1"), ("anonymous", "admin"), ("on-exit", "explode"),
        ("on-boot", "explode"),
        ("log-level", "loud"),
        ("allow-origin", "kiosk.example"), ("auto", "yes"), ("auto-hold", "-1"), ("auto-curve", "1:0.5,10:0.4"),
        ("limit", "writes=1000001"), ("limit", "writes=0"), ("limit", "writes"), ("limit", "mirrored=none"),
        ("limit", "x=1"),
        ("transition", "3601"), ("state-directory", ""),
    ])
    func `an invalid value is named with its flag; a variable's value is not shown`(name: String, text: String) throws {
        let option = try #require(DaemonOptions.all.map(\.entry).first { $0.name == name })
        let valid = option.values
        let shown = "invalid value for --\(option.name): \"\(text)\"; expected \(valid) (see brightnessd serve --help)"
        #expect(failure([name: [text]]) == shown)
        guard !text.isEmpty else { return }
        let hidden = "invalid value in \(option.variable); expected \(valid) (see brightnessd serve --help)"
        #expect(failure([:], [option.variable: text]) == hidden)
    }

    // MARK: Access

    @Test(
        arguments: [
            ([:], .write), (["anonymous": ["read"]], .read), (["token-file": ["/tokens"]], nil),
            (["token-file": ["/tokens"], "anonymous": ["read"]], .read),
            (["listen": ["0.0.0.0:1"], "anonymous": ["write"]], .write),
            (["listen": ["0.0.0.0:1"], "token-file": ["/tokens"]], nil),
        ] as [([String: [String]], AccessPolicy.Anonymous?)]
    )
    func `clients without a token may write on loopback, and nothing next to tokens`(
        given: [String: [String]],
        anonymous: AccessPolicy.Anonymous?
    ) throws {
        let settings = try Settings(given)
        #expect(settings.anonymous == anonymous)
        #expect(settings.isOnLoopback == (given["listen"] == nil))
    }

    @Test func `an address beyond loopback requires tokens or a decision`() {
        #expect(
            failure(["listen": ["0.0.0.0:8787"]])?.hasPrefix("0.0.0.0:8787 can be reached from other machines") == true
        )
    }

    // MARK: Home Assistant without a broker

    private static let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    @Test(
        arguments: [
            (["esphome": ["6053"]], "127.0.0.1:6053", false), (["esphome": [":7000"]], "127.0.0.1:7000", false),
            (["esphome": ["localhost"]], "127.0.0.1:6053", false), (["esphome": ["6053"]], "0.0.0.0:6053", true),
            (["esphome": ["192.168.1.20:6054"]], "192.168.1.20:6054", true),
        ] as [([String: [String]], String, Bool)]
    )
    func `a port alone is on every address with a key, else on loopback`(
        given: [String: [String]],
        address: String,
        hasKey: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("\(Self.key)\n", to: "key")
        let settings = try Settings(given.merging(hasKey ? ["esphome-key-file": [file]] : [:]) { $1 })
        #expect(settings.esphome?.address.description == address)
        #expect((settings.esphome?.key != nil) == hasKey)
    }

    @Test func `an ESPHome server beyond loopback requires a key, and a key a server`() throws {
        let folder = try TemporaryFolder()
        let (good, bad) = (try folder.write(Self.key, to: "good"), try folder.write("hunter2", to: "bad"))
        #expect(try Settings([:]).esphome == nil)
        let open = ["esphome": ["0.0.0.0:6053"], "state-directory": ["none"]]
        #expect(failure(open)?.hasPrefix("0.0.0.0:6053 can be reached") == true)
        #expect(
            failure(["esphome-key-file": [good]]) == "the options for Home Assistant require a port: --esphome 6053"
        )
        let error = failure(["esphome": ["6053"], "esphome-key-file": [bad]])
        #expect(error?.hasPrefix("the file of --esphome-key-file contains no key") == true)
        #expect(error?.contains("hunter2") == false)
        #expect(failure(["esphome": ["6053"], "esphome-key-file": ["/none"]])?.hasPrefix("cannot read") == true)
    }

    @Test(
        arguments: [
            (nil, true, true), ("read", true, true), ("write", true, true), ("write[DP-*]", true, true),
            ("write[group:wall]", true, true), ("write[group:other]", true, false), ("admin", true, false),
            ("read[DP-1]", true, false), ("write[DP-1", true, false), ("write[]", true, false),
            ("everything", true, false), ("read", false, false),
        ] as [(String?, Bool, Bool)]
    )
    func `the scope of ESPHome clients is that of a token, without admin`(
        scope: String?,
        hasServer: Bool,
        isValid: Bool
    ) {
        var given = ["group": ["wall=DP-1,DP-2"]]
        if hasServer { given["esphome"] = ["6053"] }
        if let scope { given["esphome-scope"] = [scope] }
        #expect((failure(given) == nil) == isValid)
    }

    @Test func `pushed entities are different ones, and presence requires a time`() throws {
        let light = ["esphome": ["6053"], "home-assistant-light": ["sensor.a", "sensor.b"]]
        #expect(try Settings(light).homeAssistant.homeAssistantLight.map(\.text) == ["sensor.a", "sensor.b"])
        #expect(failure(["home-assistant-light": ["sensor.a"]])?.contains("--esphome 6053") == true)
        #expect(failure(["esphome": ["6053"], "home-assistant-light": ["sensor.A"]]) != nil)
        #expect(failure(light.merging(["home-assistant-presence": ["sensor.a"]]) { $1 })?.contains("twice") == true)
        let presence = ["esphome": ["6053"], "home-assistant-presence": ["binary_sensor.a"]]
        #expect(failure(presence)?.contains("requires --presence-wake") == true)
        #expect(failure(presence.merging(["presence-wake": ["60"]]) { $1 }) == nil)
        let many = (0...16).map { "sensor.a\($0)" }
        #expect(failure(["esphome": ["6053"], "home-assistant-light": many])?.contains("at most 16") == true)
    }

    @Test(
        arguments: [
            (["a=b", "c=b"], nil), (["a=b", "a=c"], "a can follow one display only"),
            (["a=b", "b=c"], "a cannot follow b, which is a follower itself: let all follow one"),
            (["a=b", "b=a"], "a cannot follow b"), (["a=a"], "id=leader"), (["a"], "id=leader"), (["a="], "id=leader"),
            (["=a"], "id=leader"), (["a=b=c"], "id=leader"), (["a=all"], "id=leader"), (["a=hall:b"], "id=leader"),
        ] as [([String], String?)]
    )
    func `a follower has one leader, which follows none`(pairs: [String], message: String?) throws {
        let failure = failure(["follow": pairs])
        #expect(message.map { failure?.contains($0) == true } ?? (failure == nil))
        if message == nil {
            let leader = DisplayID("b")!
            #expect(try Settings(["follow": pairs]).leaders == [DisplayID("a")!: leader, DisplayID("c")!: leader])
        }
    }

    // MARK: The broker

    @Test(arguments: ["mqtt-password-file", "mqtt-ca-file", "mqtt-discovery", "mirror"])
    func `options of the broker require a broker`(option: String) {
        let text = option == "mirror" ? "brightness/lobby" : "prefix"
        #expect(failure([option: [text]]) == "the MQTT options require a broker: set --mqtt")
    }

    @Test(
        arguments: [
            (["mqtt": ["broker.example"]], "--mqtt is not a URL"),
            (["mqtt": ["mqtt://lobby:hunter2@broker.example"]], "every user of this machine can see a password"),
            (["mqtt": ["mqtt://lobby@broker.example"], "mqtt-ca-file": ["/dev/null"]], "--mqtt-ca-file requires TLS"),
            (
                ["mqtt": ["mqtts://broker.example"], "mqtt-ca-file": ["/nowhere"]],
                "cannot read --mqtt-ca-file /nowhere"
            ),
            (
                ["mqtt": ["mqtt://lobby@broker.example"], "mqtt-password-file": ["/hunter2"]],
                "cannot read --mqtt-password-file: "
            ),
            (
                ["mqtt": ["mqtt://lobby@broker.example"], "mqtt-password-file": ["/dev/null"]],
                "the file of --mqtt-password-file contains no password"
            ),
        ] as [([String: [String]], String)]
    )
    func `a broker that cannot be used is named without its password`(given: [String: [String]], text: String)
        throws
    {
        let error = try #require(failure(given))
        #expect(error.hasPrefix(text))
        #expect(!error.contains("hunter2"))
    }

    @Test func `a password is read from the file's first line, else from its variable, and requires a user`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("hunter2\r\nsecond line\n", to: "password")
        let variables = ["BRIGHTNESSD_MQTT_PASSWORD": "from the variable"]
        let given: [String: [String]] = ["mqtt": ["mqtt://lobby@broker.example"]]
        #expect(try Settings(given, variables).broker?.password == "from the variable")
        #expect(
            try Settings(given.merging(["mqtt-password-file": [file]]) { $1 }, variables).broker?.password == "hunter2"
        )
        #expect(
            failure(["mqtt": ["mqtt://broker.example"]], variables)?.hasPrefix("an MQTT password requires a user")
                == true
        )
    }

    @Test func `none switches discovery and the journal off`() throws {
        let settings = try Settings([
            "mqtt": ["mqtt://broker.example"], "mqtt-discovery": ["none"], "state-directory": ["none"],
        ])
        #expect(settings.broker?.discovery == nil)
        #expect(settings.state.stateDirectory == nil)
    }

    @Test func `none disables a limit, also for commands over MQTT`() throws {
        #expect(try Settings(["limit": ["writes=none"]]).commandQuota == nil)
        #expect(try Settings().commandQuota != nil)
        #expect(try Settings(["limit": ["streams=none"]]).load.limit.streams.count == .max)
    }

    @Test func `limits are changed one by one, by repeated flags or one variable`() throws {
        let flags = try Settings([
            "limit": ["streams=3", "mirrored=5", "streams=4"], "mqtt": ["mqtt://broker.example"],
        ])
        #expect(flags.load.limit.streams.count == 4 && flags.broker?.mirrorLimit == 5)
        #expect(
            flags.load.limit.writes.count == ClientLimit.defaultWrites.count && flags.load.limit.writes.sparesLoopback
        )
        let variable = try Settings([:], ["BRIGHTNESSD_LIMIT": "connections=7, connects=none"]).load.limit
        #expect(variable.connections?.count == 7 && variable.connects.count == .max)
    }

    @Test func `help states the default of every limit`() throws {
        let limits = Limits()
        for limit in [limits.streams, limits.connects, limits.writes] {
            #expect(DaemonOptions.declared.load.limit.entry.meaning.contains("(\(limit.count))"))
        }
    }

    @Test func `groups come from repeated flags or from one variable`() throws {
        let flags = try Settings(["group": ["lobby=hall:*,lobby:*", "ground=tag:floor1"]])
        let variable = try Settings([:], ["BRIGHTNESSD_GROUP": "lobby=hall:*, lobby:*,ground=tag:floor1"])
        #expect(flags.groups.all.map(\.selector.description) == ["hall:*, lobby:*", "tag:floor1"])
        #expect(variable.groups == flags.groups)
        #expect(failure(["group": ["a=*", "a=b"]]) == "the group a is there twice (--group)")
        #expect(
            failure(["group": ["hall:*"]])?.hasPrefix("invalid value for --group: \"hall:*\"; expected name=") == true
        )
        #expect(failure([:], ["BRIGHTNESSD_GROUP": "hunter2"])?.contains("hunter2") == false)
    }

    @Test(arguments: [
        (["display": ["none", "auto"]], "--display none cannot be combined with another --display"),
        (["display": ["simulated", "simulated"]], "--display selects simulated twice"),
        (["pair": ["x=a+a"]], "--pair uses a twice"),
        (["pair": ["x=a+cec:0", "y=b+cec:0"]], "--pair uses cec:0 twice"),
        (["pair": ["x=a+b", "x=c+d"]], "--pair x: another display has this id"),
        (["pair": ["x=y+b", "y=c+d"]], "--pair y: another display has this id"),
    ])
    func `displays and pairs that cannot be together are refused`(given: [String: [String]], text: String) throws {
        #expect(failure(given) == text)
    }

    @Test(arguments: ["a b", "", "a,a", Array(repeating: "a", count: 17).joined(separator: ",")])
    func `invalid tags are refused`(tags: String) throws {
        let text = failure(["mqtt": ["mqtt://broker.example?node=a&tags=\(tags)x,\(tags)"]])
        #expect(text?.hasPrefix("the tags in the URL of --mqtt are at most 16 different words") == true)
        #expect(try Settings(["mqtt": ["mqtt://broker.example?tags=a,b"]]).broker?.tags.map(\.text) == ["a", "b"])
    }
}
