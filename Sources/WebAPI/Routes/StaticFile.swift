// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// The files that are part of the program: the dashboard, the module for kiosk pages and the API's descriptions.
enum StaticFile: String, Hashable, CaseIterable {
    case page = "/"
    case openAPI = "/openapi.yaml"
    case asyncAPI = "/asyncapi.yaml"

    case brightness = "/brightness.js"
    case brightnessBoost = "/brightness/boost.js"
    case brightnessDisplay = "/brightness/display.js"
    case brightnessFeed = "/brightness/feed.js"
    case brightnessGauge = "/brightness/gauge.js"
    case brightnessHold = "/brightness/hold.js"
    case brightnessPage = "/brightness/page.js"
    case brightnessScreen = "/brightness/screen.js"
    case brightnessServer = "/brightness/server.js"
    case brightnessStream = "/brightness/stream.js"
    case brightnessStyle = "/brightness/style.js"

    case dashboard = "/dashboard.js"
    case dashboardStyle = "/dashboard.css"
    case dashboardAccess = "/dashboard/access.js"
    case dashboardCard = "/dashboard/card.js"
    case dashboardChart = "/dashboard/chart.js"
    case dashboardHistory = "/dashboard/history.js"
    case dashboardMemory = "/dashboard/memory.js"
    case dashboardRoom = "/dashboard/room.js"
    case dashboardSender = "/dashboard/sender.js"
    case dashboardSimulator = "/dashboard/simulator.js"
    case dashboardTips = "/dashboard/tips.js"
    case dashboardWords = "/dashboard/words.js"

    init?(path: String) { self.init(rawValue: path) }

    var response: Response {
        Response(
            status: 200,
            fields: [
                (
                    "Content-Type",
                    self == .openAPI || self == .asyncAPI ? mediaType.name : "\(mediaType.name); charset=utf-8"
                ),
                ("Cache-Control", "no-cache"),
                ("Content-Security-Policy", Self.policy),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
                // Pages of other origins may load the module, if they are allowed ones.
                ("Vary", "Origin, Accept-Encoding"),
            ],
            body: bytes
        )
    }

    /// As above; the same if it cannot be compressed.
    var compressed: Response {
        var response = self.response
        guard let body = Gzip.encode(response.body) else { return response }
        response.body = body
        response.fields.append(("Content-Encoding", "gzip"))
        return response
    }

    /// Nothing from any other host, no inline code, no markup from text.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'"

    var mediaType: MediaType {
        switch self {
        case .page: Self.html
        case .openAPI, .asyncAPI: Self.yaml
        case .dashboardStyle: Self.css
        default: Self.javaScript
        }
    }

    private static let html = MediaType("text/html")
    private static let javaScript = MediaType("text/javascript")
    private static let css = MediaType("text/css")
    private static let yaml = MediaType("application/yaml")

    private var bytes: [UInt8] {
        switch self {
        case .page: PackageResources.dashboard_html
        case .openAPI: PackageResources.openapi_yaml
        case .asyncAPI: PackageResources.asyncapi_yaml
        case .brightness: PackageResources.brightness_js
        case .brightnessBoost: PackageResources.boost_js
        case .brightnessDisplay: PackageResources.display_js
        case .brightnessFeed: PackageResources.feed_js
        case .brightnessGauge: PackageResources.gauge_js
        case .brightnessHold: PackageResources.hold_js
        case .brightnessPage: PackageResources.page_js
        case .brightnessScreen: PackageResources.screen_js
        case .brightnessServer: PackageResources.server_js
        case .brightnessStream: PackageResources.stream_js
        case .brightnessStyle: PackageResources.style_js
        case .dashboard: PackageResources.dashboard_js
        case .dashboardStyle: PackageResources.dashboard_css
        case .dashboardAccess: PackageResources.access_js
        case .dashboardCard: PackageResources.card_js
        case .dashboardChart: PackageResources.chart_js
        case .dashboardHistory: PackageResources.history_js
        case .dashboardMemory: PackageResources.memory_js
        case .dashboardRoom: PackageResources.room_js
        case .dashboardSender: PackageResources.sender_js
        case .dashboardSimulator: PackageResources.simulator_js
        case .dashboardTips: PackageResources.tips_js
        case .dashboardWords: PackageResources.words_js
        }
    }
}
