// SPDX-License-Identifier: Apache-2.0
// The functions of libcurl that the programs use, found in the loaded library, and wrappers of its variadic ones, which
// Swift cannot call itself.
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/socket.h>

// clang-format off
#define FUNCTIONS(F)                                                                                                   \
    F(curl_global_init)                                                                                                \
    F(curl_easy_init) F(curl_easy_cleanup) F(curl_easy_perform) F(curl_easy_strerror)                                  \
    F(curl_easy_setopt) F(curl_easy_getinfo) F(curl_easy_header) F(curl_easy_send) F(curl_easy_recv)                   \
    F(curl_slist_append) F(curl_slist_free_all)                                                                        \
    F(curl_multi_init) F(curl_multi_cleanup) F(curl_multi_add_handle) F(curl_multi_remove_handle)                      \
    F(curl_multi_perform) F(curl_multi_poll) F(curl_multi_info_read)
// clang-format on

#define FIELD(name) __typeof__(name) *name;
static struct { FUNCTIONS(FIELD) } library;

static const char *trouble;

#define FIND(name)                                                                                                     \
    if (!trouble && !(library.name = (__typeof__(name) *)dlsym(handle, #name))) trouble = dlerror();

static void load(void) {
    void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        trouble = dlerror();
        return;
    }
    FUNCTIONS(FIND)
    if (!trouble && library.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) trouble = "libcurl cannot start";
}

const char *ccurl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return trouble;
}

CURL *ccurl_new(void) { return library.curl_easy_init(); }

void ccurl_free(CURL *handle) { library.curl_easy_cleanup(handle); }

CURLcode ccurl_perform(CURL *handle) { return library.curl_easy_perform(handle); }

const char *ccurl_text(CURLcode code) { return library.curl_easy_strerror(code); }

CURLcode ccurl_set_number(CURL *handle, CURLoption option, long number) {
    return library.curl_easy_setopt(handle, option, number);
}

CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t size) {
    return library.curl_easy_setopt(handle, option, size);
}

CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *text) {
    return library.curl_easy_setopt(handle, option, text);
}

CURLcode ccurl_set_headers(CURL *handle, struct curl_slist *headers) {
    return library.curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

CURLcode ccurl_set_body(CURL *handle, const void *bytes, long count) {
    CURLcode code = library.curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, count);
    return code == CURLE_OK ? library.curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

CURLcode ccurl_set_writer(CURL *handle, curl_write_callback writer, void *context) {
    CURLcode code = library.curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
    return code == CURLE_OK ? library.curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context;
    (void)purpose;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

CURLcode ccurl_close_on_exec(CURL *handle) {
    return library.curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
}

struct curl_slist *ccurl_append(struct curl_slist *list, const char *text) {
    return library.curl_slist_append(list, text);
}

void ccurl_free_list(struct curl_slist *list) { library.curl_slist_free_all(list); }

long ccurl_status(CURL *handle) {
    long status = 0;
    library.curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

const char *ccurl_media_type(CURL *handle) {
    char *type = NULL;
    library.curl_easy_getinfo(handle, CURLINFO_CONTENT_TYPE, &type);
    return type;
}

int ccurl_has_field(CURL *handle, const char *name) {
    struct curl_header *field = NULL;
    return library.curl_easy_header(handle, name, 0, CURLH_HEADER, -1, &field) == CURLHE_OK;
}

int ccurl_socket(CURL *handle) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    library.curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket);
    return socket;
}

CURLcode ccurl_send(CURL *handle, const void *bytes, size_t count, size_t *sent) {
    return library.curl_easy_send(handle, bytes, count, sent);
}

CURLcode ccurl_receive(CURL *handle, void *bytes, size_t size, size_t *count) {
    return library.curl_easy_recv(handle, bytes, size, count);
}

CURLM *ccurl_multi_new(void) { return library.curl_multi_init(); }

void ccurl_multi_free(CURLM *multi) { library.curl_multi_cleanup(multi); }

void ccurl_multi_add(CURLM *multi, CURL *handle) { library.curl_multi_add_handle(multi, handle); }

void ccurl_multi_remove(CURLM *multi, CURL *handle) { library.curl_multi_remove_handle(multi, handle); }

int ccurl_multi_perform(CURLM *multi) {
    int running = 0;
    library.curl_multi_perform(multi, &running);
    return running;
}

int ccurl_multi_wait(CURLM *multi, int descriptor, int milliseconds) {
    struct curl_waitfd other = {.fd = descriptor, .events = CURL_WAIT_POLLIN};
    library.curl_multi_poll(multi, &other, descriptor >= 0, milliseconds, NULL);
    return other.revents != 0;
}

CURL *ccurl_multi_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = library.curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
