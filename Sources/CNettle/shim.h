// SPDX-License-Identifier: Apache-2.0
// Nettle: digests, base64, and comparison in constant time. Debian's libmicrohttpd depends on it.
#include <nettle/base64.h>
#include <nettle/memops.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
