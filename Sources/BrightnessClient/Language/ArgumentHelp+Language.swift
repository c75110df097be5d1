// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

extension ArgumentHelp {
    static func localized(_ text: LocalizedText, valueName: LocalizedText? = nil) -> ArgumentHelp {
        ArgumentHelp(text.description, valueName: valueName?.description)
    }
}
