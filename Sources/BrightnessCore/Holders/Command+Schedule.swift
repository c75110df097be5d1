// SPDX-License-Identifier: Apache-2.0

extension ScheduleBoard.Action {
    var display: DisplayID {
        switch self {
        case .begin(_, let display), .end(_, let display): display
        }
    }

    /// The command that carries it out.
    var command: Command {
        var command: Command
        switch self {
        case .begin(let schedule, _):
            command = Command(schedule.begin, transition: schedule.transition)
            command.by = schedule.holder
        case .end(let schedule, _):
            command = Command(
                .restore(holder: schedule.holder, kind: schedule.leaseKind),
                transition: schedule.transition
            )
            command.by = schedule.holder
        }
        command.channel = .schedule
        return command
    }
}

extension Schedule {
    fileprivate var begin: Command.Action {
        switch effect {
        case .baseline(let brightness):
            .set(.fraction(brightness))
        case .lease(let kind, let brightness):
            // It ends with the daemon, which takes it again at the next start.
            .grant(LeaseRequest(kind, brightness: brightness, lifespan: .lifetime, holder: holder))
        }
    }
}
