// SPDX-License-Identifier: Apache-2.0
// zlib. deflateInit2 is a macro, which Swift cannot call.
#ifndef BRIGHTNESSD_CZLIB_SHIM_H
#define BRIGHTNESSD_CZLIB_SHIM_H

#include <zlib.h>

// Begins the best compression, in the gzip format (RFC 1952).
static inline int cz_begin_gzip(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
}

#endif
