// SPDX-License-Identifier: Apache-2.0
// libcurl: the client side of HTTP. It depends on OpenSSL and a dozen other libraries, so it is loaded only when it is
// needed. The names are this project's: a function with libcurl's name might be called by libcurl itself.
#ifndef BRIGHTNESSD_CCURL_H
#define BRIGHTNESSD_CCURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Loads the library. Call it before any other function here; any thread. Returns the error, or NULL.
const char *ccurl_load(void);

CURL *ccurl_new(void);
void ccurl_free(CURL *handle);
CURLcode ccurl_perform(CURL *handle);
const char *ccurl_text(CURLcode code);

CURLcode ccurl_set_number(CURL *handle, CURLoption option, long number);
CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t size);
// libcurl copies the text.
CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *text);
// The list must live as long as the handle uses it.
CURLcode ccurl_set_headers(CURL *handle, struct curl_slist *headers);
// libcurl copies the bytes.
CURLcode ccurl_set_body(CURL *handle, const void *bytes, long count);
CURLcode ccurl_set_writer(CURL *handle, curl_write_callback writer, void *context);
// A command that this process starts must not hold a connection open.
CURLcode ccurl_close_on_exec(CURL *handle);

struct curl_slist *ccurl_append(struct curl_slist *list, const char *text);
void ccurl_free_list(struct curl_slist *list);

// The HTTP status of the answer; 0 before it has come.
long ccurl_status(CURL *handle);
// The media type of the answer, or NULL.
const char *ccurl_media_type(CURL *handle);
// Whether the answer has this field.
int ccurl_has_field(CURL *handle, const char *name);

// The socket of a connection that CURLOPT_CONNECT_ONLY made, or -1; and its bytes, decrypted. CURLE_AGAIN: wait for the socket.
int ccurl_socket(CURL *handle);
CURLcode ccurl_send(CURL *handle, const void *bytes, size_t count, size_t *sent);
CURLcode ccurl_receive(CURL *handle, void *bytes, size_t size, size_t *count);

CURLM *ccurl_multi_new(void);
void ccurl_multi_free(CURLM *multi);
void ccurl_multi_add(CURLM *multi, CURL *handle);
void ccurl_multi_remove(CURLM *multi, CURL *handle);
// Returns the number of transfers that are under way.
int ccurl_multi_perform(CURLM *multi);
// Waits for the transfers and another descriptor, -1 for none. Returns whether the other one can be read.
int ccurl_multi_wait(CURLM *multi, int descriptor, int milliseconds);
// The handle of a transfer that has ended, and its result; NULL where none has.
CURL *ccurl_multi_finished(CURLM *multi, CURLcode *result);

#endif
