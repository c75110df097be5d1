// SPDX-License-Identifier: Apache-2.0
//
// An ambient light sensor on the HID bus, through /dev/uhid: the kernel's hid-sensor-als makes an IIO device of it.
//
//   light_sensor FILE      answers each reading with the lux (a decimal integer) that FILE holds
#include <errno.h>
#include <fcntl.h>
#include <linux/uhid.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATE_SELECTORS 0x0A, 0x00, 0x08, 0x0A, 0x01, 0x08, 0x0A, 0x02, 0x08, 0x0A, 0x03, 0x08, 0x0A, 0x04, 0x08, 0x0A, 0x05, 0x08, 0x0A, 0x06, 0x08

// HID Usage Tables, page 0x20 (sensors); the layout follows the example descriptors of "HID Sensor Usages" (HUTRR39).
static const uint8_t descriptor[] = {
    0x05, 0x20, 0x09, 0x01, 0xA1, 0x01,  // sensor collection, application
    0x09, 0x41, 0xA1, 0x00, 0x85, 0x01,  // ambient light, physical, report 1
    // Feature: reporting state, an array of six selectors.
    0x0A, 0x16, 0x03, 0x15, 0x00, 0x25, 0x05, 0x75, 0x08, 0x95, 0x01, 0xA1, 0x02,
    0x0A, 0x40, 0x08, 0x0A, 0x41, 0x08, 0x0A, 0x42, 0x08, 0x0A, 0x43, 0x08, 0x0A, 0x44, 0x08, 0x0A, 0x45, 0x08,
    0xB1, 0x00, 0xC0,
    // Feature: power state, an array of six selectors.
    0x0A, 0x19, 0x03, 0x15, 0x00, 0x25, 0x05, 0x75, 0x08, 0x95, 0x01, 0xA1, 0x02,
    0x0A, 0x50, 0x08, 0x0A, 0x51, 0x08, 0x0A, 0x52, 0x08, 0x0A, 0x53, 0x08, 0x0A, 0x54, 0x08, 0x0A, 0x55, 0x08,
    0xB1, 0x00, 0xC0,
    // Feature: sensor state.
    0x0A, 0x01, 0x02, 0x15, 0x00, 0x25, 0x06, 0x75, 0x08, 0x95, 0x01, 0xA1, 0x02, STATE_SELECTORS, 0xB1, 0x00, 0xC0,
    // Feature: report interval in milliseconds, sensitivity.
    0x0A, 0x0E, 0x03, 0x15, 0x00, 0x27, 0xFF, 0xFF, 0xFF, 0x7F, 0x75, 0x20, 0x95, 0x01, 0x55, 0x00, 0xB1, 0x02,
    0x0A, 0xD1, 0x14, 0x15, 0x00, 0x26, 0xFF, 0x7F, 0x75, 0x10, 0x95, 0x01, 0x55, 0x00, 0xB1, 0x02,
    // Input: sensor state, event, illuminance in lux.
    0x0A, 0x01, 0x02, 0x15, 0x00, 0x25, 0x06, 0x75, 0x08, 0x95, 0x01, 0xA1, 0x02, STATE_SELECTORS, 0x81, 0x00, 0xC0,
    0x0A, 0x02, 0x02, 0x15, 0x00, 0x25, 0x03, 0x75, 0x08, 0x95, 0x01, 0xA1, 0x02,
    0x0A, 0x10, 0x08, 0x0A, 0x11, 0x08, 0x0A, 0x12, 0x08, 0x0A, 0x13, 0x08, 0x81, 0x00, 0xC0,
    0x0A, 0xD1, 0x04, 0x15, 0x00, 0x27, 0xFF, 0xFF, 0xFF, 0x7F, 0x75, 0x20, 0x95, 0x01, 0x55, 0x00, 0x81, 0x02,
    0xC0, 0xC0,
};

#pragma pack(push, 1)
struct features { uint8_t report, reporting, power, state; uint32_t interval; uint16_t sensitivity; };
struct input { uint8_t report, state, event; uint32_t lux; };
#pragma pack(pop)

static uint32_t lux_of(const char *path) {
    char text[32] = {0};
    int file = open(path, O_RDONLY);
    if (file < 0) return 0;
    if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
    close(file);
    return (uint32_t)strtoul(text, NULL, 10);
}

static void must_write(int uhid, const struct uhid_event *event) {
    if (write(uhid, event, sizeof *event) == (ssize_t)sizeof *event) return;
    perror("light_sensor: /dev/uhid");
    exit(1);
}

int main(int count, char **arguments) {
    if (count != 2) return fprintf(stderr, "usage: light_sensor FILE\n"), 64;
    int uhid = open("/dev/uhid", O_RDWR | O_CLOEXEC);
    if (uhid < 0) return perror("light_sensor: /dev/uhid"), 1;

    struct uhid_event event = {.type = UHID_CREATE2};
    strcpy((char *)event.u.create2.name, "Light sensor");
    memcpy(event.u.create2.rd_data, descriptor, sizeof descriptor);
    event.u.create2.rd_size = sizeof descriptor;
    event.u.create2.bus = 0x03;  // BUS_USB
    event.u.create2.vendor = 0x1234;
    event.u.create2.product = 0x5678;
    must_write(uhid, &event);

    struct features features = {.report = 1, .reporting = 1, .power = 2, .state = 2, .interval = 100, .sensitivity = 1};
    while (read(uhid, &event, sizeof event) > 0) {
        struct uhid_event answer = {0};
        if (event.type == UHID_GET_REPORT) {
            answer.type = UHID_GET_REPORT_REPLY;
            answer.u.get_report_reply.id = event.u.get_report.id;
            if (event.u.get_report.rtype == UHID_FEATURE_REPORT) {
                memcpy(answer.u.get_report_reply.data, &features, sizeof features);
                answer.u.get_report_reply.size = sizeof features;
            } else {
                struct input input = {.report = 1, .state = 2, .event = 3, .lux = lux_of(arguments[1])};
                memcpy(answer.u.get_report_reply.data, &input, sizeof input);
                answer.u.get_report_reply.size = sizeof input;
            }
            must_write(uhid, &answer);
        } else if (event.type == UHID_SET_REPORT) {
            if (event.u.set_report.size == sizeof features) memcpy(&features, event.u.set_report.data, sizeof features);
            answer.type = UHID_SET_REPORT_REPLY;
            answer.u.set_report_reply.id = event.u.set_report.id;
            must_write(uhid, &answer);
        }
    }
    return 0;
}
