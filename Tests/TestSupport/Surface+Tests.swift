// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension Surface {
    /// A surface of a test's displays and hub.
    package init(
        _ service: DisplayService,
        _ hub: NotificationHub,
        writeQuota: WriteQuota? = nil,
        now: @escaping @Sendable () -> Moment = { .start }
    ) {
        let viewers = ViewerCount(poster: hub.poster)
        self.init(service, hub.source, hub.poster, viewers: viewers, writeQuota: writeQuota, now: now)
    }
}
