// SPDX-License-Identifier: Apache-2.0
// Preloaded, it sets a variable before main, after which Swift may not find the arguments.
#include <stdlib.h>

__attribute__((constructor)) static void begin(void) { setenv("PRELOADED", "yes", 1); }
