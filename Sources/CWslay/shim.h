// SPDX-License-Identifier: Apache-2.0
// libwslay: WebSocket frames (RFC 6455).
#include <wslay/wslay.h>
