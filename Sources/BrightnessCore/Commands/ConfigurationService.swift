// SPDX-License-Identifier: Apache-2.0
internal import Support

/// Everything that people have set on this machine, as one document. Any thread.
package final class ConfigurationService: Sendable {
    package let presets: PresetService
    package let holders: HolderService
    private let displays: DisplayService
    private let groups: DisplayGroups
    private let journal: any RecordJournal

    package init(
        _ presets: PresetService,
        _ holders: HolderService,
        _ displays: DisplayService,
        groups: DisplayGroups,
        journal: any RecordJournal
    ) {
        (self.presets, self.holders, self.displays) = (presets, holders, displays)
        (self.groups, self.journal) = (groups, journal)
    }

    package var current: ConfigurationDocument {
        ConfigurationDocument(
            presets: presets.all,
            schedules: holders.scheduleReport.schedules.map(\.schedule),
            displays: displays.store.settings,
            location: .some(holders.location.flatMap { $0.isChosen ? $0.location : nil })
        )
    }

    /// The rules of a document for this daemon as it is now.
    package var rules: ConfigurationDocument.Rules {
        ConfigurationDocument.Rules(
            groups: groups,
            hasDefaultLocation: holders.hasDefaultLocation,
            hasLocation: holders.location != nil
        ) { [displays] id, settings in
            guard case .id? = DisplayPattern(id.text) else { return "\(id) is not the id of a display." }
            guard let state = displays.state(of: id) else { return nil }
            if state.kind == .remote { return "\(id) is a display of another daemon, which has its configuration." }
            return settings?.curve == nil || state.isDimmable ? nil : "\(id) has no brightness, so it has no curve."
        }
    }

    /// Replaces what the document has, with the events of single changes.
    ///
    /// - Parameters:
    ///   - name: Who does it, for the log.
    ///   - isWanted: The condition of the change, with the current document.
    ///   - completion: Called once, after all of it was stored, with whether the condition held.
    package func replace(
        with new: ConfigurationDocument,
        by name: String?,
        at now: Moment,
        if isWanted: @escaping @Sendable (ConfigurationDocument) -> Bool = { _ in true },
        completion: @escaping @Sendable (_ isWanted: Bool) -> Void
    ) {
        // Nothing else changes the schedules and the location until the job ends.
        holders.enqueue { [self] in
            guard isWanted(current) else { return completion(false) }
            if let new = new.presets { presets.replace(with: new) }
            let old = displays.store.settings
            let settings = new.displays ?? old
            let changed = Set(old.keys).union(settings.keys).filter { id in
                old[id] ?? DisplaySettings.none != settings[id] ?? DisplaySettings.none
            }
            let pending = Latch(count: changed.count + 1)
            pending.whenOpen { completion(true) }
            for id in changed {
                let settings = settings[id] ?? DisplaySettings.none
                if displays.configure(id, as: settings, by: name, at: now, completion: pending.release) { continue }
                // The worker of a display stores its settings. An absent one has none.
                let record = settings == .none ? nil : SettingsRecord(id, settings)
                journal.keep(record, under: id.text, completion: pending.release)
            }
            // The journal stores in order: this one is the last.
            holders.replace(new.schedules, at: new.location, completion: pending.release)
        }
    }
}
