// SPDX-License-Identifier: Apache-2.0
// libmosquitto: the client side of MQTT 5 and 3.1.1.
#include <mosquitto.h>
#include <mqtt_protocol.h>
