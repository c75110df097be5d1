// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import BrightnessCore
@testable import Journal

/// The machine's work: jobs, and the passing of time.
extension Simulation {
    func run(_ screen: Screen) {
        guard daemon.isAlive else { return }
        daemon.panelQueues[screen.index].runOne()
        if daemon.isAlive, daemon.isIdle(screen.index) { settle(screen) }
    }

    func runJournal() {
        guard daemon.runJournal(), !daemon.health.isFailing else { return }
        // A transaction has every record that waited, with its lessons.
        for screen in screens { screen.lessonsAreWritten() }
    }

    /// Runs all waiting jobs until none waits.
    func runAll() {
        runQueues()
        // A display that rejects a command is asked again, and each answer may change what others want.
        for _ in 0..<8 {
            guard evaluateHolders() else { break }
            runQueues()
        }
        if holders != nil {
            checkAll()
            checkHolders()
        }
    }

    func runQueues() {
        while daemon.isAlive, let next = screens.first(where: { daemon.panelQueues[$0.index].count > 0 }) {
            run(next)
            if daemon.panelQueues.allSatisfy({ $0.count == 0 }) { runJournal() }
        }
        while daemon.isAlive, daemon.journalQueue.count > 0 {
            runJournal()
            if daemon.panelQueues.contains(where: { $0.count > 0 }) { return runQueues() }
        }
    }

    /// A second has passed, and the journal writes the records without a completion.
    func flush() {
        guard let writer = daemon.writer else { return }
        daemon.journalQueue.enqueue { writer.write() }
        let isQuiet = screens.map { daemon.panelQueues[$0.index].count == 0 && $0.pending.isEmpty }
        runJournal()
        guard daemon.isAlive, !daemon.health.isFailing else { return }
        for screen in screens where isQuiet[screen.index] && daemon.isIdle(screen.index) {
            if isAtBaseline(screen) { screen.unmark() }
        }
    }

    private func isAtBaseline(_ screen: Screen) -> Bool {
        inspect(screen)
        return screen.expected.leases.isEmpty && !screen.isTouched && !screen.isPowerTouched && !screen.isMoving
            && screen.isLit && screen.power.known == true && screen.kept == nil
            && daemon.service?.state(of: screen.panel.id)?.isAvailable == true
    }

    /// Runs the daemon's due work.
    func tick() {
        guard let service = daemon.service else { return }
        let due = service.store.displays(dueAt: time.moment.instant)
        for screen in screens {
            // Whatever is over has to end now. A busy worker reports its next deadline later.
            if daemon.isIdle(screen.index) { screen.lastAt = time.now }
            let isQuiet = screen.pending.isEmpty && !screen.worlds.contains { $0.isOverdue(at: time.now) }
            if !isQuiet { screen.move(for: defaultTransition, from: time.now) }
            if due.contains(screen.panel.id) { screen.waitForTick(at: time.now) }
        }
        service.tick(at: time.moment)
    }

    /// Writes the pending records and closes the file.
    func endOrderly() {
        guard let writer = daemon.writer else { return }
        writer.end {}
        let quiet = screens.filter { isAtBaseline($0) }
        runJournal()
        if daemon.isAlive, !daemon.health.isFailing {
            for screen in quiet { screen.unmark() }
            for screen in screens { screen.beforeEnd = [] }
        }
        endDaemon()
    }

    /// Checks that the last commands have left every panel lit and at its baseline.
    func checkStopped() {
        guard daemon.isAlive else { return }
        checkAll()
        for screen in screens where daemon.service?.state(of: screen.panel.id)?.isAvailable == true {
            let (panel, expected) = (screen.panel, screen.expected)
            if screen.isTouched || screen.isPowerTouched { continue }
            let steps = [screen.rounding(expected.step), expected.step, screen.kept]
            if expected.power.isSwitchable && panel.isOn != expected.isOn || panel.isOn && !steps.contains(panel.step) {
                violate("\(panel.id) is \(panel.isOn ? "on" : "off") at \(panel.step) after the last command")
            }
        }
    }

    /// Whether no schedule, no other holder and no light changes the display now.
    func isQuiet(_ screen: Screen) -> Bool {
        holders == nil && !hasLight && daemon.isAlive && daemon.isIdle(screen.index) && screen.pending.isEmpty
            && screen.worlds.count == 1
    }

    /// Checks that every panel is available and shows the expected step.
    var isRight: Bool {
        screens.allSatisfy { screen in
            daemon.service?.state(of: screen.panel.id)?.isAvailable == true
                && (!screen.isTouched || screen.power.known == false) && !screen.isPowerTouched
                && !daemon.health.isFailing
        }
    }

    /// The state that must be the same after a second start.
    var facts: [String] {
        screens.map { screen in
            "\(screen.panel.id) at \(screen.panel.step), \(screen.panel.isOn ? "on" : "off"), "
                + "\(screen.expected.leases.count) leases, "
                + "\(screen.expected.leases.values.count(where: \.isOverridden)) overridden"
        }
    }

    func checkAll() {
        for screen in screens where daemon.isAlive && daemon.isIdle(screen.index) { inspect(screen) }
        guard daemon.isAlive else { return }
        // The journal's own log must not be the reason for a failure.
        if daemon.health.isFailing, !hadDiskTrouble {
            violate("the journal is \(daemon.health) on \(disk.words) that nothing is wrong with")
        }
        guard screens.allSatisfy({ daemon.isIdle($0.index) }) else { return }
        isFileBad = daemon.health.isFailing
        if !isFileBad { for screen in screens { screen.isWritten() } }
    }
}
