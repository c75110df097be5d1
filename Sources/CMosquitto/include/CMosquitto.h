// SPDX-License-Identifier: Apache-2.0
// libmosquitto: the client side of MQTT 5 and 3.1.1. It brings OpenSSL along, so it is loaded when somebody asks for it.
#ifndef BRIGHTNESSD_CMOSQUITTO_H
#define BRIGHTNESSD_CMOSQUITTO_H

#include <mosquitto.h>
#include <mqtt_protocol.h>

// Before any other function here is called; any thread. Returns why it cannot be loaded, or NULL.
const char *cmosquitto_load(void);

#endif
