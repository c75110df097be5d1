// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import BrightnessCore

private final class Sleep: Sendable {
    let total = Mutex(Duration.seconds(100))
}

struct ResumeDetectorTests {
    @Test func `a sleep is posted once, and the difference of two clocks is none`() {
        let (hub, sleep) = (NotificationHub(), Sleep())
        let detector = ResumeDetector(poster: hub.poster) { sleep.total.withLock { $0 } }
        let listener = hub.source.listen(to: NotificationFilter([.resumed])) {}
        var posted: [Int] = []
        for total in [100.0, 100.9, 110, 110, 111.5] {
            sleep.total.withLock { $0 = .seconds(total) }
            detector.check()
            posted.append(listener.drain().count)
        }
        #expect(posted == [0, 0, 1, 0, 1])
    }
}
