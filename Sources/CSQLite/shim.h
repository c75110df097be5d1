// SPDX-License-Identifier: Apache-2.0
// SQLite, and what of it Swift cannot see: casts to pointers, and a variadic call.
#include <sqlite3.h>

// SQLite keeps a copy of the text.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

// What is in the log stays there when the connection ends.
static inline int csqlite_keep_log(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// SQLite does not count the memory it uses: that is a lock around each allocation. Before the first connection.
static inline int csqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
