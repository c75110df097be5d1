// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension WebApplication {
    /// `GET /v1/simulator`.
    func room() throws(Problem) -> Response { .json(try simulator().room.json) }

    /// `PATCH /v1/simulator`: answers what the room is then.
    func changeRoom(_ request: Request) throws(Problem) -> Response {
        let simulator = try simulator()
        let change = try RoomChange(from: RequestBody(of: request, isOptional: false))
        do throws(RoomError) {
            try simulator.change(change)
        } catch {
            switch error {
            case .unknownDisplay(let id): throw RoomChange.unknown(id.text)
            }
        }
        return .json(simulator.room.json)
    }

    private func simulator() throws(Problem) -> any Simulator {
        guard let simulator = configuration.simulator,
            service.all.states.contains(where: { $0.kind == .simulated })
        else {
            throw Problem(.notFound, "No display here is simulated, so there is no room to look at.")
        }
        return simulator
    }
}
