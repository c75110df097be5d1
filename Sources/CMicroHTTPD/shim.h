// SPDX-License-Identifier: Apache-2.0
// libmicrohttpd, with wrappers of its variadic functions, which Swift cannot call.
#ifndef BRIGHTNESSD_CMICROHTTPD_SHIM_H
#define BRIGHTNESSD_CMICROHTTPD_SHIM_H

#include <fcntl.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>

// 0.9.75: not strict. `MessageHead` rejects what the strict mode would reject, with a better response. Later versions:
// strict, since they reject more.
static inline int cmhd_strictness(void) { return MHD_get_version()[0] == '0' ? 0 : 1; }

// Starts a daemon without a thread and without a listening socket. `context` is passed to every callback.
static inline struct MHD_Daemon *cmhd_start(
    unsigned int flags, unsigned int connection_limit, size_t connection_memory,
    unsigned int idle_seconds, MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed,
    void *(*uri)(void *, const char *, struct MHD_Connection *), MHD_NotifyConnectionCallback came_or_went,
    void *context) {
  return MHD_start_daemon(
      flags, 0, NULL, NULL, handler, context,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_URI_LOG_CALLBACK, uri, context,
      MHD_OPTION_NOTIFY_CONNECTION, came_or_went, context,
      MHD_OPTION_STRICT_FOR_CLIENT, cmhd_strictness(),
      MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
      MHD_OPTION_END);
}

// Called when libmicrohttpd detects an internal error.
static inline void cmhd_panic(void *context, const char *file, unsigned int line, const char *reason) {
  (void)context;
  fprintf(stderr, "critical brightnessd: libmicrohttpd: %s (%s:%u)\n", reason == NULL ? "panic" : reason, file, line);
  abort();
}

// Logs the reason before the process aborts. For all daemons of this process.
static inline void cmhd_log_panics(void) { MHD_set_panic_func(cmhd_panic, NULL); }

static inline int cmhd_epoll_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info == NULL ? -1 : info->epoll_fd;
}

static inline int cmhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

// The client's address, or NULL.
static inline const struct sockaddr *cmhd_client(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info == NULL ? NULL : info->client_addr;
}

// The pointer that the connection callback stored for this connection, or NULL.
static inline void *cmhd_watch(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

// The number of its connections.
static inline unsigned int cmhd_connections(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
  return info == NULL ? 0 : info->num_connections;
}

// Has libmicrohttpd visit the connection in every round: a timeout other than the daemon's puts it on that list.
static inline void cmhd_visit_soon(struct MHD_Connection *connection) {
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 1u);
}

// Ends libmicrohttpd's use of an upgraded connection.
static inline void cmhd_end_upgrade(struct MHD_UpgradeResponseHandle *handle) {
  MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

// Sends the response without a length and without chunks, as for HTTP/1.0, and closes the connection after it.
static inline void cmhd_close_after(struct MHD_Response *response) {
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

// fcntl is variadic, too.
static inline int cmhd_unblock(int descriptor) { return fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

static inline int cmhd_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

#endif
