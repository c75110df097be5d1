// SPDX-License-Identifier: Apache-2.0
// Nettle's X25519, and what the Noise protocol needs with it. GnuTLS, on which Debian's libmicrohttpd depends, loads both libraries.
#include <nettle/chacha-poly1305.h>
#include <nettle/curve25519.h>
#include <nettle/hmac.h>
#include <nettle/sha2.h>
