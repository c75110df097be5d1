// SPDX-License-Identifier: Apache-2.0

extension ScheduleBoard.Action {
    var display: DisplayID {
        switch self {
        case .begin(_, let display), .end(_, let display): display
        }
    }

    /// The command that carries it out.
    var command: Command {
        let (schedule, action) =
            switch self {
            case .begin(let schedule, _): (schedule, schedule.begin)
            case .end(let schedule, _): (schedule, .restore(holder: schedule.holder, kind: schedule.leaseKind))
            }
        var command = Command(action, transition: schedule.transition)
        command.by = schedule.holder
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
