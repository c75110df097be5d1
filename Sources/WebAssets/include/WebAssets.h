// SPDX-License-Identifier: Apache-2.0
// The files that the daemon serves, as part of the program. A target in C: a compiler of C embeds a file at once, where Swift
// would check each of its bytes as an expression.
#ifndef BRIGHTNESSD_WEBASSETS_H
#define BRIGHTNESSD_WEBASSETS_H

#include <stddef.h>

typedef struct {
    // Below Files, as in "dashboard/card.js"; ends with NUL.
    const char *name;
    const unsigned char *bytes;
    // Behind the last byte.
    const unsigned char *end;
} WebAsset;

// The embedded files, in the order of WebAssets.c; they live as long as the program. Any thread.
// - count: receives their number.
const WebAsset *web_assets(size_t *count);

#endif
