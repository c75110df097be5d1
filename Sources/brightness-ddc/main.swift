// SPDX-License-Identifier: Apache-2.0
import Glibc

// The only program that links libddcutil: what it does when it crashes or hangs, it does to this process. It serves the
// daemon that started it, one JSON object a line, and is no program for people: see docs/explanation/monitors.md.
//
//   brightness-ddc [SYSFS-ROOT]

let options = CommandLine.arguments.dropFirst()
if let option = options.first, options.count > 1 || !option.hasPrefix("/") {
    let text = "brightness-ddc is started by brightnessd, with the directory where sysfs is mounted and nothing else\n"
    write(STDERR_FILENO, text, text.utf8.count)
    exit(2)
}

// What the library prints must not be taken for an answer.
let answers = dup(STDOUT_FILENO)
dup2(STDERR_FILENO, STDOUT_FILENO)

// The daemon ends it, by closing its standard input: it must be there to put the monitors back when everybody is told to
// stop.
for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }

serve(answers: answers, sysfsRoot: options.first ?? "/sys")
