// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The window in which Home Assistant may set the key of its connections.
    static let keyWindow = Resource(
        "/v1/home-assistant/key-window",
        .get(read),
        .write(.put, scope: .admin, open),
        .write(.delete, scope: .admin, close)
    )
}

/// In seconds.
private let (defaultTTL, allowedTTL) = (300.0, 30.0...900.0)

private func read(_ context: RequestContext) throws(Problem) -> Reply { try reply(find(context), in: context) }

private func open(_ context: RequestContext) throws(Problem) -> Reply {
    let window = try find(context)
    var body = try context.body(isOptional: true)
    let ttl = try body.number("ttl", in: allowedTTL) ?? defaultTTL
    try body.end()
    do throws(KeyWindowError) {
        try window.open(for: .seconds(ttl), at: context.backend.surface.now().instant)
    } catch {
        throw Problem(.forbidden, "\(error.rawValue) Nothing was changed.")
    }
    return try reply(window, in: context)
}

private func close(_ context: RequestContext) throws(Problem) -> Reply {
    try find(context).close()
    return .now(.noContent)
}

private func find(_ context: RequestContext) throws(Problem) -> any KeyWindow {
    guard let window = context.backend.configuration.keyWindow else {
        throw Problem(.notFound, "This daemon has no server for Home Assistant. Start it with --esphome 6053.")
    }
    return window
}

private func reply(_ window: any KeyWindow, in context: RequestContext) throws(Problem) -> Reply {
    let (key, left) = window.state(at: context.backend.surface.now().instant)
    return .now(
        .json(
            JSONWriter.object { json in
                json.member("key", key.rawValue)
                json.member("ttl", decimal: left.map { ($0 / .seconds(1)).rounded(.up) })
            }
        )
    )
}
