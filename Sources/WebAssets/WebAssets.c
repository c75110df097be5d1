// SPDX-License-Identifier: Apache-2.0
#include "WebAssets.h"

// The embedded files: an identifier, the name, and the path from this directory. A new file needs its line here.
#define ASSETS(each) \
    each(brightness_js, "brightness.js", "Files/brightness.js") \
    each(brightness_ambient_js, "brightness/ambient.js", "Files/brightness/ambient.js") \
    each(brightness_authorize_js, "brightness/authorize.js", "Files/brightness/authorize.js") \
    each(brightness_backlight_js, "brightness/backlight.js", "Files/brightness/backlight.js") \
    each(brightness_boost_js, "brightness/boost.js", "Files/brightness/boost.js") \
    each(brightness_cover_js, "brightness/cover.js", "Files/brightness/cover.js") \
    each(brightness_display_js, "brightness/display.js", "Files/brightness/display.js") \
    each(brightness_feed_js, "brightness/feed.js", "Files/brightness/feed.js") \
    each(brightness_gauge_js, "brightness/gauge.js", "Files/brightness/gauge.js") \
    each(brightness_hold_js, "brightness/hold.js", "Files/brightness/hold.js") \
    each(brightness_page_js, "brightness/page.js", "Files/brightness/page.js") \
    each(brightness_paint_js, "brightness/paint.js", "Files/brightness/paint.js") \
    each(brightness_palette_js, "brightness/palette.js", "Files/brightness/palette.js") \
    each(brightness_provider_js, "brightness/provider.js", "Files/brightness/provider.js") \
    each(brightness_screen_js, "brightness/screen.js", "Files/brightness/screen.js") \
    each(brightness_server_js, "brightness/server.js", "Files/brightness/server.js") \
    each(brightness_stream_js, "brightness/stream.js", "Files/brightness/stream.js") \
    each(brightness_style_js, "brightness/style.js", "Files/brightness/style.js") \
    each(brightness_touches_js, "brightness/touches.js", "Files/brightness/touches.js") \
    each(brightness_veil_js, "brightness/veil.js", "Files/brightness/veil.js") \
    each(brightness_visibility_js, "brightness/visibility.js", "Files/brightness/visibility.js") \
    each(brightness_wake_js, "brightness/wake.js", "Files/brightness/wake.js") \
    each(brightness_wants_js, "brightness/wants.js", "Files/brightness/wants.js") \
    each(brightness_warnings_js, "brightness/warnings.js", "Files/brightness/warnings.js") \
    each(dashboard_card_css, "dashboard-card.css", "Files/dashboard-card.css") \
    each(dashboard_dialogs_css, "dashboard-dialogs.css", "Files/dashboard-dialogs.css") \
    each(dashboard_few_css, "dashboard-few.css", "Files/dashboard-few.css") \
    each(dashboard_history_css, "dashboard-history.css", "Files/dashboard-history.css") \
    each(dashboard_list_css, "dashboard-list.css", "Files/dashboard-list.css") \
    each(dashboard_room_css, "dashboard-room.css", "Files/dashboard-room.css") \
    each(dashboard_schedules_css, "dashboard-schedules.css", "Files/dashboard-schedules.css") \
    each(dashboard_wall_css, "dashboard-wall.css", "Files/dashboard-wall.css") \
    each(colors_css, "colors.css", "Files/colors.css") \
    each(dashboard_css, "dashboard.css", "Files/dashboard.css") \
    each(dashboard_js, "dashboard.js", "Files/dashboard.js") \
    each(dashboard_access_js, "dashboard/access.js", "Files/dashboard/access.js") \
    each(dashboard_alike_js, "dashboard/alike.js", "Files/dashboard/alike.js") \
    each(dashboard_bulk_js, "dashboard/bulk.js", "Files/dashboard/bulk.js") \
    each(dashboard_card_js, "dashboard/card.js", "Files/dashboard/card.js") \
    each(dashboard_cards_js, "dashboard/cards.js", "Files/dashboard/cards.js") \
    each(dashboard_chart_js, "dashboard/chart.js", "Files/dashboard/chart.js") \
    each(dashboard_colors_js, "dashboard/colors.js", "Files/dashboard/colors.js") \
    each(dashboard_command_js, "dashboard/command.js", "Files/dashboard/command.js") \
    each(dashboard_day_js, "dashboard/day.js", "Files/dashboard/day.js") \
    each(dashboard_daytime_js, "dashboard/daytime.js", "Files/dashboard/daytime.js") \
    each(dashboard_early_js, "dashboard/early.js", "Files/dashboard/early.js") \
    each(dashboard_facts_js, "dashboard/facts.js", "Files/dashboard/facts.js") \
    each(dashboard_fingers_js, "dashboard/fingers.js", "Files/dashboard/fingers.js") \
    each(dashboard_formats_js, "dashboard/formats.js", "Files/dashboard/formats.js") \
    each(dashboard_history_js, "dashboard/history.js", "Files/dashboard/history.js") \
    each(dashboard_home_assistant_js, "dashboard/home-assistant.js", "Files/dashboard/home-assistant.js") \
    each(dashboard_leases_js, "dashboard/leases.js", "Files/dashboard/leases.js") \
    each(dashboard_list_js, "dashboard/list.js", "Files/dashboard/list.js") \
    each(dashboard_machines_js, "dashboard/machines.js", "Files/dashboard/machines.js") \
    each(dashboard_memory_js, "dashboard/memory.js", "Files/dashboard/memory.js") \
    each(dashboard_message_js, "dashboard/message.js", "Files/dashboard/message.js") \
    each(dashboard_name_dialog_js, "dashboard/name-dialog.js", "Files/dashboard/name-dialog.js") \
    each(dashboard_order_js, "dashboard/order.js", "Files/dashboard/order.js") \
    each(dashboard_overview_js, "dashboard/overview.js", "Files/dashboard/overview.js") \
    each(dashboard_place_field_js, "dashboard/place-field.js", "Files/dashboard/place-field.js") \
    each(dashboard_places_js, "dashboard/places.js", "Files/dashboard/places.js") \
    each(dashboard_presets_js, "dashboard/presets.js", "Files/dashboard/presets.js") \
    each(dashboard_removal_js, "dashboard/removal.js", "Files/dashboard/removal.js") \
    each(dashboard_rename_js, "dashboard/rename.js", "Files/dashboard/rename.js") \
    each(dashboard_rights_js, "dashboard/rights.js", "Files/dashboard/rights.js") \
    each(dashboard_room_js, "dashboard/room.js", "Files/dashboard/room.js") \
    each(dashboard_route_js, "dashboard/route.js", "Files/dashboard/route.js") \
    each(dashboard_row_js, "dashboard/row.js", "Files/dashboard/row.js") \
    each(dashboard_schedule_draft_js, "dashboard/schedule-draft.js", "Files/dashboard/schedule-draft.js") \
    each(dashboard_schedule_form_js, "dashboard/schedule-form.js", "Files/dashboard/schedule-form.js") \
    each(dashboard_schedule_row_js, "dashboard/schedule-row.js", "Files/dashboard/schedule-row.js") \
    each(dashboard_schedule_words_js, "dashboard/schedule-words.js", "Files/dashboard/schedule-words.js") \
    each(dashboard_schedules_js, "dashboard/schedules.js", "Files/dashboard/schedules.js") \
    each(dashboard_sender_js, "dashboard/sender.js", "Files/dashboard/sender.js") \
    each(dashboard_simulator_js, "dashboard/simulator.js", "Files/dashboard/simulator.js") \
    each(dashboard_slider_js, "dashboard/slider.js", "Files/dashboard/slider.js") \
    each(dashboard_status_js, "dashboard/status.js", "Files/dashboard/status.js") \
    each(dashboard_template_js, "dashboard/template.js", "Files/dashboard/template.js") \
    each(dashboard_texts_js, "dashboard/texts.js", "Files/dashboard/texts.js") \
    each(dashboard_texts_de_js, "dashboard/texts/de.js", "Files/dashboard/texts/de.js") \
    each(dashboard_wall_js, "dashboard/wall.js", "Files/dashboard/wall.js") \
    each(dashboard_wishes_js, "dashboard/wishes.js", "Files/dashboard/wishes.js") \
    each(dashboard_words_js, "dashboard/words.js", "Files/dashboard/words.js") \
    each(brightness_d_ts, "brightness.d.ts", "Files/brightness.d.ts") \
    each(dashboard_html, "dashboard.html", "Files/dashboard.html") \
    each(dashboard_webmanifest, "dashboard.webmanifest", "Files/dashboard.webmanifest") \
    each(docs_css, "docs.css", "Files/docs.css") \
    each(docs_html, "docs.html", "Files/docs.html") \
    each(docs_js, "docs.js", "Files/docs.js") \
    each(icon_png, "icon.png", "Files/icon.png") \
    each(icon_svg, "icon.svg", "Files/icon.svg") \
    each(openapi_json, "openapi.json", "Files/openapi.json") \
    each(package_json, "package.json", "Files/package.json") \
    each(openapi_yaml, "openapi.yaml", "../../openapi.yaml") \
    each(asyncapi_yaml, "asyncapi.yaml", "../../asyncapi.yaml")

// Checks that each file exists, and makes it a dependency: a file that changes is embedded again by the next build.
#define EXISTS(identifier, name, path) && __has_include(path)
#if !(1 ASSETS(EXISTS))
#error A file of ASSETS is missing.
#endif

// By the assembler: clang 17 has no #embed.
#define EMBED(identifier, name, path) \
    extern const unsigned char asset_##identifier[], end_of_##identifier[]; \
    __asm__(".pushsection .rodata\n" \
            "asset_" #identifier ": .incbin \"" path "\"\n" \
            "end_of_" #identifier ":\n" \
            ".popsection");
ASSETS(EMBED)

#define ENTRY(identifier, name, path) {name, asset_##identifier, end_of_##identifier},
static const WebAsset assets[] = {ASSETS(ENTRY)};

const WebAsset *web_assets(size_t *count) {
    *count = sizeof assets / sizeof *assets;
    return assets;
}
