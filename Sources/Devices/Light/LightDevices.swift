// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import HTTPClient
package import Support

/// Reads light sensors that have a web server of their own, all on one thread.
///
/// ```
///   device ──HTTP──► the thread: libcurl ──► DeviceConnection ──► DeviceSensor ──► AmbientService
/// ```
package final class LightDevices: SensorSource {
    /// The maximum speed at which a device's bytes are read. One sensor sends less than 1 KiB a second.
    private static let bytesPerSecond = 65_536
    /// The maximum number of bytes that are read at once.
    private static let longestPiece = 262_144

    /// The sensors, in the order of the URLs.
    let sensors: [DeviceSensor]
    private let urls: [LightDeviceURL]
    private let version: String
    private let now: @Sendable () -> Instant
    private let poster: NotificationPoster
    private let thread: LoopThread

    /// - Parameters:
    ///   - version: The daemon's, which the devices are sent.
    ///   - now: Reads the clock, which counts the time in which the machine sleeps.
    package init(
        _ urls: [LightDeviceURL],
        version: String,
        now: @escaping @Sendable () -> Instant,
        poster: NotificationPoster
    ) throws(ThreadError) {
        self.urls = urls
        self.version = version
        self.now = now
        self.poster = poster
        sensors = urls.map { DeviceSensor($0, now: now) }
        thread = try LoopThread()
    }

    package func sensors(at now: Instant) -> [any AmbientSensor]? { sensors }

    /// Starts the thread, unless there is no device. Call it once.
    package func start() throws(ThreadError) {
        guard !urls.isEmpty else { return }
        try thread.start(named: "light-devices") {
            var loop = Loop(self)
            loop.run()
        }
    }

    /// Ends the thread soon. Returns at once.
    package func stop() { thread.stop() }

    private struct Loop {
        let devices: LightDevices
        var connections: [DeviceConnection]
        var transfers: [Transfer?]
        var group: TransferGroup?

        init(_ devices: LightDevices) {
            self.devices = devices
            let now = devices.now()
            connections = zip(devices.urls, devices.sensors).map { url, sensor in
                DeviceConnection(url, sensor, at: now) { .random(in: 0...1) }
            }
            transfers = Array(repeating: nil, count: connections.count)
        }

        mutating func run() {
            while !devices.thread.isStopping {
                group?.perform()
                let now = devices.now()
                for index in connections.indices { serve(index, at: now) }
                wait(at: devices.now())
            }
        }

        /// Reads what a device has sent, then opens or closes its connection as time and the answer require.
        private mutating func serve(_ index: Int, at now: Instant) {
            if let transfer = transfers[index] {
                let head = transfer.status == 0 ? nil : transfer.head
                connections[index].receive(transfer.takeBytes(), head: head, at: now)
                if let outcome = group?.takeOutcome(of: transfer) { connections[index].end(outcome, at: now) }
            }
            let mustOpen = connections[index].check(at: now)
            if mustOpen || !connections[index].isOpen { close(index) }
            if mustOpen {
                do throws(TransferFailure) {
                    try open(index)
                } catch {
                    connections[index].end(.failed(error), at: now)
                }
            }
            for line in connections[index].takeLogLines() {
                let id = connections[index].sensor.id
                switch line {
                case .reads: devices.poster.post(.notice(.sensor(id, failure: nil)))
                case .fails(let reason): devices.poster.post(.notice(.sensor(id, failure: reason)))
                }
            }
        }

        private mutating func open(_ index: Int) throws(TransferFailure) {
            var request = Transfer.Request(connections[index].url.request)
            request.fields = [
                "Accept: text/event-stream, application/json", "User-Agent: brightnessd/\(devices.version)",
            ]
            // A device in the room, not a site behind a proxy.
            request.usesProxy = false
            request.longestResponse = LightDevices.longestPiece
            request.bytesPerSecond = LightDevices.bytesPerSecond
            if group == nil { group = try TransferGroup() }
            let transfer = try Transfer(request)
            group?.add(transfer)
            transfers[index] = transfer
            // It has a deadline of its own from now on, of which `wait` knows.
            group?.perform()
        }

        private mutating func close(_ index: Int) {
            guard let transfer = transfers[index] else { return }
            group?.remove(transfer)
            transfers[index] = nil
        }

        /// Waits for bytes of a device, or for the next deadline.
        private func wait(at now: Instant) {
            let next = connections.map(\.deadline).min() ?? now
            let milliseconds = Int32(clamping: max(Int((next - now) / .milliseconds(1)) + 1, 0))
            if let group {
                if group.wait(andFor: devices.thread.wakeDescriptor.descriptor, atMost: milliseconds) {
                    devices.thread.wakeDescriptor.silence()
                }
            } else {
                devices.thread.wakeDescriptor.wait(atMost: milliseconds)
            }
        }
    }
}

extension Transfer {
    fileprivate var head: DeviceConnection.Head {
        DeviceConnection.Head(status: status, mediaType: mediaType, isEncoded: hasField("Content-Encoding"))
    }
}
