// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessClient
import Glibc

@main
enum EntryPoint {
    static func main() {
        // The packages have one program under both names: another would contain Swift's runtime once more.
        if CommandLine.arguments.first?.split(separator: "/").last == ClientProgram.name[...] {
            return ClientProgram.main()
        }
        if let advice = MistypedArguments(CommandLine.arguments.dropFirst()).advice {
            let line = Array("brightnessd: \(advice)\n".utf8)
            write(STDERR_FILENO, line, line.count)
            // EX_USAGE
            exit(64)
        }
        Brightnessd.main()
    }
}
