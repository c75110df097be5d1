// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Testing

#if compiler(>=6.2)
    // Earlier compilers have no exit tests.
    @Suite struct PanicTests {
        @Test func `a panic of libmicrohttpd logs its reason before the process ends`() async throws {
            let result = await #expect(processExitsWith: .signal(6), observing: [\.standardErrorContent]) {
                cmhd_panic(nil, "daemon.c", 7_518, "suspended connections")
            }
            let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(said.contains("libmicrohttpd: suspended connections (daemon.c:7518)"))
        }
    }
#endif
