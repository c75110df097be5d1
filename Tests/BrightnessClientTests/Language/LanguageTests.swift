// SPDX-License-Identifier: Apache-2.0
import BrightnessClient
import BrightnessCore
import Testing

struct LanguageTests {
    @Test(arguments: [
        ("de_DE.UTF-8", Language.german), ("de", .german), ("de_AT@euro", .german), ("en_GB.UTF-8", .english),
        ("C.UTF-8", .english), ("", .english), ("fr_FR.UTF-8", .english), ("deu", .english),
    ])
    func `the locale chooses the language`(locale: String, language: Language) {
        #expect(Language(locale: locale) == language)
    }

    @Test func `a text has its values in the place of its language`() {
        let text: LocalizedText = "until \("07:00")"
        #expect(text.text(in: .english) == "until 07:00")
        #expect(text.text(in: .german) == "bis 07:00")
    }

    @Test func `values and texts may have braces of their own`() {
        let value = "{0} {percent} {"
        let text: LocalizedText = "\(value) failed with the status \(7)."
        #expect(text.text(in: .english) == "{0} {percent} { failed with the status 7.")
        #expect(text.text(in: .german) == "{0} {percent} { scheiterte mit dem Status 7.")
        let braces: LocalizedText = "--set requires {percent} or {step}, which the brightness replaces."
        #expect(braces.text(in: .english) == "--set requires {percent} or {step}, which the brightness replaces.")
    }

    @Test func `what has no translation is shown in English`() {
        let text: LocalizedText = "no such text, \(1)"
        #expect(text.text(in: .german) == "no such text, 1")
        #expect(LocalizedText(verbatim: "Not found: {0}").text(in: .german) == "Not found: {0}")
    }

    @Test(arguments: Language.allCases.filter { $0 != .english })
    func `every word of the API that people see is translated`(language: Language) {
        let kinds = LeaseKind.allCases.map(\.rawValue) + Cause.Kind.allCases.map(\.rawValue)
        let words = kinds + DisplayKind.allCases.map(\.rawValue) + Weekday.allCases.map(\.rawValue)
        #expect(Set(words).subtracting(language.table.keys) == [])
    }
}
