// SPDX-License-Identifier: Apache-2.0

/// The commands that show a display, and those to run for a target. Rules only.
struct ProvidedCommands: Equatable, Sendable {
    /// The state that the display shows, as far as it is known.
    struct Shown: Equatable, Sendable {
        var step: Int?
        var isOn: Bool?
        /// The steps of which it shows one after failed commands, if no other client has set it.
        var possibleSteps: Set<Int> = []

        /// The state after a command that failed, but may have had an effect.
        func afterFailure(of target: Target) -> Shown {
            Shown(possibleSteps: possibleSteps.union([step ?? target.step, target.step]))
        }
    }

    struct Target: Equatable, Sendable {
        let step: Int
        let isOn: Bool
    }

    /// The words of each command; `nil` for a command that was not given.
    let set: [String]?
    let on: [String]?
    let off: [String]?
    let get: [String]?
    /// The brightest step; `nil` without a command that sets the brightness.
    let maximum: Int?

    static let defaultMaximum = 100
    /// The largest maximum that a daemon accepts.
    static let largestMaximum = 65_535

    /// - Throws: `.usage` if the commands make no display.
    init(set: String?, on: String?, off: String?, get: String?, maximum: Int?) throws(ClientError) {
        self.set = try set.map { text throws(ClientError) in try Self.words(text, of: "--set") }
        self.on = try on.map { text throws(ClientError) in try Self.words(text, of: "--on") }
        self.off = try off.map { text throws(ClientError) in try Self.words(text, of: "--off") }
        self.get = try get.map { text throws(ClientError) in try Self.words(text, of: "--get") }
        guard (on == nil) == (off == nil) else {
            throw .usage("--on and --off belong together: give both, or neither for a display that is always on.")
        }
        guard let set = self.set else {
            guard on != nil else {
                throw .usage("There is no command: give --set, or --on and --off.")
            }
            guard maximum == nil else { throw .usage("--maximum requires --set, the command for the brightness.") }
            self.maximum = nil
            return
        }
        guard set.contains(where: { $0.contains("{percent}") || $0.contains("{step}") }) else {
            throw .usage("--set requires {percent} or {step}, which the brightness replaces.")
        }
        guard (1...Self.largestMaximum).contains(maximum ?? Self.defaultMaximum) else {
            throw .usage("--maximum must be a whole number from 1 to \(Self.largestMaximum): the brightest step.")
        }
        self.maximum = maximum ?? Self.defaultMaximum
    }

    var isSwitchable: Bool { on != nil }

    /// The commands that bring the display to a target, in their order.
    func needed(from shown: Shown, to target: Target) -> [[String]] {
        guard target.isOn else { return shown.isOn == false ? [] : [off].compactMap { $0 } }
        let mayBeOff = isSwitchable && shown.isOn != true
        let needsStep = set != nil && (shown.step != target.step || mayBeOff)
        return [mayBeOff ? on : nil, needsStep ? setting(target.step) : nil].compactMap { $0 }
    }

    private func setting(_ step: Int) -> [String]? {
        set?.map { $0.replacing("{percent}", with: "\(percent(of: step))").replacing("{step}", with: "\(step)") }
    }

    /// The whole percent of a step.
    func percent(of step: Int) -> Int { Int((Double(step) / Double(maximum ?? 1) * 100).rounded()) }

    /// The step for a reading: the one that was set, or may have been set, if its percent is that of the reading. Of
    /// more than 100 steps, several have the same percent, which is all that `{percent}` and most readings state.
    func step(for read: Int, on shown: Shown) -> Int {
        let known: Set<Int> = shown.step.map { [$0] } ?? shown.possibleSteps
        return known.first { percent(of: $0) == percent(of: read) } ?? read
    }

    /// Reads what `get` printed: a percent, `on` or `off`, as the last word of the first line; `nil` for anything else.
    func shown(in output: String) -> Shown? {
        guard let line = output.split(whereSeparator: \.isNewline).first,
            var word = line.split(whereSeparator: \.isWhitespace).last?.lowercased()
        else { return nil }
        if word == "on" || word == "off" { return Shown(isOn: word == "on") }
        if word.hasSuffix("%") { word.removeLast() }
        guard let maximum, let percent = Double(word), (0...100).contains(percent) else { return nil }
        return Shown(step: Int((percent / 100 * Double(maximum)).rounded()))
    }

    // MARK: Words

    /// Splits a command into words: spaces separate, quotes and backslashes keep them. Nothing else is special.
    static func words(_ text: String, of option: String) throws(ClientError) -> [String] {
        var (words, word) = ([String](), String?.none)
        var (quote, isEscaped) = (Character?.none, false)
        for letter in text {
            if isEscaped {
                (word, isEscaped) = ((word ?? "") + String(letter), false)
            } else if letter == "\\", quote != "'" {
                isEscaped = true
            } else if letter == quote {
                quote = nil
            } else if quote == nil, letter == "'" || letter == "\"" {
                (quote, word) = (letter, word ?? "")
            } else if quote == nil, letter.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(letter)
            }
        }
        guard quote == nil, !isEscaped else { throw .usage("\(option) ends within quotes: \(text)") }
        if let word { words.append(word) }
        guard words.first?.isEmpty == false else { throw .usage("\(option) requires a command.") }
        return words
    }
}
