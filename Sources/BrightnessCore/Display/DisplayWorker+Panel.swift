// SPDX-License-Identifier: Apache-2.0
import Synchronization

// Reads and writes of the panel. Called on the panel's queue.
extension DisplayWorker {
    /// Reads the panel if that is cheap, requested, or needed to find out whether it is back.
    func readPanel(for jobs: [Job], _ model: inout DisplayModel, at now: Moment) {
        model.describe(as: panel)
        let asked = jobs.compactMap(\.command.refreshCause)
        guard panel.isCheapToRead || !asked.isEmpty || model.isRetryDue(at: now.instant) else { return }
        // A specific cause wins over `.external`.
        let cause = asked.first { $0 != .external } ?? .external
        let isOn = panel.readPower()
        let switchCheck = Result { () throws(DeviceError) in try panel.checkSwitch() }
        let hasSwitch = (try? switchCheck.get()) != nil
        do throws(DeviceError) {
            if hasSwitch, panel.hasParts || !panel.isCheapToRead {
                // First: the other device of a pair may be gone. A monitor whose relay was just switched on answers
                // later.
                model.observe(isOn: isOn, cause: cause, at: now)
            }
            // A monitor that is off may not answer, and a read might wake it.
            if model.power.isDark, !panel.isCheapToRead {
                try switchCheck.get()
                model.noteShown(at: now)
                return model.endFaultIfDone(at: now)
            }
            model.observe(try panel.read(), isOn: isOn, cause: cause, at: now)
            if panel.isCheapToRead { model.observe(signal: panel.readSignal(), at: now) }
        } catch {
            // A pair without its switch may still show a step.
            let step = hasSwitch ? nil : error.shownStep
            if let step { model.observe(step: step, cause: cause, at: now) }
            if model.fault == nil { dependencies.poster.post(.failure(model.id, error)) }
            if model.fault?.kind != .gone || model.isRetryDue(at: now.instant) {
                // Another program switched the panel off.
                let cause: Cause.Kind = if case .asleep = error { .external } else { .lost }
                model.failed(.gone, cause: cause, isAbandoned: error.isAbandonment, at: now)
            }
            if panel.hasParts { model.fault?.hides(step: step == nil, power: !hasSwitch || isOn == nil) }
            if error.isAbsence { model.isUnplugged = true }
            if panel.wakesWhileGone { model.power.lost() }
        }
    }

    /// Brings the panel to the model's step after a failed write: at once if it is a different step, and later again if
    /// that fails.
    ///
    /// - Parameter refused: The step that the panel rejected; `nil` if it was neither switched nor written.
    /// - Returns: Whether others set the panel right after the write.
    func correct(
        _ model: inout DisplayModel,
        after error: DeviceError,
        refusing refused: Int?,
        at now: Moment
    ) -> Bool {
        if error.isAbsence {
            model.isUnplugged = true
            model.failed(.gone, isAbandoned: error.isAbandonment, at: now)
            return false
        }
        // A switch that failed is tried again later.
        if refused != nil, model.isPowerUncertain {
            model.failed(.refusing, at: now)
            return false
        }
        let switchesFirst = model.needsSwitch(at: now.instant)
        do {
            // The demand was rejected before anything was tried: the panel has no fault.
            if refused == nil { return try switchAndWrite(isDemanded: false, &model, at: now) }
            guard model.needsWrite(at: now.instant) else { return false }
            let step = model.step(at: now.instant)
            if step != refused { return try writeStep(step, &model, at: now) }
        } catch .asleep {
            model.failed(.gone, cause: .external, at: now)
            return false
        } catch {
            // If the switch is what failed, nothing was written.
            if error.mayHaveTakenEffect, !(switchesFirst && model.isSwitchPending) {
                model.markUnconfirmed(targetOf: model, at: now)
            }
        }
        model.failed(.refusing, at: now)
        return false
    }

    /// Notes that a panel that was switched on did not accept its step, which it gets later.
    func noteUnwritten(_ model: inout DisplayModel, after error: DeviceError, at now: Moment) {
        if error.mayHaveTakenEffect { model.markUnconfirmed(targetOf: model, at: now) }
        if error.isAbsence { model.isUnplugged = true }
        model.failed(error.isAbsence ? .gone : .refusing, isAbandoned: error.isAbandonment, at: now)
    }

    /// Performs the pending switch and write. A faulty panel is switched and written only for a demand or when the next
    /// try is due.
    ///
    /// - Returns: Whether others set the panel right after the write.
    func switchAndWrite(isDemanded: Bool, _ model: inout DisplayModel, at now: Moment) throws(DeviceError) -> Bool {
        guard isDemanded || model.fault == nil || model.isRetryDue(at: now.instant) else {
            restoreWhileGone(&model, at: now)
            return false
        }
        if model.needsSwitch(at: now.instant) {
            try switchPower(&model, at: now)
            // The brightness is written when it can be read again.
            if obeysWhileGone(model) {
                restoreWhileGone(&model, at: now)
                return false
            }
        }
        let mayBeWritten = !model.power.isDark && model.power.mayBeWritten(at: now.instant)
        // Even a step that a faulty panel has already is written: that shows the client of the demand whether it works.
        let testsFault = isDemanded && model.fault != nil && mayBeWritten
        guard model.needsWrite(at: now.instant) || testsFault else {
            // The write that was pending when the panel returned is not required any more.
            if model.fault?.kind == .refusing { model.endFaultIfDone(at: now) }
            return false
        }
        return try writeStep(model.step(at: now.instant), &model, at: now)
    }

    /// Whether a panel that is gone may obey: the other device of a pair is there, or a television wakes.
    private func obeysWhileGone(_ model: DisplayModel) -> Bool {
        (panel.hasParts || panel.wakesWhileGone) && model.fault?.kind == .gone
    }

    /// Whether a panel that is gone is not read without need: it may only be off, and then does not answer.
    private func isSilent(_ model: DisplayModel) -> Bool {
        !panel.isCheapToRead && !panel.hasParts && model.fault?.kind == .gone
    }

    /// Restores a panel that is gone as far as it obeys: the end of a lease leaves nobody in the dark, and no screen
    /// raised. A silent one is only switched on.
    private func restoreWhileGone(_ model: inout DisplayModel, at now: Moment) {
        let obeys = obeysWhileGone(model)
        guard obeys || isSilent(model) else { return }
        if model.powerTarget, model.needsSwitch(at: now.instant) { try? switchPower(&model, at: now) }
        guard obeys, model.needsWrite(at: now.instant) else { return }
        let step = model.step(at: now.instant)
        do {
            try panel.write(step)
            model.wrote(step, readBack: nil, isGone: true, at: now)
        } catch {
            // A pair may show it when it is read next.
            if error.mayHaveTakenEffect { model.markUnconfirmed(targetOf: model, at: now) }
        }
    }

    private func switchPower(_ model: inout DisplayModel, at now: Moment) throws(DeviceError) {
        let isOn = model.powerTarget
        do {
            try panel.writePower(isOn)
        } catch {
            // The next read of a panel that can be read reports what it did.
            if error.mayHaveTakenEffect {
                model.power.switchFailed(to: isOn, isReadable: panel.readPower() != nil, at: now.instant)
            }
            throw error
        }
        model.switched(to: isOn, isGone: obeysWhileGone(model) || isSilent(model), at: now)
    }

    /// Writes a step and reads it back. A step that rounding does not explain is the device's answer if its driver has
    /// read it back; otherwise it was set by others right after the write.
    ///
    /// - Returns: Whether others set the panel right after the write.
    private func writeStep(_ step: Int, _ model: inout DisplayModel, at now: Moment) throws(DeviceError) -> Bool {
        let readBack = try writeAndReadBack(step)
        guard let readBack, !model.panelStep.isOwn(readBack, of: step) else {
            model.wrote(step, readBack: readBack, isGone: obeysWhileGone(model), at: now)
            return false
        }
        if !panel.isCheapToRead {
            model.wrote(step, readBack: readBack, at: now)
            if !isLimitReported.exchange(true, ordering: .relaxed) {
                dependencies.poster.post(.notice(.limited(model.id, written: step, kept: readBack)))
            }
            return false
        }
        // Writes once more, to see whether an LED rounds that far.
        let second: Int? = try panel.rounds ? writeAndReadBack(step) : step
        model.wrote(step, readBack: second, at: now)
        if second == readBack { return false }
        model.observe(readBack, at: now)
        // The second write has replaced the step that others set.
        if panel.rounds { model.wrote(readBack, readBack: try writeAndReadBack(readBack), at: now) }
        return true
    }

    /// - Returns: The step that the panel now shows; `nil` if that is not known.
    private func writeAndReadBack(_ step: Int) throws(DeviceError) -> Int? {
        do {
            try panel.write(step)
            writesDone.add(1, ordering: .relaxed)
        } catch {
            if case .asleep = error {} else { writesFailed.add(1, ordering: .relaxed) }
            throw error
        }
        return panel.isCheapToRead ? try? panel.read() : panel.substituteStep
    }
}
