// SPDX-License-Identifier: Apache-2.0
// The least that a handler on libmicrohttpd can do: one thread, no routes, a response that is made once and kept.
//
//   mhd-minimal [BODY-LENGTH [CONTENT-TYPE]]
//
//   GET (any path)           200, a body of that many bytes; give it what the daemon's state document has
//   anything else            the body is read and dropped; 204
//
// External epoll mode, as the daemon's shards use it. Prints its address; ends on a signal.
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct MHD_Response *state, *nothing;
static char seen;

// Answers on the second call (the third, with a body): an answer on the first makes libmicrohttpd close the connection.
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **request) {
  (void)context, (void)url, (void)version, (void)upload;
  if (*request == NULL) {
    *request = &seen;
    return MHD_YES;
  }
  if (*upload_size > 0) {
    *upload_size = 0;
    return MHD_YES;
  }
  if (strcmp(method, MHD_HTTP_METHOD_GET) == 0) return MHD_queue_response(connection, MHD_HTTP_OK, state);
  return MHD_queue_response(connection, MHD_HTTP_NO_CONTENT, nothing);
}

int main(int count, char **arguments) {
  long length = count > 1 ? atol(arguments[1]) : 330;
  const char *type = count > 2 ? arguments[2] : "application/json";
  char *body = length < 0 ? NULL : malloc((size_t)length + 1);
  if (body == NULL) return 2;
  memset(body, ' ', (size_t)length);
  state = MHD_create_response_from_buffer((size_t)length, body, MHD_RESPMEM_MUST_FREE);
  nothing = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
  MHD_add_response_header(state, MHD_HTTP_HEADER_CONTENT_TYPE, type);

  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_EPOLL | MHD_USE_TURBO, 0, NULL, NULL, handle, NULL, MHD_OPTION_SOCK_ADDR, &address,
      MHD_OPTION_CONNECTION_LIMIT, 19000u, MHD_OPTION_LISTEN_BACKLOG_SIZE, 4096u, MHD_OPTION_END);
  if (daemon == NULL) return 1;
  printf("mhd-minimal on http://127.0.0.1:%d, libmicrohttpd %s\n",
         MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port, MHD_get_version());
  fflush(stdout);
  while (MHD_run_wait(daemon, -1) == MHD_YES) {}
  return 1;
}
