// SPDX-License-Identifier: Apache-2.0
import Glibc
import Support
import Testing

@Suite struct RegularFileTests {
    @Test func `a pipe without a writer is refused at once`() throws {
        var ends: [Int32] = [-1, -1]
        let isOpen = pipe(&ends) == 0
        try #require(isOpen)
        let path = "/proc/self/fd/\(ends[0])"
        defer { close(ends[0]) }
        close(ends[1])
        let failure = #expect(throws: RegularFile.Failure.self) { try RegularFile.read(path, upTo: 1) }
        #expect(failure?.reason == "it is not a regular file")
    }
}
