// SPDX-License-Identifier: Apache-2.0

/// The body of responses to several requests, in memory that they share until all of them are sent.
final class SharedBody: @unchecked Sendable {  // written by `init` alone
    private let memory: UnsafeMutableRawBufferPointer

    init(_ body: [UInt8]) {
        memory = .allocate(byteCount: body.count, alignment: 1)
        memory.copyBytes(from: body)
    }

    deinit { memory.deallocate() }

    var count: Int { memory.count }

    /// Valid while this object exists.
    var start: UnsafeMutableRawPointer? { memory.baseAddress }

    var bytes: [UInt8] { Array(memory) }
}
