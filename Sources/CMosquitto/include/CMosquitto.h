// SPDX-License-Identifier: Apache-2.0
// libmosquitto: the client side of MQTT 5 and 3.1.1. It depends on OpenSSL, so it is loaded only when a broker is
// configured.
#ifndef BRIGHTNESSD_CMOSQUITTO_H
#define BRIGHTNESSD_CMOSQUITTO_H

#include <mosquitto.h>
// Part of mosquitto.h since 2.1, whose own copy warns.
#if LIBMOSQUITTO_VERSION_NUMBER < 2001000
#include <mqtt_protocol.h>
#endif

// Loads the library. Call it before any other function here; any thread. Returns the error, or NULL.
const char *cmosquitto_load(void);

#endif
