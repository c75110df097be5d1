// SPDX-License-Identifier: Apache-2.0
//
// A keyboard, through /dev/uinput.
//
//   keyboard FILE      presses and releases a key for each byte that is written to FILE, a pipe
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int send(int device, int type, int code, int value) {
    struct input_event event = {.type = type, .code = code, .value = value};
    return write(device, &event, sizeof event) == sizeof event;
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    int device = open("/dev/uinput", O_WRONLY);
    struct uinput_setup setup = {.id = {.bustype = BUS_USB, .vendor = 0x1234, .product = 1}};
    strcpy(setup.name, "Test keyboard");
    if (device < 0 || ioctl(device, UI_SET_EVBIT, EV_KEY) || ioctl(device, UI_SET_KEYBIT, KEY_A) ||
        ioctl(device, UI_DEV_SETUP, &setup) || ioctl(device, UI_DEV_CREATE)) {
        perror("/dev/uinput");
        return 1;
    }
    // For reading and writing: the pipe has no end.
    int keys = open(arguments[1], O_RDWR);
    char key;
    while (keys >= 0 && read(keys, &key, 1) == 1) {
        int pressed = send(device, EV_KEY, KEY_A, 1) && send(device, EV_SYN, SYN_REPORT, 0);
        if (!pressed || !send(device, EV_KEY, KEY_A, 0) || !send(device, EV_SYN, SYN_REPORT, 0)) break;
    }
    perror(arguments[1]);
    return 1;
}
