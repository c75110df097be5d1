// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import HTTPServer

@Suite struct LocalClientTests {
    @Test func `the other end of a Unix socket is known by its user`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(try #require(LocalClient(on: ends[0])).user == geteuid())
    }

    @Test func `a socket that is not a Unix socket has no local client`() {
        let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(network) }
        #expect(LocalClient(on: network) == nil)
    }

    /// The kernel refuses groups for which there is no room, and reports how many there are.
    @Test(arguments: [0, 1, LocalClient.usualGroups])
    func `all groups are read, however many there is room for at first`(room: Int) throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        var own = [gid_t](repeating: 0, count: 65_536)
        let count = Int(getgroups(Int32(own.count), &own))
        let groups = try #require(LocalClient.numbers(SO_PEERGROUPS, of: ends[0], atMost: room))
        #expect(groups.sorted() == own.prefix(count).sorted())
    }
}
