// SPDX-License-Identifier: Apache-2.0
#include "WebAssets.h"

// A file that changes is embedded again by the next build. One that is added needs its lines here and in the list below.
static const unsigned char brightness_js[] = {
#embed "Files/brightness.js"
};
static const unsigned char brightness_ambient_js[] = {
#embed "Files/brightness/ambient.js"
};
static const unsigned char brightness_authorize_js[] = {
#embed "Files/brightness/authorize.js"
};
static const unsigned char brightness_boost_js[] = {
#embed "Files/brightness/boost.js"
};
static const unsigned char brightness_cover_js[] = {
#embed "Files/brightness/cover.js"
};
static const unsigned char brightness_display_js[] = {
#embed "Files/brightness/display.js"
};
static const unsigned char brightness_feed_js[] = {
#embed "Files/brightness/feed.js"
};
static const unsigned char brightness_gauge_js[] = {
#embed "Files/brightness/gauge.js"
};
static const unsigned char brightness_hold_js[] = {
#embed "Files/brightness/hold.js"
};
static const unsigned char brightness_page_js[] = {
#embed "Files/brightness/page.js"
};
static const unsigned char brightness_paint_js[] = {
#embed "Files/brightness/paint.js"
};
static const unsigned char brightness_screen_js[] = {
#embed "Files/brightness/screen.js"
};
static const unsigned char brightness_server_js[] = {
#embed "Files/brightness/server.js"
};
static const unsigned char brightness_stream_js[] = {
#embed "Files/brightness/stream.js"
};
static const unsigned char brightness_style_js[] = {
#embed "Files/brightness/style.js"
};
static const unsigned char brightness_visibility_js[] = {
#embed "Files/brightness/visibility.js"
};
static const unsigned char brightness_wake_js[] = {
#embed "Files/brightness/wake.js"
};
static const unsigned char brightness_warnings_js[] = {
#embed "Files/brightness/warnings.js"
};
static const unsigned char dashboard_card_css[] = {
#embed "Files/dashboard-card.css"
};
static const unsigned char dashboard_dialogs_css[] = {
#embed "Files/dashboard-dialogs.css"
};
static const unsigned char dashboard_few_css[] = {
#embed "Files/dashboard-few.css"
};
static const unsigned char dashboard_history_css[] = {
#embed "Files/dashboard-history.css"
};
static const unsigned char dashboard_list_css[] = {
#embed "Files/dashboard-list.css"
};
static const unsigned char dashboard_room_css[] = {
#embed "Files/dashboard-room.css"
};
static const unsigned char dashboard_schedules_css[] = {
#embed "Files/dashboard-schedules.css"
};
static const unsigned char dashboard_wall_css[] = {
#embed "Files/dashboard-wall.css"
};
static const unsigned char colors_css[] = {
#embed "Files/colors.css"
};
static const unsigned char dashboard_css[] = {
#embed "Files/dashboard.css"
};
static const unsigned char dashboard_js[] = {
#embed "Files/dashboard.js"
};
static const unsigned char dashboard_access_js[] = {
#embed "Files/dashboard/access.js"
};
static const unsigned char dashboard_bulk_js[] = {
#embed "Files/dashboard/bulk.js"
};
static const unsigned char dashboard_card_js[] = {
#embed "Files/dashboard/card.js"
};
static const unsigned char dashboard_cards_js[] = {
#embed "Files/dashboard/cards.js"
};
static const unsigned char dashboard_chart_js[] = {
#embed "Files/dashboard/chart.js"
};
static const unsigned char dashboard_colors_js[] = {
#embed "Files/dashboard/colors.js"
};
static const unsigned char dashboard_command_js[] = {
#embed "Files/dashboard/command.js"
};
static const unsigned char dashboard_day_js[] = {
#embed "Files/dashboard/day.js"
};
static const unsigned char dashboard_daytime_js[] = {
#embed "Files/dashboard/daytime.js"
};
static const unsigned char dashboard_early_js[] = {
#embed "Files/dashboard/early.js"
};
static const unsigned char dashboard_facts_js[] = {
#embed "Files/dashboard/facts.js"
};
static const unsigned char dashboard_formats_js[] = {
#embed "Files/dashboard/formats.js"
};
static const unsigned char dashboard_history_js[] = {
#embed "Files/dashboard/history.js"
};
static const unsigned char dashboard_leases_js[] = {
#embed "Files/dashboard/leases.js"
};
static const unsigned char dashboard_list_js[] = {
#embed "Files/dashboard/list.js"
};
static const unsigned char dashboard_machines_js[] = {
#embed "Files/dashboard/machines.js"
};
static const unsigned char dashboard_memory_js[] = {
#embed "Files/dashboard/memory.js"
};
static const unsigned char dashboard_message_js[] = {
#embed "Files/dashboard/message.js"
};
static const unsigned char dashboard_order_js[] = {
#embed "Files/dashboard/order.js"
};
static const unsigned char dashboard_overview_js[] = {
#embed "Files/dashboard/overview.js"
};
static const unsigned char dashboard_rights_js[] = {
#embed "Files/dashboard/rights.js"
};
static const unsigned char dashboard_room_js[] = {
#embed "Files/dashboard/room.js"
};
static const unsigned char dashboard_route_js[] = {
#embed "Files/dashboard/route.js"
};
static const unsigned char dashboard_row_js[] = {
#embed "Files/dashboard/row.js"
};
static const unsigned char dashboard_schedule_draft_js[] = {
#embed "Files/dashboard/schedule-draft.js"
};
static const unsigned char dashboard_schedule_form_js[] = {
#embed "Files/dashboard/schedule-form.js"
};
static const unsigned char dashboard_schedule_row_js[] = {
#embed "Files/dashboard/schedule-row.js"
};
static const unsigned char dashboard_schedule_words_js[] = {
#embed "Files/dashboard/schedule-words.js"
};
static const unsigned char dashboard_schedules_js[] = {
#embed "Files/dashboard/schedules.js"
};
static const unsigned char dashboard_sender_js[] = {
#embed "Files/dashboard/sender.js"
};
static const unsigned char dashboard_simulator_js[] = {
#embed "Files/dashboard/simulator.js"
};
static const unsigned char dashboard_status_js[] = {
#embed "Files/dashboard/status.js"
};
static const unsigned char dashboard_template_js[] = {
#embed "Files/dashboard/template.js"
};
static const unsigned char dashboard_tips_js[] = {
#embed "Files/dashboard/tips.js"
};
static const unsigned char dashboard_wall_js[] = {
#embed "Files/dashboard/wall.js"
};
static const unsigned char dashboard_words_js[] = {
#embed "Files/dashboard/words.js"
};
static const unsigned char brightness_d_ts[] = {
#embed "Files/brightness.d.ts"
};
static const unsigned char dashboard_html[] = {
#embed "Files/dashboard.html"
};
static const unsigned char dashboard_webmanifest[] = {
#embed "Files/dashboard.webmanifest"
};
static const unsigned char docs_css[] = {
#embed "Files/docs.css"
};
static const unsigned char docs_html[] = {
#embed "Files/docs.html"
};
static const unsigned char docs_js[] = {
#embed "Files/docs.js"
};
static const unsigned char icon_png[] = {
#embed "Files/icon.png"
};
static const unsigned char icon_svg[] = {
#embed "Files/icon.svg"
};
static const unsigned char openapi_json[] = {
#embed "Files/openapi.json"
};
static const unsigned char package_json[] = {
#embed "Files/package.json"
};
static const unsigned char openapi_yaml[] = {
#embed "../../openapi.yaml"
};
static const unsigned char asyncapi_yaml[] = {
#embed "../../asyncapi.yaml"
};

#define ASSET(name, bytes) {name, bytes, sizeof bytes}

static const WebAsset assets[] = {
    ASSET("brightness.js", brightness_js),
    ASSET("brightness/ambient.js", brightness_ambient_js),
    ASSET("brightness/authorize.js", brightness_authorize_js),
    ASSET("brightness/boost.js", brightness_boost_js),
    ASSET("brightness/cover.js", brightness_cover_js),
    ASSET("brightness/display.js", brightness_display_js),
    ASSET("brightness/feed.js", brightness_feed_js),
    ASSET("brightness/gauge.js", brightness_gauge_js),
    ASSET("brightness/hold.js", brightness_hold_js),
    ASSET("brightness/page.js", brightness_page_js),
    ASSET("brightness/paint.js", brightness_paint_js),
    ASSET("brightness/screen.js", brightness_screen_js),
    ASSET("brightness/server.js", brightness_server_js),
    ASSET("brightness/stream.js", brightness_stream_js),
    ASSET("brightness/style.js", brightness_style_js),
    ASSET("brightness/visibility.js", brightness_visibility_js),
    ASSET("brightness/wake.js", brightness_wake_js),
    ASSET("brightness/warnings.js", brightness_warnings_js),
    ASSET("dashboard-card.css", dashboard_card_css),
    ASSET("dashboard-dialogs.css", dashboard_dialogs_css),
    ASSET("dashboard-few.css", dashboard_few_css),
    ASSET("dashboard-history.css", dashboard_history_css),
    ASSET("dashboard-list.css", dashboard_list_css),
    ASSET("dashboard-room.css", dashboard_room_css),
    ASSET("dashboard-schedules.css", dashboard_schedules_css),
    ASSET("dashboard-wall.css", dashboard_wall_css),
    ASSET("colors.css", colors_css),
    ASSET("dashboard.css", dashboard_css),
    ASSET("dashboard.js", dashboard_js),
    ASSET("dashboard/access.js", dashboard_access_js),
    ASSET("dashboard/bulk.js", dashboard_bulk_js),
    ASSET("dashboard/card.js", dashboard_card_js),
    ASSET("dashboard/cards.js", dashboard_cards_js),
    ASSET("dashboard/chart.js", dashboard_chart_js),
    ASSET("dashboard/colors.js", dashboard_colors_js),
    ASSET("dashboard/command.js", dashboard_command_js),
    ASSET("dashboard/day.js", dashboard_day_js),
    ASSET("dashboard/daytime.js", dashboard_daytime_js),
    ASSET("dashboard/early.js", dashboard_early_js),
    ASSET("dashboard/facts.js", dashboard_facts_js),
    ASSET("dashboard/formats.js", dashboard_formats_js),
    ASSET("dashboard/history.js", dashboard_history_js),
    ASSET("dashboard/leases.js", dashboard_leases_js),
    ASSET("dashboard/list.js", dashboard_list_js),
    ASSET("dashboard/machines.js", dashboard_machines_js),
    ASSET("dashboard/memory.js", dashboard_memory_js),
    ASSET("dashboard/message.js", dashboard_message_js),
    ASSET("dashboard/order.js", dashboard_order_js),
    ASSET("dashboard/overview.js", dashboard_overview_js),
    ASSET("dashboard/rights.js", dashboard_rights_js),
    ASSET("dashboard/room.js", dashboard_room_js),
    ASSET("dashboard/route.js", dashboard_route_js),
    ASSET("dashboard/row.js", dashboard_row_js),
    ASSET("dashboard/schedule-draft.js", dashboard_schedule_draft_js),
    ASSET("dashboard/schedule-form.js", dashboard_schedule_form_js),
    ASSET("dashboard/schedule-row.js", dashboard_schedule_row_js),
    ASSET("dashboard/schedule-words.js", dashboard_schedule_words_js),
    ASSET("dashboard/schedules.js", dashboard_schedules_js),
    ASSET("dashboard/sender.js", dashboard_sender_js),
    ASSET("dashboard/simulator.js", dashboard_simulator_js),
    ASSET("dashboard/status.js", dashboard_status_js),
    ASSET("dashboard/template.js", dashboard_template_js),
    ASSET("dashboard/tips.js", dashboard_tips_js),
    ASSET("dashboard/wall.js", dashboard_wall_js),
    ASSET("dashboard/words.js", dashboard_words_js),
    ASSET("brightness.d.ts", brightness_d_ts),
    ASSET("dashboard.html", dashboard_html),
    ASSET("dashboard.webmanifest", dashboard_webmanifest),
    ASSET("docs.css", docs_css),
    ASSET("docs.html", docs_html),
    ASSET("docs.js", docs_js),
    ASSET("icon.png", icon_png),
    ASSET("icon.svg", icon_svg),
    ASSET("openapi.json", openapi_json),
    ASSET("package.json", package_json),
    ASSET("openapi.yaml", openapi_yaml),
    ASSET("asyncapi.yaml", asyncapi_yaml),
};

const WebAsset *web_assets(size_t *count) {
    *count = sizeof assets / sizeof *assets;
    return assets;
}
