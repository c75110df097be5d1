// SPDX-License-Identifier: Apache-2.0
import ClientCommands

@main
enum EntryPoint {
    static func main() { ClientProgram.main() }
}
