// SPDX-License-Identifier: Apache-2.0
// Jansson: reading JSON, strictly as RFC 8259 has it.
#include <jansson.h>
