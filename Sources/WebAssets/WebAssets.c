// SPDX-License-Identifier: Apache-2.0
#include "WebAssets.h"

// The embedded files, by their paths in Files or at the top of the repository. A new file needs its name here.
#define ASSETS(each) \
    each(brightness.js) each(brightness/ambient.js) each(brightness/authorize.js) each(brightness/backlight.js) \
    each(brightness/boost.js) each(brightness/daemon.js) each(brightness/display.js) each(brightness/feed.js) \
    each(brightness/gauge.js) each(brightness/kept-boost.js) each(brightness/page.js) each(brightness/paint.js) \
    each(brightness/palette.js) each(brightness/provider.js) each(brightness/screen.js) each(brightness/server.js) \
    each(brightness/stream.js) each(brightness/style.js) each(brightness/touches.js) each(brightness/veil.js) \
    each(brightness/visibility.js) each(brightness/wake.js) each(brightness/wants.js) each(brightness/warnings.js) \
    each(dashboard-card.css) each(dashboard-dialogs.css) each(dashboard-few.css) each(dashboard-history.css) \
    each(dashboard-list.css) each(dashboard-room.css) each(dashboard-schedules.css) each(dashboard-wall.css) \
    each(colors.css) each(dashboard.css) each(dashboard-page.css) each(dashboard/access.js) each(dashboard/alike.js) \
    each(dashboard/bulk.js) each(dashboard/button-settings.js) each(dashboard/card.js) each(dashboard/cards.js) \
    each(dashboard/chart.js) each(dashboard/colors.js) each(dashboard/command.js) each(dashboard/dashboard.js) \
    each(dashboard/day.js) each(dashboard/daytime.js) each(dashboard/early.js) each(dashboard/facts.js) each(dashboard/fingers.js) \
    each(dashboard/formats.js) each(dashboard/history.js) each(dashboard/home-assistant.js) \
    each(dashboard/leases.js) each(dashboard/list.js) each(dashboard/location-field.js) each(dashboard/machines.js) each(dashboard/me.js) \
    each(dashboard/memory.js) each(dashboard/message.js) each(dashboard/name-dialog.js) each(dashboard/order.js) each(dashboard/overview.js) \
    each(dashboard/presets.js) each(dashboard/removal.js) each(dashboard/rename.js) \
    each(dashboard/rights.js) each(dashboard/room.js) each(dashboard/route.js) each(dashboard/row.js) \
    each(dashboard/schedule-draft.js) each(dashboard/schedule-form.js) each(dashboard/schedule-row.js) \
    each(dashboard/schedule-words.js) each(dashboard/schedules.js) each(dashboard/simulator.js) \
    each(dashboard/slider.js) each(dashboard/status.js) each(dashboard/template.js) each(dashboard/texts.js) \
    each(dashboard/texts/de.js) each(dashboard/wall.js) each(dashboard/words.js) each(brightness.d.ts) \
    each(dashboard.html) each(dashboard.webmanifest) each(docs.css) each(docs.html) each(docs.js) each(icon.png) \
    each(icon.svg) each(openapi.json) each(package.json) each(openapi.yaml) each(asyncapi.yaml)

// Checks that each file exists, and makes it a dependency: a file that changes is embedded again by the next build.
#define EXISTS(name) && __has_include(#name)
#if !(1 ASSETS(EXISTS))
#error A file of ASSETS is missing.
#endif

// By the assembler: clang 17 has no #embed. Each file adds an entry to the table, which begins and ends with a symbol.
#define TABLE(lines) __asm__(".pushsection .data.rel.ro,\"aw\"\n" lines "\n.popsection");
#define EMBED(name) \
    __asm__(".pushsection .rodata\n" \
            "1: .asciz \"" #name "\"\n" \
            "2: .incbin \"" #name "\"\n" \
            "3: .popsection"); \
    TABLE(".quad 1b, 2b, 3b")
TABLE(".balign 8\nfirst_asset:")
ASSETS(EMBED)
TABLE("end_of_assets:")
__attribute__((visibility("hidden"))) extern const WebAsset first_asset[], end_of_assets[];

const WebAsset *web_assets(size_t *count) {
    *count = end_of_assets - first_asset;
    return first_asset;
}
