// SPDX-License-Identifier: Apache-2.0
// libsystemd: notifications of the service manager. Loaded only under a service manager.
#ifndef BRIGHTNESSD_CSYSTEMD_H
#define BRIGHTNESSD_CSYSTEMD_H

#include <systemd/sd-daemon.h>

#endif
