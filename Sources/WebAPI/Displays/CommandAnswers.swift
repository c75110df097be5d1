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

    init(_ result: Result<Answer, CommandError>, of id: DisplayID, in epoch: Epoch, as shape: Shape) {
        display = id
        switch result {
        case .failure(let error):
            response = Problem(error, display: id).response
            name = "problem"
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
    private let displays: [DisplayID]
    private let service: DisplayService
    private let answers = Mutex<[DisplayID: CommandAnswer]>([:])

    init(from displays: [DisplayID], _ service: DisplayService) {
        self.displays = displays
        self.service = service
    }

    /// Returns whether it was the last.
    func add(_ answer: CommandAnswer) -> Bool {
        answers.withLock { answers in
            answers[answer.display] = answer
            return answers.count == displays.count
        }
    }

    /// The one answer, or with `forAll` one entry a display: 200 if all did it, else 207.
    func response(forAll isForAll: Bool) -> Response {
        let answers = answers.withLock { $0 }
        let complete = displays.compactMap { id in
            answers[id] ?? service.state(of: id).map { CommandAnswer(accepted: $0, in: service.epoch) }
        }
        if !isForAll, let only = complete.first { return only.response }
        let body = JSONWriter.object { json in
            json.name("results")
            json.array(complete) { json, answer in
                json.object { json in
                    json.member("display", answer.display.text)
                    json.member("status", answer.response.status)
                    json.name(answer.name)
                    json.raw(answer.response.body)
                }
            }
        }
        return .json(body, status: complete.allSatisfy { $0.response.status < 300 } ? 200 : 207)
    }
}
