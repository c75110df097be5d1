// SPDX-License-Identifier: Apache-2.0
//
// A program that keeps a CEC adapter for itself, as media players do.
//
//   cec_holder DEVICE SECONDS
#include <fcntl.h>
#include <linux/cec.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count != 3) return 64;
    int device = open(arguments[1], O_RDWR);
    __u32 mode = CEC_MODE_EXCL_INITIATOR | CEC_MODE_EXCL_FOLLOWER;
    if (device < 0 || ioctl(device, CEC_S_MODE, &mode)) {
        perror(arguments[1]);
        return 1;
    }
    sleep(atoi(arguments[2]));
    return 0;
}
