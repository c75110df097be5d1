// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct CurveCommand: SettingCommand {
    static let setting = "curve"

    static let configuration = CommandConfiguration(
        commandName: setting,
        abstract: "Sets how a display's brightness maps to its panel's range.",
        discussion: """
            linear: the panel's own steps. perceptual: percent as eyes see it, for panels whose steps are linear in \
            light. 0:3,50:30,100:80: points, percent of brightness to percent of the panel; the first and the last are \
            the range in use. brightness curve DP-1 prints it. A token needs the scope admin.
            """
    )

    @OptionGroup var options: ClientOptions

    @Argument(help: "linear, perceptual, or points such as 0:3,50:30,100:80.")
    var curve: String?

    @Flag(help: "Use the daemon's option --curve again, or linear without it.")
    var reset = false

    var value: ClientRequest.Value? {
        get throws {
            guard let curve else { return nil }
            switch PanelCurve(curve) {
            case .linear: return .text("linear")
            case .perceptual: return .text("perceptual")
            case .points(let points): return .points(points.all.map { [$0.brightness, $0.level] })
            case nil:
                throw ClientError.usage(
                    """
                    "\(curve.shown)" is not a curve: write linear, perceptual, or 2 to \
                    \(PanelCurve.Points.limit) points such as 0:3,50:30,100:80, where the first number rises from 0 to \
                    100 and the second rises as well.
                    """
                )
            }
        }
    }

    func text(of state: DisplayState) -> String { state.range.curve.text() }
}
