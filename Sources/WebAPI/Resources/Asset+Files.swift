// SPDX-License-Identifier: Apache-2.0
import HTTPServer

extension Asset {
    /// A file of the pages: its path below the version, and its content.
    struct File: Sendable {
        let name: String
        let mediaType: MediaType
        let bytes: [UInt8]

        fileprivate init(_ name: String, _ bytes: [UInt8], _ mediaType: MediaType = .javaScript) {
            self.name = name
            self.mediaType = mediaType
            self.bytes = bytes
        }
    }

    /// `/brightness.js` and its parts.
    static let module = [
        File("brightness.js", PackageResources.brightness_js),
        File("brightness/authorize.js", PackageResources.authorize_js),
        File("brightness/boost.js", PackageResources.boost_js),
        File("brightness/cover.js", PackageResources.cover_js),
        File("brightness/display.js", PackageResources.display_js),
        File("brightness/feed.js", PackageResources.feed_js),
        File("brightness/gauge.js", PackageResources.gauge_js),
        File("brightness/hold.js", PackageResources.hold_js),
        File("brightness/page.js", PackageResources.page_js),
        File("brightness/paint.js", PackageResources.paint_js),
        File("brightness/screen.js", PackageResources.screen_js),
        File("brightness/server.js", PackageResources.server_js),
        File("brightness/stream.js", PackageResources.stream_js),
        File("brightness/style.js", PackageResources.style_js),
        File("brightness/visibility.js", PackageResources.visibility_js),
        File("brightness/warnings.js", PackageResources.warnings_js),
    ]

    static let dashboard = [
        File("dashboard.css", PackageResources.dashboard_css, .css),
        File("dashboard-card.css", PackageResources.dashboard_card_css, .css),
        File("dashboard-dialogs.css", PackageResources.dashboard_dialogs_css, .css),
        File("dashboard-few.css", PackageResources.dashboard_few_css, .css),
        File("dashboard-history.css", PackageResources.dashboard_history_css, .css),
        File("dashboard-list.css", PackageResources.dashboard_list_css, .css),
        File("dashboard-room.css", PackageResources.dashboard_room_css, .css),
        File("dashboard-wall.css", PackageResources.dashboard_wall_css, .css),
        File("dashboard.js", PackageResources.dashboard_js),
        File("dashboard/access.js", PackageResources.access_js),
        File("dashboard/bulk.js", PackageResources.bulk_js),
        File("dashboard/card.js", PackageResources.card_js),
        File("dashboard/cards.js", PackageResources.cards_js),
        File("dashboard/chart.js", PackageResources.chart_js),
        File("dashboard/colors.js", PackageResources.colors_js),
        File("dashboard/command.js", PackageResources.command_js),
        File("dashboard/early.js", PackageResources.early_js),
        File("dashboard/facts.js", PackageResources.facts_js),
        File("dashboard/formats.js", PackageResources.formats_js),
        File("dashboard/history.js", PackageResources.history_js),
        File("dashboard/leases.js", PackageResources.leases_js),
        File("dashboard/list.js", PackageResources.list_js),
        File("dashboard/memory.js", PackageResources.memory_js),
        File("dashboard/message.js", PackageResources.message_js),
        File("dashboard/order.js", PackageResources.order_js),
        File("dashboard/overview.js", PackageResources.overview_js),
        File("dashboard/rights.js", PackageResources.rights_js),
        File("dashboard/room.js", PackageResources.room_js),
        File("dashboard/route.js", PackageResources.route_js),
        File("dashboard/row.js", PackageResources.row_js),
        File("dashboard/sender.js", PackageResources.sender_js),
        File("dashboard/simulator.js", PackageResources.simulator_js),
        File("dashboard/status.js", PackageResources.status_js),
        File("dashboard/template.js", PackageResources.template_js),
        File("dashboard/tips.js", PackageResources.tips_js),
        File("dashboard/wall.js", PackageResources.wall_js),
        File("dashboard/words.js", PackageResources.words_js),
    ]

    static let pictures = [
        File("dashboard.webmanifest", PackageResources.dashboard_webmanifest, .manifest),
        File("icon.png", PackageResources.icon_png, .png),
        File("icon.svg", PackageResources.icon_svg, .svg),
    ]
}
