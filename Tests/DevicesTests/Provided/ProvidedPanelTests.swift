// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import Synchronization
import Testing

@testable import Devices

@Suite struct ProvidedPanelTests {
    /// A client whose answers the test decides.
    final class Client: DisplayProvider {
        let applied = Mutex<[ProvidedTarget]>([])
        /// How it answers; `nil` not at once.
        let answer: Mutex<Bool?>
        let late = Mutex<[@Sendable (Bool) -> Void]>([])

        init(answering answer: Bool? = true) { self.answer = Mutex(answer) }

        let ended = Atomic(false)
        let onApply = Mutex<(@Sendable () -> Void)?>(nil)

        var isGone: Bool { ended.load(ordering: .relaxed) }

        func apply(_ target: ProvidedTarget, to: DisplayID, completion: @escaping @Sendable (Bool) -> Void) {
            applied.withLock { $0.append(target) }
            if let answer = answer.withLock({ $0 }) { return completion(answer) }
            late.withLock { $0.append(completion) }
            onApply.withLock { $0 }?()
        }

        /// The displays that another client provides or has withdrawn.
        let lost = Mutex<[DisplayID]>([])

        func withdrawn(_ id: DisplayID) { lost.withLock { $0.append(id) } }
    }

    private let page = ProvidedDisplay.page(at: 0.5)

    private func panel(of client: Client, timeout: Duration = ProvidedPanel.timeout) -> ProvidedPanel {
        let panel = ProvidedPanel(page, of: .anonymous, timeout: timeout)
        panel.attach(client, showing: page)
        return panel
    }

    @Test func `it shows what the client confirms`() throws {
        let client = Client()
        let panel = panel(of: client)
        #expect(try (panel.read(), panel.readPower()) == (100, true))
        try panel.write(40)
        try panel.writePower(false)
        #expect(try (panel.read(), panel.readPower()) == (40, false))
        let targets = client.applied.withLock { $0 }
        #expect(targets.map(\.step) == [40, 40] && targets.map(\.isOn) == [true, false])
        #expect(targets[0].brightness == Brightness(clamping: 0.2))
    }

    @Test func `a refusal is a failed write, and changes nothing`() throws {
        let panel = panel(of: Client(answering: false))
        #expect(throws: DeviceError.io(path: "page", errno: EIO)) { try panel.write(40) }
        #expect(try panel.read() == 100)
    }

    @Test func `a silent client is gone until it answers`() throws {
        let client = Client(answering: nil)
        let panel = panel(of: client, timeout: .zero)
        #expect(throws: DeviceError.io(path: "page", errno: ETIMEDOUT)) { try panel.write(40) }
        #expect(throws: DeviceError.abandoned(panel.id, step: 100)) { try panel.read() }
        #expect(throws: DeviceError.abandoned(panel.id)) { try panel.write(50) }
        #expect(client.applied.withLock { $0.count } == 1)
        client.late.withLock { $0.removeFirst() }(true)
        #expect(try panel.read() == 40)
    }

    @Test func `an answer for an earlier client counts for nothing`() throws {
        let client = Client(answering: nil)
        let panel = panel(of: client, timeout: .zero)
        _ = try? panel.write(40)
        panel.attach(Client(), showing: page)
        client.late.withLock { $0.removeFirst() }(true)
        #expect(try panel.read() == 100)
    }

    @Test(arguments: [true, false])
    func `a call whose client is gone or replaced ends at once as abandoned`(isReplaced: Bool) throws {
        let client = Client(answering: nil)
        let panel = panel(of: client, timeout: .seconds(600))
        client.onApply.withLock { onApply in
            onApply = { [page] in if isReplaced { panel.attach(Client(), showing: page) } else { panel.detach() } }
        }
        #expect(throws: DeviceError.abandoned(panel.id, step: 40)) { try panel.write(40) }
        client.late.withLock { $0.removeFirst() }(true)
        panel.attach(Client(), showing: page)
        #expect(try panel.read() == 100)
    }

    @Test(arguments: [true, false], [true, false])
    func `the answer to a call keeps what somebody has set at the client since`(setsStep: Bool, setsPower: Bool)
        throws
    {
        let client = Client(answering: nil)
        let panel = panel(of: client)
        client.onApply.withLock { onApply in
            onApply = {
                panel.changed(brightness: setsStep ? Brightness(clamping: 0.3) : nil, isOn: setsPower ? false : nil)
                client.late.withLock { $0.removeFirst() }(true)
            }
        }
        try panel.write(40)
        let step = try panel.read()
        #expect(step == (setsStep ? 60 : 40))
        #expect(panel.readPower() == !setsPower)
        // Only for that call.
        client.onApply.withLock { $0 = { client.late.withLock { $0.removeFirst() }(true) } }
        try panel.writePower(true)
        try panel.write(50)
        #expect(try (panel.read(), panel.readPower()) == (50, true))
    }

    @Test func `a client that ends in a call has not refused it`() throws {
        let client = Client(answering: false)
        let panel = panel(of: client)
        client.ended.store(true, ordering: .relaxed)
        #expect(throws: DeviceError.abandoned(panel.id, step: 40)) { try panel.write(40) }
    }

    @Test func `the end of a client detaches no other client`() throws {
        let (first, second) = (Client(), Client())
        let panel = panel(of: first)
        panel.attach(second, showing: page)
        panel.detach(first)
        #expect(panel.provider === second)
        panel.detach(second)
        #expect(panel.readPower() == nil)
    }

    @Test func `without a client there is no panel`() throws {
        let panel = panel(of: Client())
        panel.detach()
        #expect(throws: DeviceError.abandoned(panel.id, step: 100)) { try panel.read() }
        #expect(throws: DeviceError.abandoned(panel.id)) { try panel.writePower(false) }
        #expect(panel.readPower() == nil)
    }
}

extension ProvidedDisplay {
    /// A display of 200 steps that can be switched.
    static func page(at brightness: Double, isOn: Bool = true) -> ProvidedDisplay {
        ProvidedDisplay(
            DisplayID("page")!,
            name: "Page",
            maximum: 200,
            isSwitchable: true,
            brightness: Brightness(clamping: brightness),
            isOn: isOn
        )
    }
}
