// SPDX-License-Identifier: Apache-2.0
// The least that a gateway on libmosquitto and Jansson can do: one thread that reads each message of the nodes as JSON, keeps
// nothing, and writes it to one HTTP client as an event.
//
//   mqtt-minimal BROKER-PORT TOPIC-FILTER
//
// Prints its port; any GET is answered with the events. Ends on a signal, or when the connection to the broker ends.
#include <arpa/inet.h>
#include <jansson.h>
#include <mosquitto.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int client = -1;

static void forward(struct mosquitto *broker, void *context, const struct mosquitto_message *message) {
  (void)broker, (void)context;
  json_t *value = json_loadb(message->payload, (size_t)message->payloadlen, 0, NULL);
  if (client >= 0 && value != NULL) {
    char event[65536];
    int length = snprintf(event, sizeof event, "event: state\ndata: %.*s\n\n", message->payloadlen,
                          (const char *)message->payload);
    if (length > 0 && (size_t)length < sizeof event && write(client, event, (size_t)length) != length) _exit(1);
  }
  json_decref(value);
}

static void accept_client(int listener) {
  char request[4096];
  int on = 1;
  client = accept(listener, NULL, NULL);
  if (client < 0 || read(client, request, sizeof request) <= 0) _exit(1);
  dprintf(client, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 1) != 0) return 1;
  getsockname(listener, (struct sockaddr *)&address, &size);

  mosquitto_lib_init();
  struct mosquitto *broker = mosquitto_new("mqtt-minimal", true, NULL);
  if (broker == NULL) return 1;
  mosquitto_int_option(broker, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
  mosquitto_int_option(broker, MOSQ_OPT_TCP_NODELAY, 1);
  mosquitto_message_callback_set(broker, forward);
  if (mosquitto_connect(broker, "127.0.0.1", atoi(arguments[1]), 60) != MOSQ_ERR_SUCCESS) return 1;
  mosquitto_subscribe(broker, NULL, arguments[2], 1);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);

  while (1) {
    short interest = POLLIN | (mosquitto_want_write(broker) ? POLLOUT : 0);
    struct pollfd sources[] = {{mosquitto_socket(broker), interest, 0}, {listener, POLLIN, 0}};
    poll(sources, 2, 1000);
    if (sources[1].revents != 0) accept_client(listener);
    if (sources[0].revents & POLLOUT) mosquitto_loop_write(broker, 1);
    if (sources[0].revents & ~POLLOUT && mosquitto_loop_read(broker, 1) != MOSQ_ERR_SUCCESS) return 1;
    if (mosquitto_loop_misc(broker) != MOSQ_ERR_SUCCESS) return 1;
  }
}
