// SPDX-License-Identifier: Apache-2.0
import Journal
import Support
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore
@testable import DaemonRuntime
@testable import Devices

/// The order of a shutdown and its effect on displays, with real displays and a real journal whose queues the test
/// runs.
@Suite struct ShutdownTests {
    /// The steps in order. Any thread.
    private final class Events: Sendable {
        private let list = Mutex<[String]>([])

        var all: [String] { list.withLock { $0 } }

        func add(_ event: String) { list.withLock { $0.append(event) } }
    }

    private struct Clients: ClientServer {
        let events: Events
        let hub: NotificationHub
        let ended = Latch()

        func stopAccepting() { events.add("stop accepting") }

        func drain(within limit: Duration) {
            events.add("end streams within \(limit), which have \(hub.source.shown ?? -1)")
        }
    }

    private struct Broker: PublishingSession {
        let events: Events
        let ended = Latch()

        func stop() { events.add("end the session") }
    }

    private static let id = DisplayID("edp")!

    private let events = Events()
    private let log = LogRecorder()
    private let hub = NotificationHub()
    private let panelQueue = ManualQueue()
    private let journalQueue = ManualQueue()
    private let displays: DisplayService
    private let panel: ScriptedPanel
    private let journal: JournalWriter
    private let history: HistoryRecorder

    /// One display at half its brightness, raised to full brightness by a boost.
    init() throws { try self.init(.backlight) }

    /// - Parameter power: The kind of the other panel of its pair, which has the power; `nil` for none.
    private init(_ kind: DisplayKind, switchedBy power: DisplayKind? = nil) throws {
        let range = BrightnessRange(maximum: 100)!
        let panel = ScriptedPanel(Self.id, kind: kind, range: range, step: 50)
        var served: any Panel = panel
        if let power {
            let other = ScriptedPanel(DisplayID("switch")!, kind: power, range: range, step: 50)
            served = PairedPanel(Self.id, brightness: panel, power: other)
        }
        self.panel = panel
        journal = JournalWriter(inMemory: .ofThisMachine(), on: journalQueue, now: { .start })
        let displays = try DisplayService(
            [.init(served, on: panelQueue)],
            .init(journal: journal),
            poster: hub.poster,
            source: hub.source,
            at: .start
        )
        self.displays = displays
        history = HistoryRecorder(journal, hub.source, leases: { displays.leases(of: $0)?.all }, now: { .start })
        displays.submit(Command(.grant(LeaseRequest())), to: Self.id, at: .start) { _ in }
        while panelQueue.runOne() || journalQueue.runOne() {}
        try #require(panel.step == 100)
    }

    /// - Parameter progress: Called while the shutdown waits for a latch, which it may open.
    private func stop(
        _ onExit: Restoring = .restore,
        hasBroker: Bool = true,
        hasFile: Bool = true,
        while progress: @escaping (String) -> Void
    ) {
        let clients = Clients(events: events, hub: hub)
        let broker = Broker(events: events)
        Shutdown(
            clients: clients,
            displays: displays,
            monitors: MonitorSource(
                program: nil,
                sysfsRoot: "/nonexistent",
                writesPerDay: 1,
                source: hub.source,
                now: { .start }
            ),
            televisions: TelevisionSource(source: hub.source, now: { Moment.start.instant }),
            sessions: hasBroker ? [broker] : [],
            history: history,
            records: hasFile ? journal : nil,
            onExit: onExit,
            logger: log.logger,
            now: { .start },
            wait: { [events] latch, limit in
                let place = latch === clients.ended ? "clients" : latch === broker.ended ? "broker" : "\(limit.left)"
                events.add("wait: \(place)")
                progress(place)
                var now = Countdown(.zero)
                return latch.wait(within: &now)
            }
        ).run()
    }

    /// Every part answers at the first wait.
    private func answer(_ place: String) {
        panelQueue.runAll()
        // The journal is last: a shutdown does not wait for it before.
        if place == "3.0 seconds" { journalQueue.runAll() }
    }

    @Test func `a shutdown stops accepting, restores displays, publishes that, ends streams, and then the journal`() {
        stop(while: answer)
        #expect(
            events.all == [
                "stop accepting", "wait: 2.0 seconds", "end the session",
                "end streams within 1.5 seconds, which have 50",
                "wait: clients", "wait: broker", "wait: 3.0 seconds",
            ]
        )
        #expect(panel.step == 50)
        #expect(log.all == ["notice stopping"])
    }

    @Test func `commands are rejected from the beginning of a shutdown`() {
        let answers = Mutex<[Bool]>([])
        stop { place in
            self.displays.submit(Command(.set(.fraction(.full))), to: Self.id, at: .start) { result in
                if case .failure(.stopping) = result { answers.withLock { $0.append(true) } }
            }
            self.answer(place)
        }
        #expect(answers.withLock { $0.count } == 4)
        #expect(panel.step == 50)
    }

    @Test func `without a broker only the streams are ended`() {
        stop(hasBroker: false, while: answer)
        #expect(!events.all.contains { $0.contains("session") || $0.contains("broker") })
    }

    @Test func `keep leaves the boost on the panel, and in the journal`() {
        let writes = panel.writes
        stop(.keep, while: answer)
        #expect(panel.writes == writes)
        #expect(displays.leases(of: Self.id)?.all.count == 1)
        #expect(log.all == ["notice stopping"])
    }

    @Test func `a hanging panel is abandoned, and the journal is closed`() {
        stop { place in if place == "3.0 seconds" { self.journalQueue.runAll() } }
        #expect(events.all.filter { $0.hasSuffix("seconds") } == ["wait: 2.0 seconds", "wait: 3.0 seconds"])
        #expect(
            log.all == [
                "notice stopping",
                "error edp was not restored in time; with a state directory the next start restores it",
            ]
        )
    }

    @Test(arguments: [(.ddc, nil), (.backlight, .ddc)] as [(DisplayKind, DisplayKind?)])
    func `a slow monitor has more time, after the end of the clients`(kind: DisplayKind, power: DisplayKind?) throws {
        let tests = try ShutdownTests(kind, switchedBy: power)
        tests.stop { place in
            if place == "8.0 seconds" { tests.panelQueue.runAll() }
            if place == "3.0 seconds" { tests.journalQueue.runAll() }
        }
        let waits = tests.events.all.filter { $0.hasPrefix("wait") }
        #expect(
            waits == ["wait: 2.0 seconds", "wait: clients", "wait: broker", "wait: 8.0 seconds", "wait: 3.0 seconds"]
        )
        #expect(tests.panel.step == 50)
        #expect(tests.log.all == ["notice stopping"])
    }

    @Test func `without a file, the end does not wait for a history that ends with the daemon`() {
        stop(hasFile: false) { _ in self.panelQueue.runAll() }
        #expect(events.all.last == "wait: broker")
        #expect(log.all == ["notice stopping"])
    }

    @Test func `a hanging journal is abandoned`() {
        stop { _ in self.panelQueue.runAll() }
        #expect(panel.step == 50)
        #expect(log.all == ["notice stopping", "error the state file could not be written in time"])
    }
}

extension NotificationSource {
    /// The step of the only display, as far as known.
    fileprivate var shown: Int? {
        let listener = listen(to: NotificationFilter([.state])) {}
        guard case .state(let state)? = listener.drain().first else { return nil }
        return state.step
    }
}
