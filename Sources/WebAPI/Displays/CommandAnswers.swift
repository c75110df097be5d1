// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Synchronization

/// What came of a command on one display, as an answer.
struct CommandAnswer: Sendable {
    /// What a client is answered with when the command was carried out.
    enum Shape: Sendable {
        case state, lease
    }

    let display: DisplayID
    let response: Response
    /// What the body is, as a member of the answer for all displays.
    let name: StaticString
    /// Why it was not carried out.
    private(set) var problem: Problem?

    init(_ result: Result<Answer, CommandError>, of id: DisplayID, in epoch: Epoch, as shape: Shape) {
        display = id
        switch result {
        case .failure(let error):
            let problem = Problem(error, display: id)
            response = problem.response
            name = "problem"
            self.problem = problem
        case .success(let answer):
            // A lease that ended in the meantime is answered with what is left: the state.
            guard shape == .lease, let event = answer.events.first else {
                response = .state(answer.state, in: epoch)
                name = "state"
                return
            }
            let location = "/v1/displays/\(id)/boosts/\(event.lease.id.text)"
            response = .json(
                event.lease.json,
                status: event.change == .granted ? 201 : 200,
                fields: [("Location", location)]
            )
            name = "lease"
        }
    }

    /// There is no answer yet: the panel is slow.
    init(accepted state: DisplayState, in epoch: Epoch) {
        display = state.id
        response = .state(state, in: epoch, status: 202)
        name = "state"
    }
}

/// The answers of one or all displays to a command, as they come in. Any thread.
final class CommandAnswers: Sendable {
    let displays: [DisplayID]
    private let service: DisplayService
    /// Every display was asked, not one by its name.
    private let isForAll: Bool
    private let answers = Mutex<[DisplayID: CommandAnswer]>([:])

    init(from displays: [DisplayID], _ service: DisplayService, isForAll: Bool) {
        self.displays = displays
        self.service = service
        self.isForAll = isForAll
    }

    /// Has every one of the displays carry out a command.
    ///
    /// - Parameter completion: Called once, on any thread, when all answers are there; at once if there are no displays.
    func submit(
        _ command: Command,
        as shape: CommandAnswer.Shape,
        at now: Moment,
        completion: @escaping @Sendable () -> Void
    ) {
        guard !displays.isEmpty else { return completion() }
        for id in displays {
            service.submit(command, to: id, at: now) { result in
                if self.add(CommandAnswer(result, of: id, in: self.service.epoch, as: shape)) { completion() }
            }
        }
    }

    /// Returns whether it was the last.
    private func add(_ answer: CommandAnswer) -> Bool {
        answers.withLock { answers in
            answers[answer.display] = answer
            return answers.count == displays.count
        }
    }

    /// The one answer, or one entry a display: 200 if all did it, else 207.
    var response: Response {
        let answers = complete
        if !isForAll, let only = answers.first { return only.response }
        return .json(Self.results(answers), status: answers.allSatisfy { $0.response.status < 300 } ? 200 : 207)
    }

    /// The same without HTTP's words.
    var result: Result<[UInt8], Problem> {
        let answers = complete
        guard !isForAll, let only = answers.first else { return .success(Self.results(answers)) }
        return only.problem.map { .failure($0) } ?? .success(only.response.body)
    }

    private var complete: [CommandAnswer] {
        let answers = answers.withLock { $0 }
        return displays.compactMap { id in
            answers[id] ?? service.state(of: id).map { CommandAnswer(accepted: $0, in: service.epoch) }
        }
    }

    private static func results(_ answers: [CommandAnswer]) -> [UInt8] {
        JSONWriter.object { json in
            json.name("results")
            json.array(answers) { json, answer in
                json.object { json in
                    json.member("display", answer.display.text)
                    json.member("status", answer.response.status)
                    json.name(answer.name)
                    json.raw(answer.response.body)
                }
            }
        }
    }
}
