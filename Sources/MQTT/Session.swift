// SPDX-License-Identifier: Apache-2.0
internal import CMosquitto
import Glibc

/// One connection of libmosquitto, from its attempt to its end. Used on its connection's thread.
///
/// Each attempt has its own session. So no undelivered message of an earlier session is sent after newer ones.
final class Session {
    enum Event {
        case accepted
        /// The broker's refusal of CONNECT, as an MQTT 5 reason code.
        case refused(code: Int32)
        case received(Publication)
        /// A message over `longestMessage`, which was discarded.
        case oversized(topic: String, bytes: Int)
        /// The broker acknowledged a message, or rejected it with a reason code.
        case published(message: Int32, code: Int32)
        case subscribed(message: Int32, isRefused: Bool)
        /// The connection ended. `code` is the broker's reason code, else libmosquitto's own error code.
        case dismissed(code: Int32)
    }

    /// `CONNECT`'s protocol level.
    enum Version: Int32 {
        case three = 4
        case five = 5
    }

    /// The outcome of an attempt to publish.
    enum Publishing {
        /// Sent. `published` will report this number.
        case underWay(message: Int32)
        /// libmosquitto does not send this message: it is invalid, or the broker's CONNACK excludes it. The connection
        /// continues.
        case rejected(String)
        case lost
    }

    /// The maximum length of a received message, in bytes. An MQTT 5 broker does not send longer ones.
    static let longestMessage = 524_288
    /// The number of events at which `read` stops.
    private static let burst = 64

    let version: Version
    private let handle: OpaquePointer
    /// The events since the last call of `takeEvents`.
    private(set) var events: [Event] = []
    /// The payload bytes received since the last `takeEvents`, including those of discarded messages.
    private var unreadBytes = 0
    /// The number of events after the last `read`.
    private var lastCount = 0
    /// The last error that libmosquitto logged, such as OpenSSL's message.
    private var lastComplaint: String?
    private let isEncrypted: Bool
    private var isConnected = false
    private var isAccepted = false

    /// - Throws: `.authorityFile` if the certificates cannot be read, `.unreachable` if libmosquitto is not available.
    init(_ settings: MQTTConnection.Settings, _ version: Version) throws(DisconnectReason) {
        if let trouble = Self.loadFailure { throw .unreachable(trouble) }
        self.version = version
        guard let handle = mosquitto_new(settings.clientID, true, nil) else {
            throw .unreachable("libmosquitto: \(String(cString: strerror(errno)))")
        }
        self.handle = handle
        isEncrypted = settings.url.isEncrypted
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version.rawValue)
        // Without it each small message waits for the acknowledgement of the previous one.
        mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        setCallbacks()
        if let user = settings.url.user { mosquitto_username_pw_set(handle, user, settings.password) }
        let will = settings.will
        mosquitto_will_set(handle, will.topic, Int32(will.payload.count), will.payload, 1, will.isRetained)
        guard isEncrypted else { return }
        if let file = settings.authorityFile {
            let code = mosquitto_tls_set(handle, file, nil, nil, nil, nil)
            guard code == 0 else { throw .authorityFile(path: file) }
        } else {
            mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
        }
    }

    /// Why libmosquitto cannot be loaded; `nil` if it is loaded.
    private static let loadFailure: String? = {
        if let trouble = cmosquitto_load() { return "libmosquitto cannot be loaded: \(String(cString: trouble))" }
        mosquitto_lib_init()
        return nil
    }()

    deinit { mosquitto_destroy(handle) }

    /// The socket; -1 without a connection.
    var socket: Int32 { mosquitto_socket(handle) }

    var wantsToWrite: Bool { mosquitto_want_write(handle) }

    /// Begins to connect. Blocks during the name lookup and the TCP connect.
    ///
    /// - Returns: libmosquitto's error code, 0 for success.
    func connect(_ settings: MQTTConnection.Settings) -> Int32 {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if version == .five {
            let kind = Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue)
            mosquitto_property_add_int32(&properties, kind, UInt32(Self.longestMessage))
        }
        let code = mosquitto_connect_bind_v5(
            handle,
            settings.url.host,
            Int32(settings.url.port),
            MQTTConnection.keepAliveSeconds,
            nil,
            properties
        )
        isConnected = code == 0
        return code
    }

    /// Reads from the socket, so that a burst of messages costs one turn. Returns libmosquitto's error code; other than
    /// 0, the connection is lost.
    func read() -> Int32 {
        var code: Int32
        var known: Int
        // The last read had several events, so this one may, too. One segment can carry all their acknowledgements.
        let isCorked = lastCount > 1
        if isCorked { cork(true) }
        defer {
            if isCorked { cork(false) }
            lastCount = events.count
        }
        repeat {
            known = events.count
            // libmosquitto ignores the 1. It reads one packet, or as many as it has messages in flight.
            code = mosquitto_loop_read(handle, 1)
        } while code == 0 && events.count > known && events.count < Self.burst && unreadBytes < Self.longestMessage
        return code
    }

    /// Holds back what is written to the socket, or sends it.
    private func cork(_ isCorked: Bool) {
        var value: Int32 = isCorked ? 1 : 0
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Stops recording libmosquitto's errors, which only a failed attempt reports. It formats a line for each packet
    /// otherwise.
    func stopLogging() { mosquitto_log_callback_set(handle, nil) }

    func write() -> Int32 { mosquitto_loop_write(handle, 1) }

    func keepAlive() -> Int32 { mosquitto_loop_misc(handle) }

    func takeEvents() -> [Event] {
        defer { (events, unreadBytes) = ([], 0) }
        return events
    }

    /// Subscribes. Returns the message's number, which `subscribed` will report.
    func subscribe(to subscription: MQTTSubscription) -> Int32? {
        var message: Int32 = 0
        var options: UInt32 = 0
        // Older versions have none.
        if version == .five {
            let retained =
                subscription.wantsRetained ? MQTT_SUB_OPT_SEND_RETAIN_ALWAYS : MQTT_SUB_OPT_SEND_RETAIN_NEVER
            options = MQTT_SUB_OPT_NO_LOCAL.rawValue | retained.rawValue
        }
        let code = mosquitto_subscribe_v5(handle, &message, subscription.filter, 1, Int32(options), nil)
        return code == 0 ? message : nil
    }

    /// Publishes with QoS 1 (at least once).
    func publish(_ publication: Publication) -> Publishing {
        var message: Int32 = 0
        var properties: OpaquePointer?
        if version == .five {
            if let type = publication.contentType {
                mosquitto_property_add_string(&properties, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), type)
            }
            if let topic = publication.responseTopic {
                mosquitto_property_add_string(&properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), topic)
            }
            if let data = publication.correlation {
                let kind = Int32(MQTT_PROP_CORRELATION_DATA.rawValue)
                mosquitto_property_add_binary(&properties, kind, data, UInt16(clamping: data.count))
            }
        }
        defer { mosquitto_property_free_all(&properties) }
        let code = mosquitto_publish_v5(
            handle,
            &message,
            publication.topic,
            Int32(publication.payload.count),
            publication.payload,
            1,
            publication.isRetained,
            properties
        )
        switch mosq_err_t(code) {
        case MOSQ_ERR_SUCCESS: return .underWay(message: message)
        case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE:
            return .rejected("the broker accepts no message of \(publication.payload.count) bytes")
        // A feature that the broker lacks according to its CONNACK, or a topic or property that it does not allow.
        case MOSQ_ERR_NOT_SUPPORTED, MOSQ_ERR_QOS_NOT_SUPPORTED, MOSQ_ERR_RETAIN_NOT_SUPPORTED, MOSQ_ERR_INVAL,
            MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_DUPLICATE_PROPERTY:
            return .rejected(String(cString: mosquitto_strerror(code)))
        default: return .lost
        }
    }

    /// Disconnects. The broker does not publish the last will then.
    func disconnect() { mosquitto_disconnect(handle) }

    // MARK: Errors

    /// Returns libmosquitto's text for a reason code of the broker.
    static func text(of code: Int32) -> String { String(cString: mosquitto_reason_string(code)) }

    /// Returns the reason for an error code that libmosquitto has just returned.
    func failure(_ code: Int32, host: String) -> DisconnectReason {
        let number = errno
        switch mosq_err_t(code) {
        case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP: return .unknownHost(host)
        case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE: return tlsFailure
        // A TLS failure, too, found while reading. `errno` may be that of the alert which OpenSSL then sends.
        case MOSQ_ERR_ERRNO where isEncrypted && (isConnected || number == EPROTO): return tlsFailure
        case MOSQ_ERR_ERRNO where number == EPIPE: return .lost
        case MOSQ_ERR_ERRNO: return .unreachable(String(cString: strerror(number)))
        case MOSQ_ERR_CONN_LOST, MOSQ_ERR_NO_CONN: return .lost
        case MOSQ_ERR_KEEPALIVE: return .silent
        case MOSQ_ERR_MALFORMED_PACKET: return .malformed
        default: return .unreachable(String(cString: mosquitto_strerror(code)))
        }
    }

    private var tlsFailure: DisconnectReason {
        // "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed"
        let why = lastComplaint?.split(separator: ":").last.map(String.init)
        // A broker that stops, or a network that breaks, does not end TLS first.
        if isAccepted, why == nil || why == "unexpected eof while reading" { return .lost }
        return .untrusted(why ?? "the handshake failed")
    }

    // MARK: Callbacks

    private func setCallbacks() {
        mosquitto_connect_v5_callback_set(handle) { _, me, code, _, _ in
            Session.of(me)?.acknowledged(code)
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, me, code, _ in
            Session.of(me)?.events.append(.dismissed(code: code))
        }
        mosquitto_publish_v5_callback_set(handle) { _, me, message, code, _ in
            Session.of(me)?.events.append(.published(message: message, code: code))
        }
        mosquitto_subscribe_v5_callback_set(handle) { _, me, message, count, codes, _ in
            let isRefused = count < 1 || codes.map { $0[0] >= 0x80 } ?? true
            Session.of(me)?.events.append(.subscribed(message: message, isRefused: isRefused))
        }
        mosquitto_message_v5_callback_set(handle) { _, me, message, properties in
            guard let message, let session = Session.of(me) else { return }
            session.events.append(Event(message.pointee, properties))
            session.unreadBytes += Int(message.pointee.payloadlen)
        }
        mosquitto_log_callback_set(handle) { _, me, level, text in
            guard level == Int32(MOSQ_LOG_ERR), let text else { return }
            Session.of(me)?.lastComplaint = String(cString: text)
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Session? {
        context.map { Unmanaged<Session>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Notes the result of CONNECT. MQTT 3.1.1 has other codes for the same refusals.
    private func acknowledged(_ code: Int32) {
        let refusals: [Int32: MQTT5Reason] = [
            1: .version, 2: .clientID, 3: .unavailable, 4: .credentials, 5: .forbidden,
        ]
        let reason = version == .three ? refusals[code]?.rawValue ?? code : code
        isAccepted = reason == 0
        events.append(isAccepted ? .accepted : .refused(code: reason))
    }
}

/// The reason codes of MQTT 5, section 2.4, that a person can act on.
enum MQTT5Reason: Int32 {
    case version = 0x84
    case clientID = 0x85
    case credentials = 0x86
    case forbidden = 0x87
    case unavailable = 0x88
    case takenOver = 0x8E
}

extension Session.Event {
    /// Copies a message unless it is too long: an MQTT 3.1.1 broker, or one that ignores the limit, sends up to 256
    /// MiB.
    fileprivate init(_ message: mosquitto_message, _ properties: OpaquePointer?) {
        let bytes = Int(message.payloadlen)
        self =
            bytes <= Session.longestMessage
            ? .received(Publication(message, properties))
            : .oversized(topic: message.topic.map { String(cString: $0) } ?? "", bytes: bytes)
    }
}

extension Publication {
    fileprivate init(_ message: mosquitto_message, _ properties: OpaquePointer?) {
        let count = Int(message.payloadlen)
        let topic = message.topic.map { String(cString: $0) } ?? ""
        let payload = message.payload.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
        guard properties != nil else {
            self.init(topic, payload, isRetained: message.retain)
            return
        }
        self.init(
            topic,
            payload,
            isRetained: message.retain,
            responseTopic: Self.text(MQTT_PROP_RESPONSE_TOPIC, in: properties),
            correlation: Self.data(MQTT_PROP_CORRELATION_DATA, in: properties),
            contentType: Self.text(MQTT_PROP_CONTENT_TYPE, in: properties)
        )
    }

    private static func text(_ kind: mqtt5_property, in properties: OpaquePointer?) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard mosquitto_property_read_string(properties, Int32(kind.rawValue), &text, false) != nil, let text else {
            return nil
        }
        defer { free(text) }
        return String(cString: text)
    }

    private static func data(_ kind: mqtt5_property, in properties: OpaquePointer?) -> [UInt8]? {
        var bytes: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        guard mosquitto_property_read_binary(properties, Int32(kind.rawValue), &bytes, &count, false) != nil else {
            return nil
        }
        defer { free(bytes) }
        return bytes.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(count))) } ?? []
    }
}
