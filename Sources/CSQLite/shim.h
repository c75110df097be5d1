// SPDX-License-Identifier: Apache-2.0
// SQLite, and what of it Swift cannot see: casts to pointers, and a variadic call.
#include <sqlite3.h>

// SQLite keeps a copy of the text.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}
