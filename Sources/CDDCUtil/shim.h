// SPDX-License-Identifier: Apache-2.0
// libddcutil, with wrappers for what Swift cannot import: a flexible array member, and a field of a union.
#include <ddcutil_c_api.h>
#include <ddcutil_status_codes.h>

static inline const DDCA_Display_Info *cddcutil_info(const DDCA_Display_Info_List *list, int index) {
    return &list->info[index];
}

// The number of the i2c bus; negative for a monitor on another connection.
static inline int cddcutil_bus(const DDCA_Display_Info *info) {
    return info->path.io_mode == DDCA_IO_I2C ? info->path.path.i2c_busno : -1;
}

// Swift does not import macros with casts and arithmetic.
static const DDCA_Status cddcutil_verify = DDCRC_VERIFY;
static const DDCA_Status cddcutil_invalid_display = DDCRC_INVALID_DISPLAY;
