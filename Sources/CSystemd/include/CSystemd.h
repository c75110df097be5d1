// SPDX-License-Identifier: Apache-2.0
// libsystemd: telling the service manager how it goes. Loaded only where there is a service manager.
#ifndef BRIGHTNESSD_CSYSTEMD_H
#define BRIGHTNESSD_CSYSTEMD_H

#include <systemd/sd-daemon.h>

#endif
