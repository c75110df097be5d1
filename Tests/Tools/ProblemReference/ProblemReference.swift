// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Prints the problem types as JSON.
@main
enum ProblemReference {
    static func main() { print(String(decoding: ProblemType.reference, as: UTF8.self)) }
}
