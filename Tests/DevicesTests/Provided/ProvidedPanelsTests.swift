// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Support
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Devices

@Suite struct ProvidedPanelsTests {
    /// The displays whose records were removed.
    private final class Journal: DisplayJournal, RecordJournal {
        let forgotten = Mutex<[DisplayID]>([])

        func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void) {
            completion()
        }

        func keepSoon(_ record: DisplayRecord) {}
        func forget(_ id: DisplayID) { forgotten.withLock { $0.append(id) } }
        func store(_ document: [UInt8]?, _ key: RecordKey, completion: @escaping @Sendable () -> Void) { completion() }
    }

    private let hub = NotificationHub()
    private let journal = Journal()
    private let owner = Principal("kiosk-3")
    private let page = ProvidedDisplay.page(at: 0.1)

    private func record(goneSince: Moment? = nil) -> DisplayRecord {
        DisplayRecord(
            id: page.id,
            maximum: 200,
            baseline: Brightness(clamping: 0.3),
            baselineStep: 60,
            provided: ProvidedRecord(
                name: "Page",
                isDimmable: true,
                isSwitchable: true,
                principal: owner,
                goneSince: goneSince?.wall
            )
        )
    }

    /// A service that starts at `now` from a record.
    private func start(
        from record: DisplayRecord,
        isOfThisBoot: Bool = true,
        pairs: Pairs = Pairs([]),
        at now: Moment
    ) throws -> (DisplayService, ProvidedPanels) {
        let earlier = [page.id: RecoveredRecord(record, isOfThisBoot: isOfThisBoot)]
        let displays = try DisplayService([], .init(journal: journal, earlier: earlier), poster: hub.poster, at: now)
        return (displays, ProvidedPanels(displays, pairs: pairs, goingOnFrom: earlier, at: now))
    }

    private func provide(
        _ display: ProvidedDisplay,
        by client: any DisplayProvider,
        of principal: Principal? = nil,
        to panels: ProvidedPanels,
        at now: Moment
    ) async -> Result<DisplayState, ProvidingError> {
        await withCheckedContinuation { continuation in
            panels.provide(display, by: client, of: principal ?? owner, at: now) { continuation.resume(returning: $0) }
        }
    }

    private func withdraw(
        _ id: DisplayID,
        by client: (any DisplayProvider)? = nil,
        from panels: ProvidedPanels,
        at now: Moment
    ) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            do throws(ProvidingError) {
                try panels.withdraw(id, of: owner, by: client, at: now) { continuation.resume() }
            } catch {
                Issue.record(error)
                continuation.resume()
            }
        }
    }

    @Test func `a display of an earlier run waits for its client since it left`() throws {
        let (displays, _) = try start(from: record(goneSince: .start), at: .after(.seconds(3_600)))
        let state = try #require(displays.state(of: page.id))
        #expect((state.kind, state.name, state.range.maximum) == (.provided, "Page", 200))
        #expect((state.baseline.fraction, state.power.isSwitchable) == (0.3, true))
        #expect(state.unavailable == Unavailability(since: Moment.start.wall, isAbandoned: true))
        #expect((state.cause.kind, state.cause.at) == (.lost, Moment.start.wall))
    }

    @Test func `one whose client was there until the end waits since the start`() throws {
        let (displays, _) = try start(from: record(), at: .start)
        let state = try #require(displays.state(of: page.id))
        #expect(state.unavailable == Unavailability(since: Moment.start.wall, isAtLatest: true, isAbandoned: true))
    }

    @Test func `its client continues it, and gets the baseline`() async throws {
        let (displays, panels) = try start(from: record(), at: .start)
        let client = ProvidedPanelTests.Client()
        _ = try await provide(page, by: client, to: panels, at: .after(.seconds(5))).get()
        let refresh = Command(.refresh(as: .connected))
        let state = try await displays.perform(refresh, on: page.id, at: .after(.seconds(5))).get().state
        #expect(state.isAvailable && state.baseline.fraction == 0.3)
        #expect(client.applied.withLock { $0.map(\.step) } == [60])
    }

    /// Of this boot, a person switched it off; before that, the machine was off.
    @Test(arguments: [true, false])
    func `its client returns switched off, which only a wake from before the boot changes`(isOfThisBoot: Bool)
        async throws
    {
        let (before, earlier) = try start(from: record(), at: .start)
        _ = try await provide(page, by: ProvidedPanelTests.Client(), to: earlier, at: .start).get()
        let wake = LeaseRequest(.wake, ttl: .seconds(3_600), holder: "kiosk")
        _ = try await before.perform(Command(.grant(wake)), on: page.id, at: .start).get()
        var record = record()
        record.leases = before.leases(of: page.id)?.all ?? []

        let (displays, panels) = try start(from: record, isOfThisBoot: isOfThisBoot, at: .start)
        let client = ProvidedPanelTests.Client()
        _ = try await provide(.page(at: 0.1, isOn: false), by: client, to: panels, at: .after(.seconds(5))).get()
        let refresh = Command(.refresh(as: .connected))
        let state = try await displays.perform(refresh, on: page.id, at: .after(.seconds(5))).get().state
        #expect(state.power.isOn == !isOfThisBoot)
        #expect(client.applied.withLock { $0.contains(where: \.isOn) } == !isOfThisBoot)
    }

    @Test func `another principal cannot continue it`() async throws {
        let (_, panels) = try start(from: record(), at: .start)
        let other = await provide(page, by: ProvidedPanelTests.Client(), of: .anonymous, to: panels, at: .start)
        #expect(other == .failure(.taken(page.id)))
    }

    @Test func `a brightness set while its client is loaded again is shown by the next one`() async throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, at: .start)
        let client = ProvidedPanelTests.Client(answering: nil)
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        client.onApply.withLock { onApply in onApply = { panels.ended(client, at: .start) } }
        let set = Command(.set(.fraction(Brightness(clamping: 0.7))))
        let waiting = try await displays.perform(set, on: page.id, at: .start).get().state
        #expect((waiting.isAvailable, waiting.baseline.fraction, waiting.cause.kind) == (false, 0.7, .lost))

        let next = ProvidedPanelTests.Client()
        _ = try await provide(page, by: next, to: panels, at: .after(.seconds(1))).get()
        let refresh = Command(.refresh(as: .connected))
        let state = try await displays.perform(refresh, on: page.id, at: .after(.seconds(1))).get().state
        #expect((state.isAvailable, state.baseline.fraction) == (true, 0.7))
        #expect(next.applied.withLock { $0.map(\.step) } == [140])
    }

    @Test func `with another name and another maximum it keeps what people have chosen`() async throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, at: .start)
        let client = ProvidedPanelTests.Client()
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        let settings = DisplaySettings.Change(name: DisplayName("Lobby"), curve: .some(.perceptual))
        for action in [Command.Action.configure(settings), .setAutomatic(true), .setPower(false)] {
            _ = try await displays.perform(Command(action), on: page.id, at: .start).get()
        }
        let other = ProvidedDisplay(page.id, name: "Foyer", maximum: 10, isSwitchable: true, brightness: .full)
        _ = try await provide(other, by: client, to: panels, at: .start).get()
        let refresh = Command(.refresh(as: .connected))
        let state = try await displays.perform(refresh, on: page.id, at: .start).get().state
        #expect((state.range.maximum, state.automatic.isEnabled, state.power.isOn) == (10, true, false))
        let (kept, deviceName) = try #require(displays.settings(of: page.id))
        #expect((deviceName, kept.name?.text, kept.curve) == ("Foyer", "Lobby", .perceptual))
        #expect(client.applied.withLock { $0.last?.isOn } == false)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a schedule's dim is shown by a client as soon as it is back`() async throws {
        let (hub, clock) = (NotificationHub(health: Health()), ManualClock())
        let displays = try DisplayService([], poster: hub.poster, source: hub.source, at: .start)
        let panels = ProvidedPanels(displays, at: .start)
        let client = ProvidedPanelTests.Client()
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        panels.ended(client, at: .start)
        _ = await displays.perform(Command(.refresh(as: .lost)), on: page.id, at: .start)
        let midnight = try #require(ScheduleTime("00:00"))
        let dim = Schedule.Effect.lease(.dim, Brightness(clamping: 0.05))
        let always = Schedule(name: try #require(ResourceName("always")), from: midnight, to: midnight, effect: dim)
        let service = HolderService(
            displays,
            [Schedules(SchedulePlanner(UTC()), [ScheduleRecord(schedule: always)])],
            journal: journal,
            on: ImmediateQueue(),
            source: hub.source,
            poster: hub.poster,
            clock: .init(now: { clock.moment }, isSet: { _ in true })
        )
        let run = Task { await service.run(on: clock) }
        _ = try await clock.nextSleep()
        #expect(client.applied.withLock { $0 } == [])
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        _ = await displays.perform(Command(.refresh(as: .connected)), on: page.id, at: .start)
        _ = try await clock.nextSleep()
        _ = await displays.perform(Command(.refresh()), on: page.id, at: .start)
        #expect(client.applied.withLock { $0.last?.step } == 10)
        run.cancel()
        await run.value
    }

    @Test func `a display that waits for its client is listed, and leaves the daemon ready`() async throws {
        let hub = NotificationHub(health: Health(needsDisplay: true))
        var health: Health? { if case .health(let health) = hub.source.retained(.health) { health } else { nil } }
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, at: .start)
        let client = ProvidedPanelTests.Client()
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        panels.ended(client, at: .start)
        _ = await displays.perform(Command(.refresh(as: .lost)), on: page.id, at: .start)
        #expect(health?.waiting == [page.id] && health?.unavailable == [] && health?.isReady == true)
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        _ = await displays.perform(Command(.refresh(as: .connected)), on: page.id, at: .start)
        #expect(health?.waiting == [] && health?.isReady == true)
    }

    // MARK: Owners

    /// The record of a display of the machine that is not there now.
    private var ofMachine: DisplayRecord {
        DisplayRecord(id: page.id, maximum: 100, baseline: .full, baselineStep: 100, settings: .none)
    }

    @Test func `nobody provides the id of a record of the machine, nor removes it`() async throws {
        let (displays, panels) = try start(from: ofMachine, at: .start)
        let other = await provide(page, by: ProvidedPanelTests.Client(), to: panels, at: .start)
        #expect(other == .failure(.taken(page.id)))
        #expect(throws: ProvidingError.unknown(page.id)) {
            try panels.withdraw(page.id, of: owner, by: nil, at: .start) {}
        }
        displays.forget(page.id, of: owner)
        #expect(journal.forgotten.withLock { $0 } == [])
    }

    @Test func `a device takes the place of a provided display, whose client is notified`() async throws {
        let displays = try DisplayService([], .init(journal: journal), poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, at: .start)
        let client = ProvidedPanelTests.Client()
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        let boost = LeaseRequest(.boost, ttl: .seconds(600), holder: "qr")
        _ = try await displays.perform(Command(.grant(boost)), on: page.id, at: .start).get()
        let news = hub.source.listen(to: NotificationFilter([.lease, .display])) {}
        _ = news.drain()

        let panel = ScriptedPanel(page.id, range: BrightnessRange(maximum: 100)!, step: 40)
        try displays.add(.init(panel, on: ImmediateQueue()), at: .after(.seconds(1)))
        panels.giveWay(to: page.id)
        #expect(client.lost.withLock { $0 } == [page.id])
        let state = try #require(displays.state(of: page.id))
        #expect((state.kind, state.provider, state.step, state.boost == nil) == (.backlight, nil, 40, true))
        let ends = news.drain().compactMap { if case .lease(let event, _) = $0 { event.change } else { nil } }
        #expect(ends == [.stopped])
        let again = await provide(page, by: client, to: panels, at: .start)
        #expect(again == .failure(.taken(page.id)))
        let set = Command(.set(.fraction(Brightness(clamping: 0.7))))
        _ = try await displays.perform(set, on: page.id, at: .after(.seconds(2))).get()
        #expect(panel.step == 70)
    }

    @Test func `a device that is there at the start has its id, and begins without the record of the client`() throws {
        let earlier = [page.id: RecoveredRecord(record(), isOfThisBoot: true)]
        let panel = ScriptedPanel(page.id, range: BrightnessRange(maximum: 100)!, step: 40)
        let displays = try DisplayService(
            [.init(panel, on: ImmediateQueue())],
            .init(journal: journal, earlier: earlier),
            poster: hub.poster,
            at: .start
        )
        _ = ProvidedPanels(displays, goingOnFrom: earlier, at: .start)
        let state = try #require(displays.state(of: page.id))
        #expect((state.kind, state.baseline.fraction) == (.backlight, 0.4))
        #expect(journal.forgotten.withLock { $0 } == [page.id])
    }

    @Test(arguments: [(86_399, true), (86_400, false)])
    func `it is removed with its record after a day without a client, before or after the start`(
        seconds: Int,
        isKept: Bool
    ) async throws {
        let begin = Moment.after(.seconds(3_600))
        let (displays, panels) = try start(from: record(goneSince: .start), at: begin)
        panels.removeAbandoned(at: .after(.seconds(seconds)))
        if !isKept { while displays.state(of: page.id) != nil { await Task.yield() } }
        #expect(displays.displays == (isKept ? [page.id] : []))

        let (later, _) = try start(from: record(goneSince: .start), at: .after(.seconds(seconds)))
        #expect(later.displays == (isKept ? [page.id] : []))
        #expect(journal.forgotten.withLock { $0.contains(page.id) } == !isKept)
    }

    @Test func `one that left later than the clock shows is removed a day after the start`() throws {
        let earlier = [page.id: RecoveredRecord(record(goneSince: .after(.seconds(3_600))), isOfThisBoot: true)]
        let displays = try DisplayService([], .init(earlier: earlier), poster: hub.poster, at: .start)
        let queue = ImmediateQueue()
        let panels = ProvidedPanels(displays, goingOnFrom: earlier, queue: { _ in queue }, at: .start)
        #expect(displays.displays == [page.id])
        panels.removeAbandoned(at: .after(.seconds(86_400)))
        #expect(displays.displays == [])
    }

    @Test func `a person's change at the client during a boost's call overrides the boost`() async throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, at: .start)
        let client = ProvidedPanelTests.Client(answering: nil)
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        client.onApply.withLock { onApply in
            onApply = { [page] in
                try? panels.changed(page.id, brightness: Brightness(clamping: 0.3), isOn: nil, by: client)
                client.late.withLock { $0.removeFirst() }(true)
            }
        }
        let boost = Command(.grant(LeaseRequest(holder: "qr")))
        let state = try await displays.perform(boost, on: page.id, at: .start).get().state
        #expect((state.brightness.fraction, state.baseline.fraction) == (0.3, 0.3))
        #expect(state.boost?.isOverridden == true && state.cause.kind == .external)
    }

    /// The page was closed, or is loaded again.
    @Test(arguments: [false, true])
    func `a person's change at a client that leaves at once is not undone at the next one`(isReplaced: Bool)
        async throws
    {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, at: .start)
        let (client, next) = (ProvidedPanelTests.Client(), ProvidedPanelTests.Client())
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        let wake = Command(.grant(LeaseRequest(.wake, ttl: .seconds(3_600), holder: "kiosk")))
        _ = try await displays.perform(wake, on: page.id, at: .start).get()
        try panels.changed(page.id, brightness: Brightness(clamping: 0.3), isOn: false, by: client)
        if !isReplaced {
            panels.ended(client, at: .start)
            let seen = try await displays.perform(Command(.refresh()), on: page.id, at: .start).get().state
            #expect((seen.isAvailable, seen.power.isOn, seen.baseline.fraction) == (true, false, 0.3))
            let lost = try await displays.perform(Command(.refresh(as: .lost)), on: page.id, at: .start).get().state
            #expect((lost.isAvailable, lost.wake?.isOverridden) == (false, true))
        }
        _ = try await provide(page, by: next, to: panels, at: .after(.seconds(1))).get()
        let refresh = Command(.refresh(as: .connected))
        let state = try await displays.perform(refresh, on: page.id, at: .after(.seconds(1))).get().state
        #expect((state.isAvailable, state.power.isOn, state.baseline.fraction) == (true, false, 0.3))
        #expect(next.applied.withLock { $0.last?.isOn } == false)
    }

    @Test func `a person's change keeps its brightness if the next client has another maximum`() async throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, at: .start)
        let (client, next) = (ProvidedPanelTests.Client(), ProvidedPanelTests.Client())
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        try panels.changed(page.id, brightness: Brightness(clamping: 0.3), isOn: nil, by: client)
        let other = ProvidedDisplay(page.id, name: "Page", maximum: 10, isSwitchable: true, brightness: .full)
        _ = try await provide(other, by: next, to: panels, at: .after(.seconds(1))).get()
        let refresh = Command(.refresh(as: .connected))
        let state = try await displays.perform(refresh, on: page.id, at: .after(.seconds(1))).get().state
        #expect((state.range.maximum, state.baseline.fraction) == (10, 0.3))
        #expect(next.applied.withLock { $0.last?.step } == 3)
    }

    @Test func `a person's change at a client that leaves during a call is not undone at the next one`() async throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, at: .start)
        let (client, next) = (ProvidedPanelTests.Client(answering: nil), ProvidedPanelTests.Client())
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        client.onApply.withLock { onApply in
            onApply = { [page] in
                try? panels.changed(page.id, brightness: nil, isOn: false, by: client)
                panels.ended(client, at: .start)
            }
        }
        let set = Command(.set(.fraction(Brightness(clamping: 0.7))))
        let waiting = try await displays.perform(set, on: page.id, at: .start).get().state
        #expect((waiting.isAvailable, waiting.power.isOn, waiting.baseline.fraction) == (false, false, 0.7))
        _ = try await provide(page, by: next, to: panels, at: .after(.seconds(1))).get()
        let refresh = Command(.refresh(as: .connected))
        let state = try await displays.perform(refresh, on: page.id, at: .after(.seconds(1))).get().state
        #expect((state.isAvailable, state.power.isOn, state.baseline.fraction) == (true, false, 0.7))
        #expect(next.applied.withLock { $0.last?.isOn } == false)
    }

    /// The page hangs, and its answer comes after what somebody has set there.
    @Test func `a person's change at a client that is silent is not undone once it answers`() async throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, timeout: .zero, at: .start)
        let client = ProvidedPanelTests.Client(answering: nil)
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        let set = Command(.set(.fraction(Brightness(clamping: 0.7))))
        _ = await displays.perform(set, on: page.id, at: .start)
        try panels.changed(page.id, brightness: Brightness(clamping: 0.3), isOn: false, by: client)
        let external = Command(.refresh(as: .external))
        let seen = try await displays.perform(external, on: page.id, at: .start).get().state
        #expect((seen.power.isOn, seen.baseline.fraction) == (false, 0.3))
        client.answer.withLock { $0 = true }
        client.late.withLock { $0.removeFirst() }(true)
        let connected = Command(.refresh(as: .connected))
        let state = try await displays.perform(connected, on: page.id, at: .after(.seconds(1))).get().state
        #expect((state.isAvailable, state.power.isOn, state.baseline.fraction) == (true, false, 0.3))
        #expect(client.applied.withLock { $0.dropFirst().allSatisfy { !$0.isOn } })
    }

    @Test func `a record of a provided display is that of its client until it leaves`() async throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, pairs: Pairs([]), at: .start)
        let client = ProvidedPanelTests.Client()
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        // The tick of the new display itself comes before.
        _ = try await displays.perform(Command(.refresh(as: .connected)), on: page.id, at: .start).get()
        panels.ended(client, at: .after(.seconds(5)))
        let refresh = Command(.refresh(as: .lost))
        let state = try await displays.perform(refresh, on: page.id, at: .after(.seconds(5))).get().state
        #expect(state.unavailable?.since == Moment.after(.seconds(5)).wall)
    }

    @Test func `a client is notified when another one provides or withdraws its display, and not of its own calls`()
        async throws
    {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, at: .start)
        let (first, second, third) = (
            ProvidedPanelTests.Client(), ProvidedPanelTests.Client(), ProvidedPanelTests.Client()
        )
        _ = try await provide(page, by: first, to: panels, at: .start).get()
        let other = ProvidedDisplay(page.id, name: "Other", maximum: 10, isSwitchable: false, brightness: .full)
        _ = try await provide(other, by: second, to: panels, at: .start).get()
        #expect(first.lost.withLock { $0 } == [page.id])
        _ = try await provide(page, by: second, to: panels, at: .start).get()
        #expect(second.lost.withLock { $0 } == [])
        await withdraw(page.id, by: third, from: panels, at: .start)
        #expect(second.lost.withLock { $0 } == [page.id])
        _ = try await provide(page, by: third, to: panels, at: .start).get()
        await withdraw(page.id, by: third, from: panels, at: .start)
        #expect(third.lost.withLock { $0 } == [])
    }

    @Test func `a client whose display is withdrawn while it takes it over is notified`() throws {
        let queue = ManualQueue()
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, queue: { _ in queue }, at: .start)
        let (first, second) = (ProvidedPanelTests.Client(), ProvidedPanelTests.Client())
        panels.provide(page, by: first, of: owner, at: .start) { _ in }
        queue.runAll()
        panels.provide(page, by: second, of: owner, at: .start) { _ in }
        try panels.withdraw(page.id, of: owner, by: first, at: .start) {}
        queue.runAll()
        #expect(displays.displays == [])
        #expect(first.lost.withLock { $0 } == [page.id])
        #expect(second.lost.withLock { $0 } == [page.id])
    }

    @Test func `the end of a client while another one takes over its display leaves the display to the other`() throws {
        let (page, owner) = (page, owner)
        for _ in 0..<200 {
            let displays = try DisplayService([], poster: hub.poster, at: .start)
            let panels = ProvidedPanels(displays, queue: { _ in ImmediateQueue() }, at: .start)
            let (first, second) = (ProvidedPanelTests.Client(), ProvidedPanelTests.Client())
            panels.provide(page, by: first, of: owner, at: .start) { _ in }
            @Sendable func race(_ thread: Int) {
                if thread == 0 { return panels.ended(first, at: .start) }
                panels.provide(page, by: second, of: owner, at: .start) { _ in }
            }
            DispatchQueue.concurrentPerform(iterations: 2) { race($0) }
            try panels.changed(page.id, brightness: .full, isOn: nil, by: second)
            panels.removeAbandoned(at: .after(.seconds(86_400)))
            #expect(displays.displays == [page.id])
        }
    }

    @Test func `a principal that adds displays on several threads at once has sixteen`() throws {
        final class Refusals: Sendable {
            let all = Mutex<[ProvidingError]>([])
        }
        let owner = owner
        let ids = (0..<20).compactMap { DisplayID("page-\($0)") }
        for _ in 0..<50 {
            let displays = try DisplayService([], poster: hub.poster, at: .start)
            let panels = ProvidedPanels(displays, queue: { _ in ImmediateQueue() }, at: .start)
            let refusals = Refusals()
            @Sendable func add(_ id: DisplayID) {
                let page = ProvidedDisplay(id, name: "Page", maximum: 200, isSwitchable: true, brightness: .full)
                panels.provide(page, by: ProvidedPanelTests.Client(), of: owner, at: .start) { result in
                    if case .failure(let error) = result { refusals.all.withLock { $0.append(error) } }
                }
            }
            for id in ids.prefix(ProvidedDisplay.principalLimit - 1) { add(id) }
            let rest = Array(ids.dropFirst(ProvidedDisplay.principalLimit - 1))
            DispatchQueue.concurrentPerform(iterations: rest.count) { add(rest[$0]) }
            #expect(displays.displays.count == ProvidedDisplay.principalLimit)
            let errors = refusals.all.withLock { $0 }
            #expect(errors == Array(repeating: .tooManyOfPrincipal, count: rest.count - 1))
        }
    }

    // MARK: Pairs

    private let lobby = Pairs.Pair(id: DisplayID("lobby")!, brightness: DisplayID("page")!, power: DisplayID("relay")!)

    @Test func `a pair of two clients' displays is there with the second one, and goes with either`() async throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, pairs: Pairs([lobby]), at: .start)
        let (first, second) = (ProvidedPanelTests.Client(), ProvidedPanelTests.Client())
        let alone = try await provide(page, by: first, to: panels, at: .start).get()
        #expect(alone.id == page.id && alone.brightness.fraction == 0.1)
        #expect(displays.displays == [])
        let relay = ProvidedDisplay(lobby.power, name: "Relay", maximum: nil, isSwitchable: true, brightness: .full)
        let state = try await provide(relay, by: second, to: panels, at: .start).get()
        #expect((state.id, state.kind, state.name) == (lobby.id, .provided, "Page"))
        #expect(state.isDimmable && state.power.isSwitchable)

        let off = try await displays.perform(Command(.setPower(false)), on: lobby.id, at: .start).get().state
        #expect(off.power.isOn == false)
        #expect(first.applied.withLock { $0 } == [])
        #expect(second.applied.withLock { $0.map(\.isOn) } == [false])

        panels.ended(second, at: .start)
        let lost = try await displays.perform(Command(.refresh(as: .lost)), on: lobby.id, at: .start).get().state
        #expect(!lost.isAvailable)
    }

    @Test(arguments: [true, false])
    func `a pair is completed by its second part although the client of the first is gone`(isPageFirst: Bool)
        async throws
    {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let panels = ProvidedPanels(displays, pairs: Pairs([lobby]), at: .start)
        let relay = ProvidedDisplay(lobby.power, name: "Relay", maximum: nil, isSwitchable: true, brightness: .full)
        let (first, second) = isPageFirst ? (page, relay) : (relay, page)
        let gone = ProvidedPanelTests.Client()
        _ = try await provide(first, by: gone, to: panels, at: .start).get()
        panels.ended(gone, at: .start)

        let (there, back) = (ProvidedPanelTests.Client(), ProvidedPanelTests.Client())
        let alone = try await provide(second, by: there, to: panels, at: .after(.seconds(1))).get()
        #expect((alone.id, alone.isAvailable, alone.baseline.fraction) == (lobby.id, false, 0.1))
        _ = try await provide(first, by: back, to: panels, at: .after(.seconds(2))).get()
        let refresh = Command(.refresh(as: .connected))
        let state = try await displays.perform(refresh, on: lobby.id, at: .after(.seconds(2))).get().state
        #expect(state.isAvailable && state.baseline.fraction == 0.1)
        let dimmed = (isPageFirst ? back : there).applied.withLock { $0 }
        #expect(dimmed.allSatisfy { $0.step == 20 })
    }

    /// A monitor that is not read before `isReadable` is open.
    private final class SlowMonitor: Panel {
        let id: DisplayID
        let name = "Monitor"
        let kind = DisplayKind.ddc
        let range = BrightnessRange(maximum: 100)!
        let isCheapToRead = false
        let isVolatile = false
        let changes = AsyncStream<Cause.Kind> { $0.finish() }
        let isReadable = Latch()

        init(_ id: DisplayID) { self.id = id }

        func read() throws(DeviceError) -> Int {
            var limit = Countdown(.seconds(60))
            guard isReadable.wait(within: &limit) else { throw .io(path: name, errno: EIO) }
            return 60
        }

        func write(_ step: Int) throws(DeviceError) {}
    }

    @Test func `a client does not wait for the monitor of its pair, but for the result`() throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let pairs = Pairs([lobby])
        let panels = ProvidedPanels(displays, pairs: pairs, at: .start)
        let monitor = SlowMonitor(lobby.brightness)
        _ = pairs.admit(.init(monitor, on: ImmediateQueue()))
        let relay = ProvidedDisplay(lobby.power, name: "Relay", maximum: nil, isSwitchable: true, brightness: .full)
        let (client, provided, withdrawn) = (ProvidedPanelTests.Client(), Latch(), Latch())
        panels.provide(relay, by: client, of: owner, at: .start) { [lobby] result in
            if case .success(let state) = result, state.id == lobby.id { provided.release() }
        }
        try panels.withdraw(relay.id, of: owner, by: client, at: .start) { withdrawn.release() }
        #expect(!provided.isOpen && !withdrawn.isOpen)
        monitor.isReadable.release()
        var limit = Countdown(.seconds(60))
        let isWithdrawn = withdrawn.wait(within: &limit)
        #expect(isWithdrawn && provided.isOpen)
        #expect(displays.displays == [])
    }

    @Test func `a part whose pair cannot be read may be provided again later`() async throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let pairs = Pairs([lobby])
        let panels = ProvidedPanels(displays, pairs: pairs, at: .start)
        let relay = ScriptedPanel(lobby.power, range: BrightnessRange(maximum: 10)!, step: 5, isSwitchable: true)
        _ = pairs.admit(.init(relay, on: ImmediateQueue()))
        relay.failReads(.io(path: "relay", errno: EIO))
        let client = ProvidedPanelTests.Client()
        let refused = await provide(page, by: client, to: panels, at: .start)
        #expect(refused == .failure(.unavailable(page.id)))
        let state = try await provide(page, by: client, to: panels, at: .after(.seconds(5))).get()
        #expect(state.id == lobby.id && state.isAvailable)
    }

    /// How a lease ends while the part of a pair that a client provides is gone.
    enum End: CaseIterable {
        case expiry, withdrawal, otherDescription, dayWithoutClient
    }

    @Test(arguments: End.allCases)
    func `the end of a sleep switches a pair on although its client is gone`(end: End) async throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let pairs = Pairs([lobby])
        let panels = ProvidedPanels(displays, pairs: pairs, at: .start)
        let relay = ScriptedPanel(
            lobby.power,
            range: BrightnessRange(maximum: 10)!,
            step: 10,
            isSwitchable: true,
            switchInterval: .seconds(10)
        )
        _ = pairs.admit(.init(relay, on: ImmediateQueue()))
        let client = ProvidedPanelTests.Client()
        _ = try await provide(page, by: client, to: panels, at: .start).get()
        let sleep = LeaseRequest(.sleep, ttl: .seconds(600), holder: "night")
        _ = try await displays.perform(Command(.grant(sleep)), on: lobby.id, at: .start).get()
        #expect(relay.switches == [false])

        switch end {
        case .expiry:
            panels.ended(client, at: .after(.seconds(1)))
            let ended = await displays.perform(Command(.tick), on: lobby.id, at: .after(.seconds(600)))
            let state = try ended.get().state
            #expect(state.power.isOn == true && !state.isAvailable)
        case .withdrawal:
            await withdraw(page.id, from: panels, at: .after(.seconds(1)))
        case .otherDescription:
            let other = ProvidedDisplay(page.id, name: "Other", maximum: 10, isSwitchable: false, brightness: .full)
            let state = try await provide(other, by: client, to: panels, at: .after(.seconds(1))).get()
            #expect(state.id == lobby.id && state.power.isOn == true)
        case .dayWithoutClient:
            panels.ended(client, at: .after(.seconds(1)))
            panels.removeAbandoned(at: .after(.seconds(86_401)))
            while displays.displays != [] { await Task.yield() }
        }
        #expect(relay.switches == [false, true])
    }

    @Test func `the withdrawal of a pair's power restores its brightness`() async throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let pairs = Pairs([lobby])
        let panels = ProvidedPanels(displays, pairs: pairs, at: .start)
        let backlight = ScriptedPanel(lobby.brightness, range: BrightnessRange(maximum: 100)!, step: 60)
        _ = pairs.admit(.init(backlight, on: ImmediateQueue()))
        let relay = ProvidedDisplay(lobby.power, name: "Relay", maximum: nil, isSwitchable: true, brightness: .full)
        _ = try await provide(relay, by: ProvidedPanelTests.Client(), to: panels, at: .start).get()
        let dim = LeaseRequest(.dim, at: .fraction(Brightness(clamping: 0.2)), ttl: .seconds(600), holder: "night")
        _ = try await displays.perform(Command(.grant(dim)), on: lobby.id, at: .start).get()
        #expect(backlight.writes == [20])
        await withdraw(relay.id, from: panels, at: .after(.seconds(1)))
        #expect(backlight.writes == [20, 60])
    }

    @Test func `the ids of a pair and of its parts that are there are taken`() async throws {
        let displays = try DisplayService([], poster: hub.poster, at: .start)
        let pairs = Pairs([lobby])
        let panels = ProvidedPanels(displays, pairs: pairs, at: .start)
        let screen = ScriptedPanel(lobby.power, range: BrightnessRange(maximum: 10)!, step: 5, isSwitchable: true)
        #expect(pairs.admit(.init(screen, on: ImmediateQueue())) == nil)
        for id in [lobby.id, lobby.power] {
            let display = ProvidedDisplay(id, name: "x", maximum: 1, isSwitchable: true, brightness: .full)
            let result = await provide(display, by: ProvidedPanelTests.Client(), to: panels, at: .start)
            #expect(result == .failure(.taken(id)))
        }
    }
}
