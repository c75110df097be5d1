// SPDX-License-Identifier: Apache-2.0
import Logging
import MQTT
import MQTTBridge
import ServiceLifecycle

/// Keeps the connection to the MQTT broker; at the end, when the displays are put back and that is published, says goodbye.
struct BrokerKeeper: Service {
    let connection: Connection
    let bridge: @Sendable (_ wake: @escaping @Sendable () -> Void) -> any Correspondent

    func run() async throws {
        try connection.start { bridge { connection.wake() } }
        try await gracefulShutdown()
        await connection.stop()
    }
}

/// Ends that commands come over MQTT, before the displays are put back.
struct EarKeeper: Service {
    let ear: Bridge.Ear

    func run() async throws {
        try await gracefulShutdown()
        ear.close()
    }
}
