// SPDX-License-Identifier: Apache-2.0

extension HolderService {
    /// The holders with what they want, and what of it was carried out. Rules only.
    struct State {
        var holders: [(rules: any Holder, wanted: Wanted)]
        var table = HolderTable()
        /// Once set, a clock stays trusted.
        var isClockSet = false
        /// The schedules whose records wait to be stored.
        var unstored: Set<ResourceName> = []
        /// The displays of the last comparison with what is wanted.
        var known: [Situation.Display] = []
    }
}

extension HolderService.State {
    /// Returns the evaluations of the holders that had to be evaluated, and whether a wish differs.
    mutating func evaluate(
        _ situation: Situation,
        _ notifications: [Notification],
        onlyDue: Bool
    ) -> (wanted: [Wanted], differs: Bool) {
        let now = situation.now
        let isForAll = !onlyDue || notifications.contains { $0.kind == .display }
        var (evaluated, differs): ([Wanted], Bool) = ([], false)
        for index in holders.indices {
            let kinds = type(of: holders[index].rules).kinds
            let own = notifications.filter { kinds.contains($0.kind) }
            for notification in own { holders[index].rules.receive(notification, at: now) }
            let isDue = holders[index].wanted.next.map { $0 <= now.instant } ?? false
            guard isForAll || isDue || !own.isEmpty else { continue }
            let wanted = holders[index].rules.evaluate(situation)
            differs = differs || wanted.wishes != holders[index].wanted.wishes
            holders[index].wanted = wanted
            evaluated.append(wanted)
        }
        return (evaluated, differs)
    }

    var nextDeadline: Instant? {
        (holders.map(\.wanted.next) + [table.nextRetry]).compactMap(\.self).min()
    }

    var schedules: Schedules? {
        get { holders.lazy.compactMap { $0.rules as? Schedules }.first }
        set {
            guard let newValue, let index = holders.firstIndex(where: { $0.rules is Schedules }) else { return }
            holders[index].rules = newValue
        }
    }

    /// Changes a schedule. One that differs then is carried out again.
    ///
    /// - Returns: Whether it is a new one, and its name as it was first spelled: the journal compares bytes.
    mutating func apply(_ edit: Schedules.Edit) -> Result<(isNew: Bool, name: ResourceName), Schedules.Failure> {
        guard var new = schedules else { return .failure(.unknown) }
        let old = new.record(edit.name)?.schedule
        do throws(Schedules.Failure) {
            let isNew = try new.apply(edit)
            schedules = new
            if new.record(edit.name)?.schedule != old { table.redo(ReservedHolder.schedule(edit.name.text)) }
            return .success((isNew, old?.name ?? edit.name))
        } catch {
            return .failure(error)
        }
    }
}
