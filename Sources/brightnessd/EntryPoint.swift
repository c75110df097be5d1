// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessClient
import Glibc

@main
enum EntryPoint {
    static func main() {
        // A library that is preloaded may leave Swift without arguments. A daemon with other options than those given
        // must not start.
        guard !CommandLine.arguments.isEmpty else {
            Terminal.printError("brightnessd: its arguments cannot be read; a library of LD_PRELOAD may be the cause")
            exit(64)
        }
        // The packages have one program under both names: another would contain Swift's runtime once more.
        if CommandLine.arguments.first?.split(separator: "/").last == ClientProgram.name[...] {
            return ClientProgram.main()
        }
        do {
            if let advice = MistypedArguments(CommandLine.arguments.dropFirst()).advice {
                throw ClientError.usage(advice)
            }
            var command = try Brightnessd.parseAsRoot()
            try command.run()
        } catch {
            let sentence = (error as? ClientError)?.sentence ?? Brightnessd.usageError(error)
            guard let sentence else { Brightnessd.exit(withError: error) }
            Terminal.printError("brightnessd: \(sentence)")
            // EX_USAGE
            exit(64)
        }
    }
}
