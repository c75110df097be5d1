#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# One command a line from the serial port that the kernel's command line names; then its output, a line with byte 1 and the exit status.

port=$(grep -o 'shell=[^ ]*' /proc/cmdline)
port=${port#shell=}
stty -F "$port" raw -echo
exec 3<>"$port"
echo guest-is-ready >/dev/console
while read -r line <&3; do
    bash -c "$line" >/run/test-output 2>&1 </dev/null
    code=$?
    cat /run/test-output >&3
    printf '\n\001%d\n' $code >&3
done
