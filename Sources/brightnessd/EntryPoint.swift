// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc

@main
enum EntryPoint {
    static func main() {
        if let advice = MistypedArguments(CommandLine.arguments.dropFirst()).advice {
            let line = Array("brightnessd: \(advice)\n".utf8)
            write(STDERR_FILENO, line, line.count)
            // EX_USAGE
            exit(64)
        }
        Brightnessd.main()
    }
}
