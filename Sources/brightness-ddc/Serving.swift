// SPDX-License-Identifier: Apache-2.0
import DDCWire
import Dispatch
import Glibc

/// Serves requests until standard input ends, then ends the process, also while the library hangs: it never outlives
/// its daemon. (`PR_SET_PDEATHSIG` depends on the *thread* that started it.)
func serve(answers: Int32, sysfsRoot: String) -> Never {
    // Only one thread uses the library.
    let queue = DispatchQueue(label: "ddc")
    // Used on this queue only.
    nonisolated(unsafe) let monitors = Monitors(connectors: Connectors(sysfsRoot: sysfsRoot))
    while let line = readLine() {
        guard let request = WireObject(line: line.utf8), let number = request.number("number") else { continue }
        queue.async {
            for answer in monitors.answers(to: request) { send(answer, to: number, answers) }
        }
    }
    _exit(0)
}

private func send(_ answer: [String: WireObject.Value], to number: Int, _ descriptor: Int32) {
    let line = WireObject(answer.merging(["number": .number(number)]) { $1 }).line
    var rest = line[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno != EINTR { _exit(1) }
        rest = rest.dropFirst(max(0, count))
    }
}
