#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Three functions to paste into a script. They need curl, and jq for JSON.
#
#   Examples/brightness.sh boost 60 qr      boosts the default display for at most 60 s
#   Examples/brightness.sh poll             prints its percent at every change, by long polls with an ETag
#   Examples/brightness.sh events           prints the event stream, and connects again when it ends
#
# BRIGHTNESS_SERVER   the daemon, http://127.0.0.1:8787 by default

set -euo pipefail
server=${BRIGHTNESS_SERVER:-http://127.0.0.1:8787}

# boost TTL REASON: the same holder again renews its lease.
boost() {
    jq --null-input --arg reason "$2" --argjson ttl "$1" '{holder: "brightness.sh", $ttl, $reason}' |
        curl --silent --show-error --fail-with-body --json @- "$server/v1/boost"
}

# A poll is answered when the state differs from the ETag, else with 304 and no body after 30 s.
poll() {
    local tag='' head body
    head=$(mktemp)
    while :; do
        if body=$(curl --silent --show-error --fail-with-body --max-time 40 --dump-header "$head" \
            ${tag:+--header "If-None-Match: $tag"} "$server/v1/brightness?wait=30"); then
            tag=$(sed --quiet 's/\r$//; s/^[Ee][Tt]ag: //p' "$head")
            [[ -z $body ]] || jq --unbuffered .percent <<<"$body"
        else
            sleep 2
        fi
    done
}

# A comment comes every 15 s, so 45 s without a byte are a broken connection. `id:` resumes without repetitions.
events() {
    local last='' event='' line
    while :; do
        while IFS= read -r line; do
            [[ $line != id:* ]] || last=${line#id: }
            [[ $line != event:* ]] || event=${line#event: }
            # Not those of a reset, after which the state comes again.
            [[ $event != state || $line != data:* ]] || printf '%s\n' "${line#data: }"
        done < <(curl --silent --show-error --no-buffer --speed-time 45 --speed-limit 1 \
            ${last:+--header "Last-Event-ID: $last"} "$server/v1/events?types=state")
        sleep 2
    done
}

case ${1-} in
    boost) boost "${2:-60}" "${3:-example}" ;;
    poll | events) "$1" ;;
    *) sed --quiet '4,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
