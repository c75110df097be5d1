#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Boosts the default display while a command runs, and exits with the command's status.
#
#   Examples/boost-while.sh COMMAND [ARGUMENT]...        as in: Examples/boost-while.sh mpv film.mkv
#
# BRIGHTNESS_SERVER   the daemon, http://127.0.0.1:8787 by default

set -u
server=${BRIGHTNESS_SERVER:-http://127.0.0.1:8787}
holder="boost-while-$$"

post() {
    curl --silent --show-error --fail --output /dev/null --max-time 5 \
        --header 'Content-Type: application/json' --data "$2" "$server$1"
}

# A boost by the same holder renews its lease. The limit ends it when this script is killed, or the network fails.
boost() {
    post /v1/boost "{\"holder\":\"$holder\",\"reason\":\"command\",\"ttl\":60}"
}

(($#)) || { echo "usage: $0 COMMAND [ARGUMENT]..." >&2; exit 2; }

# Without a daemon the command runs as well.
boost
# A renewal that has begun must not come after the restore: it ends by itself first.
renew() {
    trap exit TERM
    while sleep 20 & wait $! && kill -0 "$$"; do boost; done
}
renew </dev/null >/dev/null 2>&1 &
renewal=$!
trap 'kill "$renewal"; wait "$renewal"; post /v1/restore "{\"holder\":\"$holder\"}"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

"$@"
