// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import MQTT
import MQTTBridge

struct BrokerOptions: OptionSection {
    static let title = "MQTT broker"

    let mqtt = DaemonOption.text(
        "mqtt",
        """
        MQTT broker URL. Publishes display state and accepts commands; the path is the prefix of the topics. mqtts \
        uses TLS. &tags=floor1,kiosk adds tags to the displays of this machine.
        """,
        form: "mqtt[s]://[user@]host[:port][/prefix][?node=name]",
        stated: "none; path: \(BrokerURL.defaultPrefix); node: the machine's name"
    )

    let mqttPasswordFile = DaemonOption.text(
        "mqtt-password-file",
        """
        File whose first line is the password of the URL's user. Alternative: the password itself in \
        \(BrokerSettings.passwordVariable).
        """,
        form: "path"
    )

    let mqttCAFile = DaemonOption.text(
        "mqtt-ca-file",
        "CA certificates (PEM) used to verify the broker.",
        form: "path",
        stated: "the system's"
    )

    let mqttDiscovery = DaemonOption(
        "mqtt-discovery",
        "Prefix of Home Assistant's discovery topics.",
        form: "prefix|none",
        stated: Discovery.defaultPrefix
    ) { TopicName.isPrefix($0) ? $0 : nil }

    let mirror = DaemonOption(
        list: "mirror",
        "Daemon at the broker whose displays are served here, too; prefix/+ for all daemons of a prefix; repeatable.",
        form: "prefix/node|prefix/+"
    ) { MirrorFilter($0) }
}

/// The MQTT broker and the credentials for it.
struct BrokerSettings {
    let url: BrokerURL
    /// Never logged.
    let password: String?
    /// `nil` for the system's CA certificates.
    let authorityFile: String?
    let topics: Topics
    let tags: [DisplayTag]
    /// The prefix of Home Assistant's discovery topics; `nil` disables discovery.
    let discovery: String?
    let mirrors: [MirrorFilter]
    /// The maximum number of mirrored displays, and of nodes.
    let mirrorLimit: Int

    /// Not an option: every user of the machine can read the command line.
    static let passwordVariable = "BRIGHTNESSD_MQTT_PASSWORD"

    /// Returns `nil` without `--mqtt`.
    ///
    /// - Parameter secret: The password of the variable.
    init?(_ all: OptionValues, secret: String?) throws(OptionError) {
        let (options, limit) = (all.mqtt, all.load.limit.mirrored)
        let (file, discovery) = (options.mqttPasswordFile, options.mqttDiscovery)
        (authorityFile, mirrors) = (options.mqttCAFile, options.mirror)
        mirrorLimit = limit ?? Bridge.defaultMirrorLimit
        self.discovery = discovery == "none" ? nil : discovery ?? Discovery.defaultPrefix
        guard let text = options.mqtt else {
            guard secret == nil, file == nil, authorityFile == nil, discovery == nil, mirrors.isEmpty,
                limit == nil
            else {
                throw OptionError("the MQTT options require a broker: set --mqtt")
            }
            return nil
        }
        // The text is not shown: it may contain a password.
        guard let url = BrokerURL(text) else {
            throw OptionError("--mqtt is not a URL like mqtts://user@broker.example/prefix?node=name")
        }
        guard !url.hasPassword else {
            throw OptionError(
                """
                every user of this machine can see a password in the URL of --mqtt. Leave mqtt://user@host, and put \
                the password into a file (--mqtt-password-file) or into \(Self.passwordVariable)
                """
            )
        }
        self.url = url
        password =
            try file.map { path throws(OptionError) in
                try SecretFile.firstLine(of: path, "--mqtt-password-file", "password")
            } ?? secret
        guard password == nil || url.user != nil else {
            throw OptionError("an MQTT password requires a user: --mqtt mqtt://user@host")
        }
        if let authorityFile, access(authorityFile, R_OK) != 0 {
            throw OptionError("cannot read --mqtt-ca-file \(authorityFile): \(String(cString: strerror(errno)))")
        }
        if authorityFile != nil, !url.isEncrypted {
            throw OptionError("--mqtt-ca-file requires TLS: --mqtt mqtts://…")
        }
        tags = url.tags.compactMap { DisplayTag($0) }
        guard tags.count == url.tags.count, tags.count <= DisplayTag.limit, Set(tags).count == tags.count else {
            throw OptionError(
                """
                the tags in the URL of --mqtt are at most \(DisplayTag.limit) different words of 1 to 32 letters, \
                digits and _ . -, such as ?node=lobby&tags=floor1,kiosk
                """
            )
        }
        topics = Topics(prefix: url.prefix, node: url.node ?? NodeName(ofMachine: Machine.name))
    }

    var connection: MQTTConnection.Settings {
        MQTTConnection.Settings(
            url: url,
            password: password,
            authorityFile: authorityFile,
            clientID: "brightnessd/\(topics.prefix)/\(topics.node)",
            will: Bridge.will(topics)
        )
    }
}
