// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A holder's open stream: from the day it is made until it is let go, the holder counts as being there.
final class HolderStream {
    private let service: DisplayService
    private let holder: String
    private let now: @Sendable () -> Moment

    init(of holder: String, _ service: DisplayService, now: @escaping @Sendable () -> Moment) {
        self.service = service
        self.holder = holder
        self.now = now
        service.streamOpened(by: holder, at: now())
    }

    deinit { service.streamClosed(by: holder, at: now()) }
}
