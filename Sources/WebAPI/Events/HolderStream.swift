// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// An open stream that names its holders: from the day it is made until it is let go, they count as being there.
final class HolderStream {
    private let service: DisplayService
    private let holders: Set<String>
    private let principal: Principal
    private let now: @Sendable () -> Moment

    init(
        of holders: Set<String>,
        _ principal: Principal,
        _ service: DisplayService,
        now: @escaping @Sendable () -> Moment
    ) {
        self.service = service
        self.holders = holders
        self.principal = principal
        self.now = now
        for holder in holders { service.streamOpened(by: holder, of: principal, at: now()) }
    }

    deinit {
        for holder in holders { service.streamClosed(by: holder, of: principal, at: now()) }
    }
}
