// SPDX-License-Identifier: Apache-2.0
// libwslay: WebSocket frames (RFC 6455). Nothing of it is variadic.
#include <wslay/wslay.h>
