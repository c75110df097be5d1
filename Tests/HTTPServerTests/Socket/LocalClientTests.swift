// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import HTTPServer

@Suite struct LocalClientTests {
    @Test func `the peer of a Unix socket is identified by its user`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(try #require(LocalClient(on: ends[0])).user == geteuid())
    }

    @Test func `a TCP socket has no local client`() {
        let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(network) }
        #expect(LocalClient(on: network) == nil)
    }

    /// If the buffer is too small, the kernel returns an error and the number of groups.
    @Test(arguments: [0, 1, LocalClient.defaultGroups])
    func `all groups are read with a first buffer of any size`(room: Int) throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        var own = [gid_t](repeating: 0, count: 65_536)
        let count = Int(getgroups(Int32(own.count), &own))
        let groups = try #require(LocalClient.numbers(SO_PEERGROUPS, of: ends[0], expecting: room))
        #expect(groups.sorted() == own.prefix(count).sorted())
    }
}
