// SPDX-License-Identifier: Apache-2.0
// Jansson: a strict JSON parser (RFC 8259).
#include <jansson.h>
