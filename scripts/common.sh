# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# How the scripts begin: strict, at the top of the checkout, with the Swift toolchain in PATH; and what several of them do.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$PATH:/opt/swift/usr/bin"

say() { printf '\n=== %s\n' "$1"; }

fail() {
    printf '%s: %s\n' "${0##*scripts/}" "$1" >&2
    exit 1
}

need_root() { ((EUID == 0)) || fail "this needs root"; }
