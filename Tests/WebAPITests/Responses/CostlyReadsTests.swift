// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Testing

@testable import WebAPI

/// Reads that cost more with more displays or leases delay no other client of their shard.
@Suite(.timeLimit(.minutes(10))) struct CostlyReadsTests {
    private let served: ServedApplication

    init() throws { served = try ServedApplication(displays: Backend.fewDisplays + 1) }

    @Test(
        arguments: ["displays/all", "groups/hall"].flatMap { target in
            ["leases", "boost", "dim", "wake", "sleep", "power", "auto"].map { "/v1/\(target)/\($0)" }
        } + ["/v1/displays"]
    )
    func `a document about many displays is made on another thread`(path: String) async throws {
        let (head, treatment) = try served.get(path)
        #expect(head.hasPrefix("HTTP/1.1 200"))
        #expect(treatment?.isMadeElsewhere == true)
        await served.stop()
    }

    @Test func `every read waits for its turn, unless its cost is constant`() async throws {
        for resource in Resource.all where resource.methods.contains(.get) && !resource.isStream {
            let path = resource.path.text.replacing("{id}", with: "panel-1").replacing("{group}", with: "hall")
            let isConstant = ["/livez", "/readyz"].contains(path) || path.hasPrefix("/problems/")
            let mayBePostponed = try served.get(path).treatment?.mayBePostponed
            #expect(mayBePostponed == !(isConstant || path.hasPrefix("/assets/")), "\(path)")
        }
        // A state that is unchanged since the last request costs nothing.
        for mayBePostponed in [true, false] {
            #expect(try served.get("/v1/displays/panel-2").treatment?.mayBePostponed == mayBePostponed)
        }
        await served.stop()
    }
}
