// SPDX-License-Identifier: Apache-2.0
// SQLite, with wrappers for what Swift cannot import: casts to pointers, and a variadic function.
#include <sqlite3.h>

// Binds a text, which SQLite copies.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

// Leaves the write-ahead log in place when the connection closes.
static inline int csqlite_keep_log(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// Ignores triggers, and rejects views: a file may have any, and this program creates none.
static inline void csqlite_distrust_schema(sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
}

// Disables SQLite's memory statistics, which need a lock around each allocation. Call it before the first connection.
static inline int csqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
