// SPDX-License-Identifier: Apache-2.0
// Nettle: digests, base64, and comparing without telling by the time it takes. Debian's libmicrohttpd brings it along.
#include <nettle/base64.h>
#include <nettle/memops.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
