// SPDX-License-Identifier: Apache-2.0
import BrightnessClient

@main
enum EntryPoint {
    static func main() { ClientProgram.main() }
}
