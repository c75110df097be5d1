#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# One command a line from the second serial port; then its output, a line with byte 1 and the exit status.

stty -F /dev/ttyS1 raw -echo
exec 3<>/dev/ttyS1
echo guest-is-ready >/dev/ttyS0
while read -r line <&3; do
    bash -c "$line" >/run/test-output 2>&1 </dev/null
    code=$?
    cat /run/test-output >&3
    printf '\n\001%d\n' $code >&3
done
