// SPDX-License-Identifier: Apache-2.0
// The limit of event delivery: one thread, one epoll set, one send() per client and event, no HTTP library.
//
//   GET  (any path)   head, `retry`, the newest event; then every event, as one HTTP chunk each
//   the same with an Upgrade: a WebSocket, and every event as one text frame
//   PUT  (any path)   the body becomes the data of the next event, sent to all; answered 204
//
// It does what a server of event streams cannot avoid, and nothing else: no routes, no limits, no heartbeat, no
// conflation (a client that cannot take a whole event is closed); what a WebSocket says is not read, and its handshake
// is answered as if every key were that of RFC 6455's example. Prints its address; ends on a signal.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DESCRIPTORS = 65536, REQUEST = 16384, EVENTS = 256 };

// The state of a descriptor: the request read so far, or its place among the streams, and which kind it is.
static struct connection {
  char *request;
  int used, place, is_web_socket;
} connections[DESCRIPTORS];
static int streams[DESCRIPTORS], stream_count;

static char chunk[REQUEST + 128], frame[REQUEST + 16];
static int chunk_length, frame_length;
static unsigned revision;
static int epoll;

static const char head[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
    "X-Accel-Buffering: no\r\nTransfer-Encoding: chunked\r\n\r\nd\r\nretry: 2000\n\n\r\n";
static const char switching[] =
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
static const char done[] = "HTTP/1.1 204 No Content\r\n\r\n";

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int send_all(int fd, const char *bytes, int length) {
  return send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT) == length;
}

static void close_connection(int fd) {
  struct connection *c = &connections[fd];
  if (c->place >= 0) {  // the last stream takes its place
    int last = streams[--stream_count];
    streams[c->place] = last;
    connections[last].place = c->place;
  }
  free(c->request);
  c->request = NULL;
  close(fd);
}

static void encode(const char *data, int length) {
  char event[REQUEST + 64];
  int n = snprintf(event, sizeof event, "event: state\nid: 7f3a-%u\ndata: %.*s\n\n", ++revision, length, data);
  chunk_length = snprintf(chunk, sizeof chunk, "%x\r\n%s\r\n", (unsigned)n, event);

  // One text frame: a length of 7 or of 16 bits (RFC 6455, section 5.2).
  int head_length = length < 126 ? 2 : 4;
  frame[0] = (char)0x81;
  frame[1] = (char)(length < 126 ? length : 126);
  if (head_length == 4) {
    frame[2] = (char)(length >> 8);
    frame[3] = (char)length;
  }
  memcpy(frame + head_length, data, (size_t)length);
  frame_length = head_length + length;
}

static int send_event(int fd) {
  return connections[fd].is_web_socket ? send_all(fd, frame, frame_length) : send_all(fd, chunk, chunk_length);
}

static void broadcast(void) {
  for (int i = stream_count - 1; i >= 0; i--)  // backwards, because closing one moves the last into its place
    if (!send_event(streams[i])) close_connection(streams[i]);
}

static void become_stream(int fd) {
  struct connection *c = &connections[fd];
  c->is_web_socket = strcasestr(c->request, "\r\nupgrade:") != NULL;
  free(c->request);
  c->request = NULL;
  c->place = stream_count;
  streams[stream_count++] = fd;
  struct epoll_event interest = {.events = EPOLLRDHUP, .data.fd = fd};
  epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &interest);
  int begun = c->is_web_socket ? send_all(fd, switching, sizeof switching - 1) : send_all(fd, head, sizeof head - 1);
  if (!begun || !send_event(fd)) close_connection(fd);
}

static void read_request(int fd) {
  struct connection *c = &connections[fd];
  int n = recv(fd, c->request + c->used, REQUEST - 1 - c->used, MSG_DONTWAIT);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) return close_connection(fd);
  c->used += n;

  for (;;) {
    c->request[c->used] = 0;
    char *end = strstr(c->request, "\r\n\r\n");
    if (!end) return;
    if (c->request[0] == 'G') return become_stream(fd);
    char *field = strcasestr(c->request, "\r\ncontent-length:");
    int length = field && field < end ? atoi(field + 17) : 0, whole = (int)(end + 4 - c->request) + length;
    if (length < 0 || whole >= REQUEST) return close_connection(fd);
    if (c->used < whole) return;
    encode(end + 4, length);
    c->used -= whole;
    memmove(c->request, c->request + whole, (size_t)c->used);
    broadcast();
    if (!send_all(fd, done, sizeof done - 1)) return close_connection(fd);
  }
}

static void accept_all(int listener) {
  int fd, on = 1;
  while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    if (fd >= DESCRIPTORS) {
      close(fd);
      continue;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections[fd] = (struct connection){.request = malloc(REQUEST), .used = 0, .place = -1};
    struct epoll_event interest = {.events = EPOLLIN | EPOLLRDHUP, .data.fd = fd};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &interest);
  }
}

int main(void) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 4096)) fail("listen");
  getsockname(listener, (struct sockaddr *)&address, &length);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event interest = {.events = EPOLLIN, .data.fd = listener}, ready[EVENTS];
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &interest);
  encode("{\"brightness\":0.5}", 18);
  printf("epoll-limit on http://127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);

  for (;;) {
    int n = epoll_wait(epoll, ready, EVENTS, -1);
    if (n < 0 && errno != EINTR) fail("epoll_wait");
    for (int i = 0; i < n; i++) {
      int fd = ready[i].data.fd;
      if (fd == listener)
        accept_all(listener);
      else if (connections[fd].place >= 0)  // nothing is expected from a stream but its end
        close_connection(fd);
      else if (connections[fd].request)
        read_request(fd);
    }
  }
}
