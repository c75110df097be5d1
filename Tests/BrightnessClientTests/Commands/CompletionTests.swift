// SPDX-License-Identifier: Apache-2.0
import BrightnessClient
import Testing

@Suite struct CompletionTests {
    @Test(
        arguments: [
            ("-d ", "all", .displays), ("off -d ", "all", .displays), ("--server x -d ", "all", .displays),
            ("off ", "all", .displays), ("50% ", "all", .displays), ("boost ", "all", .displays),
            ("auto ", "all on off resume", .displays),
            ("restore ", "all boost dim", .displays), ("order ", "", .displays), ("o", "off on order", nil),
            ("to", "toggle", nil), ("", "set off completions", nil),
            ("presets ", "apply list remove", nil),
            ("preset apply ", "", .presets), ("schedules pause ", "", .schedules),
            ("configuration ", "export import", nil), ("config import ", "", .files), ("export ", "", .files),
            ("completions ", "bash fish zsh", nil),
            ("boost --", "--ttl --until --json", nil), ("schedules set --", "--from --dim", nil),
            ("--unix ", "", .files),
            ("boost -- ", "", .files), ("restore --kind ", "dim wake", nil), ("boost --ttl ", "", nil),
            ("light ", "", nil),
        ] as [(String, String, Completion.Source?)]
    )
    func `the words that may come next are known`(line: String, some: String, source: Completion.Source?) {
        let completion = Completion(line.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
        #expect(Set(some.split(separator: " ").map(String.init)).isSubset(of: completion.words))
        #expect(completion.source == source)
    }
}
