// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The entry point of libFuzzer. `FUZZ_TARGET` selects the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try chosen.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        say("BROKEN: \(error)")
        // libFuzzer stores the last input.
        abort()
    }
    return 0
}

private let chosen: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        say("FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
        exit(2)
    }
    return target
}()

private func say(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
