// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import HTTPServer

extension Resource {
    /// What each type of problem means, for a person who opens its `type` in a browser.
    static let problems = ProblemType.allCases.map { type in
        Resource(
            "/problems/\(type.rawValue)",
            mediaType: .plainText,
            .get(scope: nil) { _ in .now(.text("\(type.title) (\(type.status))\n\n\(type.explanation)\n")) }
        )
    }
}
