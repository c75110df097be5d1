// SPDX-License-Identifier: Apache-2.0
import Devices
import TestSupport

@testable import BrightnessCore

/// A daemon whose displays are all provided by clients, which come, go, refuse, lie, hang, and take displays over, also
/// in the middle of a call. The service and `ProvidedPanels` are real; one seed decides the story.
final class ProvidedStory: @unchecked Sendable {  // One thread: the test's.
    private static let ids = ["page", "relay", "veil"].compactMap { DisplayID($0) }
    private static let principals = [Principal("one"), Principal("two")]
    private static let day = 86_400_000

    private let seed: UInt64
    private var random: SplitMix
    private let journal = MemoryJournal()
    private let queue = ManualQueue()
    private var displays: DisplayService
    private var panels: ProvidedPanels
    private var clients: [SimulatedClient] = []
    private var expected: [DisplayID: ExpectedProvided] = [:]
    /// Milliseconds.
    private var now = 0
    private var unanswered = 0
    private var violation: String?
    private(set) var lines: [String] = []

    init(seed: UInt64) throws {
        self.seed = seed
        random = SplitMix(seed: seed, step: -11)
        (displays, panels) = try Self.daemon(journal, queue, at: .start)
    }

    private static func daemon(
        _ journal: MemoryJournal,
        _ queue: ManualQueue,
        at now: Moment
    ) throws -> (DisplayService, ProvidedPanels) {
        let earlier = journal.recovered
        let displays = try DisplayService(
            [],
            .init(journal: journal, earlier: earlier),
            poster: NotificationHub().poster,
            at: now
        )
        let panels = ProvidedPanels(displays, goingOnFrom: earlier, timeout: .zero, queue: { _ in queue }, at: now)
        return (displays, panels)
    }

    /// - Returns: The first violated rule.
    func play() throws -> String? {
        for _ in 0..<random.number(5...40) where violation == nil {
            try step()
            look()
            check()
        }
        if violation == nil { settle() }
        return violation
    }

    // MARK: Reports

    private var moment: Moment { .after(.milliseconds(now)) }

    private func note(_ line: String) { lines.append("\(now) ms  \(line)") }

    private func violate(_ rule: String) {
        if violation == nil { violation = rule }
        note("VIOLATED: \(rule)")
    }

    // MARK: Events

    private func step() throws {
        let id = random.one(of: Self.ids)
        switch random.number(0...99) {
        case ..<22: come(id)
        case ..<28: clients.last { !$0.isGone }.map(go)
        case ..<38: changeManner()
        case ..<46: answerLate()
        case ..<58: person(id)
        case ..<62: withdraw(id)
        case ..<70: wait()
        case ..<74: try restart()
        case ..<80: disturbNextCall(id)
        default: command(id)
        }
    }

    private func newClient() -> SimulatedClient {
        let principal = random.chance(85) ? Self.principals[0] : Self.principals[1]
        let client = SimulatedClient(clients.count, of: principal) { [unowned self] in violate($0) }
        clients.append(client)
        return client
    }

    private func come(_ id: DisplayID) {
        let here = clients.filter { !$0.isGone }
        provide(id, by: random.chance(50) && !here.isEmpty ? random.one(of: here) : newClient())
    }

    private func description(
        of id: DisplayID,
        _ maximum: Int,
        _ isSwitchable: Bool,
        showing shown: (step: Int, isOn: Bool)
    ) -> ProvidedDisplay {
        ProvidedDisplay(
            id,
            name: "Display \(id)",
            maximum: maximum,
            isSwitchable: isSwitchable,
            brightness: Brightness(clamping: Double(shown.step) / Double(maximum)),
            isOn: shown.isOn
        )
    }

    private func provide(_ id: DisplayID, by client: SimulatedClient) {
        let known = expected[id]
        // With other steps it keeps everything; with or without a switch it is another display.
        let isSame = known.map { _ in !random.chance(10) } ?? false
        let maximum = isSame ? known!.maximum : random.one(of: [100, 200])
        let isSwitchable = isSame ? known!.isSwitchable : random.chance(70)
        let shown = (step: random.number(1...maximum), isOn: !isSwitchable || random.chance(80))
        let display = description(of: id, maximum, isSwitchable, showing: shown)
        note("client \(client.number) of \(client.principal.text) provides \(id) of \(maximum), showing \(shown)")
        let before = client.shown[id]
        client.begin(id, showing: shown)
        unanswered += 1
        panels.provide(display, by: client, of: client.principal, at: moment) { [unowned self] result in
            unanswered -= 1
            provided(display, client, shown: shown, before: before, result)
        }
    }

    private func provided(
        _ display: ProvidedDisplay,
        _ client: SimulatedClient,
        shown: (step: Int, isOn: Bool),
        before: (step: Int, isOn: Bool)?,
        _ result: Result<DisplayState, ProvidingError>
    ) {
        let known = expected[display.id]
        switch result {
        case .failure(let error):
            if error != .taken(display.id) || known == nil || known?.owner == client.principal {
                violate("\(display.id) cannot be provided: \(error)")
            }
            client.begin(display.id, showing: before)
        case .success:
            if let owner = known?.owner, owner != client.principal { violate("\(display.id) is \(owner.text)'s") }
            let isGone = client.isGone
            if var known, known.isSwitchable == display.isSwitchable {
                known.maximum = display.maximum!
                (known.provider, known.goneSince) = isGone ? (nil, now) : (client, nil)
                if known.isAssumedOn, !isGone, !shown.isOn { known.outside = false }
                if !isGone { known.isAssumedOn = false }
                expected[display.id] = known
                return
            }
            expected[display.id] = ExpectedProvided(
                owner: client.principal,
                maximum: display.maximum!,
                isSwitchable: display.isSwitchable,
                provider: isGone ? nil : client,
                goneSince: isGone ? now : nil,
                baseline: display.brightness.fraction,
                outside: shown.isOn ? nil : false
            )
        }
    }

    private func go(_ client: SimulatedClient) {
        note("client \(client.number) goes")
        client.end()
        panels.ended(client, at: moment)
        for (id, display) in expected where display.provider === client {
            expected[id]?.provider = nil
            expected[id]?.goneSince = now
        }
    }

    private func changeManner() {
        guard let client = clients.last(where: { !$0.isGone }) else { return }
        client.manner = random.one(of: SimulatedClient.Manner.allCases + [.honest, .honest])
        note("client \(client.number) is \(client.manner)")
    }

    private func answerLate() {
        for client in clients where client.isWaited {
            note("client \(client.number) answers late")
            client.answer()
        }
    }

    /// A person never sets the value of the daemon, so that it differs from a dimmer's restore.
    private func person(_ id: DisplayID) {
        guard let client = expected[id]?.provider, let state = displays.state(of: id), state.isAvailable,
            let shown = client.shown[id], client.manner == .honest, !client.isWaited, !client.lies.contains(id),
            shown.isOn,
            expected[id]?.isOn == true
        else { return }
        do throws(ProvidingError) {
            if expected[id]!.isSwitchable, random.chance(30) {
                note("a person turns \(id) off")
                client.shown[id]?.isOn = false
                try panels.changed(id, brightness: nil, isOn: false, by: client)
                expected[id]?.personTurns(false)
            } else {
                let step = 2 * random.number(0...9) + 1
                guard step != shown.step else { return }
                note("a person sets \(id) to \(step)")
                client.shown[id]?.step = step
                let brightness = Brightness(clamping: Double(step) / Double(expected[id]!.maximum))
                try panels.changed(id, brightness: brightness, isOn: nil, by: client)
                expected[id]?.personSets(brightness.fraction)
            }
        } catch {
            violate("client \(client.number) may not change \(id): \(error)")
        }
    }

    private func withdraw(_ id: DisplayID) {
        let principal = random.one(of: Self.principals)
        note("\(principal.text) withdraws \(id)")
        let isOwn = expected[id]?.owner == principal
        do throws(ProvidingError) {
            unanswered += 1
            try panels.withdraw(id, of: principal, by: nil, at: moment) { [unowned self] in unanswered -= 1 }
            if !isOwn { violate("\(id) was not \(principal.text)'s to withdraw") }
            if let client = expected[id]?.provider, client.shown[id] != nil {
                violate("client \(client.number) is not notified that \(id) is withdrawn")
            }
            expected[id] = nil
        } catch {
            unanswered -= 1
            if isOwn { violate("\(id) cannot be withdrawn: \(error)") }
        }
    }

    private func wait() {
        now += random.one(of: [100, 1_000, 31_000, 600_000, Self.day / 2, Self.day])
        note("time passes")
        tick()
        panels.removeAbandoned(at: moment)
        queue.runAll()
        forgetAbandoned()
    }

    private func forgetAbandoned() {
        expected = expected.filter { $0.value.goneSince.map { now - $0 < Self.day } ?? true }
    }

    private func tick() {
        for id in displays.displays { displays.submit(Command(.tick), to: id, at: moment) { _ in } }
        queue.runAll()
        for id in expected.keys { expected[id]?.expire(at: now) }
    }

    private func restart() throws {
        note("killed, and started again")
        for id in displays.displays { displays.withdraw(own: id) }
        queue.removeAll()
        for client in clients where !client.isGone { client.end() }
        for id in expected.keys {
            expected[id]?.provider = nil
            // Without a record of that, the run did not see its client leave.
            let since = journal.records[id]?.provided?.goneSince
            expected[id]?.goneSince = since.map { Int($0.milliseconds - Moment.start.wall.milliseconds) } ?? now
            expected[id]?.outside = nil
            expected[id]?.isAssumedOn = journal.records[id]?.mayBeDark == false
        }
        forgetAbandoned()
        (displays, panels) = try Self.daemon(journal, queue, at: moment)
    }

    private func disturbNextCall(_ id: DisplayID) {
        guard let client = expected[id]?.provider, client.duringCall == nil else { return }
        let event = random.number(0...2)
        client.duringCall = { [unowned self, unowned client] in
            note("in the middle of a call:")
            switch event {
            case 0: go(client)
            case 1: provide(id, by: newClient())
            default: provide(id, by: client)
            }
        }
        command(id)
    }

    private func command(_ id: DisplayID) {
        guard let known = expected[id] else { return }
        let (holder, step) = (random.one(of: ["a", "b"]), 2 * random.number(10...known.maximum / 2))
        let brightness = Brightness(clamping: Double(step) / Double(known.maximum))
        let isOn = random.chance(50)
        let ttl = random.one(of: [10_000, 600_000])
        let (began, end) = (now, now + ttl)
        typealias Change = @Sendable (inout ExpectedProvided) -> Void
        func grant(_ kind: LeaseKind) -> (Command.Action, Change) {
            let request = LeaseRequest(kind, at: .fraction(brightness), ttl: .milliseconds(ttl), holder: holder)
            return (.grant(request), { $0.grant(kind, holder, brightness.fraction, until: end) })
        }
        let (action, apply): (Command.Action, Change) =
            switch random.number(0...9) {
            case ..<3: (.set(.fraction(brightness)), { $0.set(brightness.fraction) })
            case 3: grant(.dim)
            case 4 where known.isSwitchable: grant(.sleep)
            case 5 where known.isSwitchable: (.setPower(isOn), { $0.setPower(isOn) })
            case 6, 7: (.restore(holder: holder), { $0.restore(holder) })
            default: grant(.boost)
            }
        note("\(id): \(action)")
        let isDisturbed = known.provider?.duringCall != nil
        let mustHold = known.provider.map {
            $0.manner == .honest && !$0.isWaited && !isDisturbed && displays.state(of: id)?.isAvailable == true
        }
        unanswered += 1
        displays.submit(Command(action, transition: .zero), to: id, at: moment) { [unowned self] result in
            unanswered -= 1
            switch result {
            case .success:
                expected[id]?.expire(at: began)
                if expected[id] != nil { apply(&expected[id]!) }
            case .failure(.panel(let error)):
                note("  fails: \(error)")
                if mustHold == true { violate("\(id): a command fails, and its client is honest: \(error)") }
            case .failure(.unknownDisplay) where isDisturbed: break
            case .failure(let error): violate("\(id): \(error)")
            }
        }
        queue.runAll()
    }

    // MARK: Checks

    /// The displays look at their panels, as their watchers do.
    private func look() {
        queue.runAll()
        // Events in the middle of a call concern other displays as well.
        for _ in 0..<2 {
            for id in displays.displays {
                displays.submit(Command(.refresh(), transition: .zero), to: id, at: moment) { _ in }
            }
            queue.runAll()
        }
        if unanswered != 0 { violate("\(unanswered) calls are never answered") }
    }

    private func check() {
        let there = Set(displays.displays)
        if there != Set(expected.keys) { violate("there are \(there), expected \(Set(expected.keys))") }
        for (id, display) in expected {
            guard let state = displays.state(of: id) else { continue }
            if let difference = display.difference(state) { violate("\(id): \(difference)") }
        }
    }

    /// Makes all clients honest: then each shows what it has to.
    private func settle() {
        note("all clients are honest")
        for client in clients where !client.isGone {
            (client.manner, client.duringCall) = (.honest, nil)
            client.answer()
        }
        look()
        for id in Self.ids {
            guard let client = expected[id]?.provider, client.lies.contains(id) else { continue }
            let (maximum, isSwitchable) = (expected[id]!.maximum, expected[id]!.isSwitchable)
            let display = description(of: id, maximum, isSwitchable, showing: client.shown[id]!)
            panels.provide(display, by: client, of: client.principal, at: moment) { _ in }
        }
        for _ in 0..<3 {
            look()
            now += 31_000
            tick()
        }
        check()
        for (id, display) in expected {
            guard let client = display.provider, let shown = client.shown[id] else { continue }
            if displays.state(of: id)?.isAvailable != true {
                violate("\(id) is not available, and its client is honest")
            }
            if shown.isOn != display.isOn { violate("\(id) is \(shown.isOn ? "on" : "off")") }
            if shown.isOn, shown.step != display.step { violate("\(id) shows \(shown.step), not \(display.step)") }
        }
    }
}
