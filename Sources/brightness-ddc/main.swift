// SPDX-License-Identifier: Apache-2.0
import Glibc

// The only program that links libddcutil, so that its crashes and hangs affect only this process. It serves the daemon
// that started it, one JSON object per line: see docs/internals/monitors.md.
//
//   brightness-ddc [SYSFS-ROOT]

let options = CommandLine.arguments.dropFirst()
if let option = options.first, options.count > 1 || !option.hasPrefix("/") {
    let text = "usage: brightness-ddc [SYSFS-ROOT], started by brightnessd\n"
    write(STDERR_FILENO, text, text.utf8.count)
    exit(2)
}

// Output of the library must not mix with answers.
let answers = dup(STDOUT_FILENO)
dup2(STDERR_FILENO, STDOUT_FILENO)

// The daemon ends it by closing its standard input: it must run until the monitors are restored at a stop.
for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }

serve(answers: answers, sysfsRoot: options.first ?? "/sys")
