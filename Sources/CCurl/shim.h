// SPDX-License-Identifier: Apache-2.0
// libcurl, and wrappers of its variadic calls, which Swift cannot make itself.
#ifndef BRIGHTNESSD_CCURL_SHIM_H
#define BRIGHTNESSD_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <sys/socket.h>

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long number) {
  return curl_easy_setopt(handle, option, number);
}

// libcurl copies the text.
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *text) {
  return curl_easy_setopt(handle, option, text);
}

// The list must live as long as the handle uses it.
static inline CURLcode ccurl_set_headers(CURL *handle, struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

// libcurl copies the bytes.
static inline CURLcode ccurl_set_body(CURL *handle, const void *bytes, long count) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, count);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

static inline CURLcode ccurl_set_writer(CURL *handle, curl_write_callback writer, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

static inline curl_socket_t ccurl_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context;
  (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// A command that this process starts must not hold a connection open.
static inline CURLcode ccurl_close_on_exec(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, ccurl_open_socket);
}

// The HTTP status of the answer; 0 before it has come.
static inline long ccurl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

// The media type of the answer, or NULL.
static inline const char *ccurl_media_type(CURL *handle) {
  char *type = NULL;
  curl_easy_getinfo(handle, CURLINFO_CONTENT_TYPE, &type);
  return type;
}

// How a transfer of this multi handle ended: 1 and its result, or 0 while none did.
static inline int ccurl_finished(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message = curl_multi_info_read(multi, &left);
  if (message == NULL || message->msg != CURLMSG_DONE) return 0;
  *result = message->data.result;
  return 1;
}

#endif
