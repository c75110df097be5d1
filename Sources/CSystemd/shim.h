// SPDX-License-Identifier: Apache-2.0
// libsystemd: telling the service manager how it goes.
#include <systemd/sd-daemon.h>
