// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Support

extension Resource {
    /// The ambient light: the data of the newest `ambient` event; and the readings of remote sensors.
    static let ambient = [
        Resource("/v1/ambient", .get(read)),
        Resource("/v1/ambient/{name}", .write(.put, put), .write(.delete, remove)),
    ]
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    context.countAsViewer()
    guard case .ambient(let ambient) = context.backend.source.retained(.ambient) else {
        throw Problem(
            .notFound,
            "No light sensor has had a reading yet, and no display has an estimate. brightnessd probe lists the "
                + "sensors."
        )
    }
    return .now(.json(ambient.json))
}

private func put(_ context: RequestContext) throws(Problem) -> Reply {
    let name = try LightReport.name(context.parameter("name") ?? "")
    let command = try LightReportCommand(from: context.body())
    try command.execute(on: context.lightReports, name, at: context.backend.surface.now().instant)
    return .now(.noContent)
}

private func remove(_ context: RequestContext) throws(Problem) -> Reply {
    let text = context.parameter("name") ?? ""
    let (reports, now) = (context.lightReports, context.backend.surface.now().instant)
    guard let name = SensorName(text), reports.remove(name, at: now) else {
        let nearest = Suggestion.nearest(to: text, among: reports.all(at: now).map(\.name.text))
        let question = nearest.map { " Did you mean \"\($0)\"?" } ?? ""
        throw Problem(
            .notFound,
            "No current reading has the name \"\(text.plain(upTo: 64))\". It may have ended.\(question)"
        )
    }
    return .now(.noContent)
}

extension RequestContext {
    /// Counts the client as a viewer for `ViewerCount.readerTime`, so that sensors are read at the fast rate.
    func countAsViewer() { backend.surface.viewers.countReader(at: backend.surface.now().instant) }

    fileprivate var lightReports: LightReports { backend.configuration.lightReports }
}
