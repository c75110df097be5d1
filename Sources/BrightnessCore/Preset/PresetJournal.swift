// SPDX-License-Identifier: Apache-2.0

/// A store for presets that survive the daemon. Any thread; nothing blocks.
package protocol PresetJournal: Sendable {
    /// Stores a preset in place of the previous one of that name.
    ///
    /// - Parameters:
    ///   - preset: `nil` removes it.
    ///   - completion: Called once, later, after it was stored or could not be. Then it is retried.
    func keep(_ name: ResourceName, _ preset: Preset?, completion: @escaping @Sendable () -> Void)
}
