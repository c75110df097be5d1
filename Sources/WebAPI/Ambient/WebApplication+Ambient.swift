// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension WebApplication {
    /// `GET /v1/ambient`: what the newest `ambient` event said.
    func ambient() throws(Problem) -> Response {
        guard case .ambient(let ambient) = source.retained(.ambient) else {
            throw Problem(
                .unknownLight,
                "There is no light sensor here that has said anything yet, nor a stand-in for one."
            )
        }
        return .json(ambient.json)
    }
}
