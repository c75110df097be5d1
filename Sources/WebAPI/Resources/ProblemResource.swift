// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The explanation of each problem type, at the URL in its `type`.
    static let problems = ProblemType.allCases.map { type in
        Resource(
            "/problems/\(type.rawValue)",
            mediaType: .plainText,
            .get(scope: nil) { _ in
                .now(.text("\(type.title) (\(type.status))\n\n\(type.occurrence)\n\n\(type.remedy)\n"))
            }
        )
    }
}
