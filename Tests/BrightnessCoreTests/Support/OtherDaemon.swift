// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A daemon whose displays are mirrored. Passes each command that it receives on, and answers none.
final class OtherDaemon: CommandExecutor {
    private let receive: @Sendable (Command) -> Void

    init(receive: @escaping @Sendable (Command) -> Void) { self.receive = receive }

    func hasRoom(for count: Int, of principal: Principal) -> Bool { true }

    func submit(
        _ command: Command,
        to displays: [DisplayID],
        at now: Moment,
        completion: @escaping DisplayService.ListCompletion
    ) {
        receive(command)
    }
}
