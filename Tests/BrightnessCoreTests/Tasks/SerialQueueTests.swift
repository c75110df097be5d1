// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Dispatch
import Testing

@Suite(.timeLimit(.minutes(10))) struct SerialQueueTests {
    @Test func `jobs run in the order of their submission`() async throws {
        let queue = SerialQueue("a")
        let (ran, run) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<1_000 { queue.enqueue { run.yield(number) } }
        queue.enqueue { run.finish() }
        var order: [Int] = []
        for await number in ran { order.append(number) }
        #expect(order == Array(0..<1_000))
    }

    @Test func `more blocking panels than cores block no other panel`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let (ended, end) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<16 {
            SerialQueue("blocked\(number)").enqueue {
                gate.wait()
                end.yield(number)
            }
        }
        let free = SerialQueue("free")
        free.enqueue {
            end.yield(-1)
            for _ in 0..<16 { gate.signal() }
        }
        var order: [Int] = []
        for await number in ended {
            order.append(number)
            if order.count == 17 { break }
        }
        #expect(order.first == -1)
        #expect(order.sorted() == Array(-1..<16))
    }
}
