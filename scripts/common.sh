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

# The version of the newest commit. A commit before the release has an older version than the release and a newer one than the commits before
# it, so that apt updates.
commit_version() {
    local version
    version=$(sed -n 's/.*static let text = "\(.*\)"/\1/p' Sources/Support/ReleaseVersion.swift)
    [[ -n $version ]] || fail "no version in Sources/Support/ReleaseVersion.swift"
    [[ $(git describe --tags --exact-match 2>/dev/null) == "v$version" ]] ||
        version+=$(TZ=UTC git log -1 --date=format-local:%Y%m%d%H%M --format='~git%cd.%h' --abbrev=8)
    echo "$version"
}

# pack DIRECTORY OPTION...: a tar of files there, dated $epoch; equal files give equal bytes.
pack() {
    tar --create --directory "$1" --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX "${@:2}"
}
