#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: Apache-2.0
#
# Loads what the disk needs and hands over to it.

/bin/busybox --install -s /bin
export PATH=/bin
mount -t devtmpfs dev /dev
while read -r module; do insmod "/lib/modules/$module"; done </lib/modules/order
mount -t ext4 /dev/vda /root
mount -o move /dev /root/dev
exec switch_root /root /sbin/init
