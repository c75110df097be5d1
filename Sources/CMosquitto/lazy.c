// SPDX-License-Identifier: Apache-2.0
// The functions of libmosquitto that the daemon uses, each forwarded to the loaded library.
#include "CMosquitto.h"

#include <dlfcn.h>
#include <pthread.h>

// clang-format off
#define FUNCTIONS(F)                                                                                                   \
    F(int, mosquitto_lib_init, (void), ())                                                                             \
    F(struct mosquitto *, mosquitto_new, (const char *id, bool clean, void *me), (id, clean, me))                      \
    F(void, mosquitto_destroy, (struct mosquitto *m), (m))                                                             \
    F(void, mosquitto_user_data_set, (struct mosquitto *m, void *me), (m, me))                                         \
    F(int, mosquitto_int_option, (struct mosquitto *m, enum mosq_opt_t option, int value), (m, option, value))         \
    F(int, mosquitto_username_pw_set, (struct mosquitto *m, const char *user, const char *password),                   \
      (m, user, password))                                                                                             \
    F(int, mosquitto_will_set,                                                                                         \
      (struct mosquitto *m, const char *topic, int length, const void *payload, int qos, bool retain),                 \
      (m, topic, length, payload, qos, retain))                                                                        \
    F(int, mosquitto_tls_set,                                                                                          \
      (struct mosquitto *m, const char *file, const char *path, const char *certificate, const char *key,              \
       int (*password)(char *, int, int, void *)),                                                                     \
      (m, file, path, certificate, key, password))                                                                     \
    F(int, mosquitto_connect_bind_v5,                                                                                  \
      (struct mosquitto *m, const char *host, int port, int keepalive, const char *address,                            \
       const mosquitto_property *properties),                                                                          \
      (m, host, port, keepalive, address, properties))                                                                 \
    F(int, mosquitto_disconnect, (struct mosquitto *m), (m))                                                           \
    F(int, mosquitto_socket, (struct mosquitto *m), (m))                                                               \
    F(bool, mosquitto_want_write, (struct mosquitto *m), (m))                                                          \
    F(int, mosquitto_loop_read, (struct mosquitto *m, int packets), (m, packets))                                      \
    F(int, mosquitto_loop_write, (struct mosquitto *m, int packets), (m, packets))                                     \
    F(int, mosquitto_loop_misc, (struct mosquitto *m), (m))                                                            \
    F(int, mosquitto_subscribe_v5,                                                                                     \
      (struct mosquitto *m, int *message, const char *filter, int qos, int options,                                    \
       const mosquitto_property *properties),                                                                          \
      (m, message, filter, qos, options, properties))                                                                  \
    F(int, mosquitto_publish_v5,                                                                                       \
      (struct mosquitto *m, int *message, const char *topic, int length, const void *payload, int qos, bool retain,    \
       const mosquitto_property *properties),                                                                          \
      (m, message, topic, length, payload, qos, retain, properties))                                                   \
    F(int, mosquitto_property_add_int32, (mosquitto_property **all, int kind, uint32_t value), (all, kind, value))      \
    F(int, mosquitto_property_add_string, (mosquitto_property **all, int kind, const char *value), (all, kind, value)) \
    F(int, mosquitto_property_add_binary, (mosquitto_property **all, int kind, const void *value, uint16_t length),    \
      (all, kind, value, length))                                                                                      \
    F(const mosquitto_property *, mosquitto_property_read_string,                                                      \
      (const mosquitto_property *all, int kind, char **value, bool next), (all, kind, value, next))                    \
    F(const mosquitto_property *, mosquitto_property_read_binary,                                                      \
      (const mosquitto_property *all, int kind, void **value, uint16_t *length, bool next),                            \
      (all, kind, value, length, next))                                                                                \
    F(void, mosquitto_property_free_all, (mosquitto_property **all), (all))                                            \
    F(const char *, mosquitto_strerror, (int code), (code))                                                            \
    F(const char *, mosquitto_reason_string, (int code), (code))                                                       \
    F(void, mosquitto_connect_v5_callback_set,                                                                         \
      (struct mosquitto *m, void (*f)(struct mosquitto *, void *, int, int, const mosquitto_property *)), (m, f))      \
    F(void, mosquitto_disconnect_v5_callback_set,                                                                      \
      (struct mosquitto *m, void (*f)(struct mosquitto *, void *, int, const mosquitto_property *)), (m, f))           \
    F(void, mosquitto_publish_v5_callback_set,                                                                         \
      (struct mosquitto *m, void (*f)(struct mosquitto *, void *, int, int, const mosquitto_property *)), (m, f))      \
    F(void, mosquitto_subscribe_v5_callback_set,                                                                       \
      (struct mosquitto *m,                                                                                            \
       void (*f)(struct mosquitto *, void *, int, int, const int *, const mosquitto_property *)), (m, f))              \
    F(void, mosquitto_message_v5_callback_set,                                                                         \
      (struct mosquitto *m,                                                                                            \
       void (*f)(struct mosquitto *, void *, const struct mosquitto_message *, const mosquitto_property *)), (m, f))   \
    F(void, mosquitto_log_callback_set,                                                                                \
      (struct mosquitto *m, void (*f)(struct mosquitto *, void *, int, const char *)), (m, f))
// clang-format on

#define FIELD(result, name, parameters, arguments) __typeof__(name) *name;
static struct { FUNCTIONS(FIELD) } library;

#define HAND_ON(result, name, parameters, arguments) result name parameters { return library.name arguments; }
FUNCTIONS(HAND_ON)

static const char *trouble;

#define FIND(result, name, parameters, arguments)                                                                      \
    if (!trouble && !(library.name = (__typeof__(name) *)dlsym(handle, #name))) trouble = dlerror();

static void load(void) {
    void *handle = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        trouble = dlerror();
        return;
    }
    FUNCTIONS(FIND)
}

const char *cmosquitto_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return trouble;
}
