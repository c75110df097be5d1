# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For scripts that try something in a newly made Debian.

# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

# Calls main in a mount namespace of its own, with an empty directory: $work. At the end both are gone, and so is $daemon.
apart() {
    need_root
    if [[ -n ${TRY_WORK:-} ]]; then
        work=$TRY_WORK root=$TRY_WORK/root daemon=
        trap '[[ -z $daemon ]] || kill -- "$daemon" 2>/dev/null || true' EXIT
        main "$@"
    else
        TRY_WORK=$(mktemp -d --tmpdir brightnessd-try.XXXXXX)
        export TRY_WORK
        trap 'rm -rf --one-file-system "$TRY_WORK"' EXIT
        unshare --mount --propagation private "scripts/${0##*scripts/}" "$@"
    fi
}

# new_debian SUITE [ARCHITECTURE]: makes $root, and `inside`, which runs commands there. Its /dev has two devices.
new_debian() {
    inside=(chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive)
    scripts/try/debian-base "$root" "$@"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/dev"
    mknod -m 666 "$root/dev/null" c 1 3
    mknod -m 666 "$root/dev/urandom" c 1 9
}

apt() { "${inside[@]}" apt-get -q -o Dpkg::Use-Pty=0 -o APT::Sandbox::User=root "$@" >"$work/apt" 2>&1; }

must() { apt "$@" || fail "apt-get $*: $(tail -n 20 "$work/apt")"; }

this_suite() (
    # shellcheck source=/dev/null
    . /etc/os-release
    echo "$VERSION_CODENAME"
)

# find_packages ARCHITECTURE: those of `make deb`.
find_packages() {
    package=$(echo .build/deb/brightnessd_*_"$1".deb) helper=$(echo .build/deb/brightness-ddc_*_"$1".deb)
    [[ -e $package && -e $helper ]] || fail "no packages in .build/deb for $1; make deb builds them"
}

# Waits until $daemon, whose log is $work/log, serves at $url.
await_daemon() {
    # shellcheck disable=SC2034 # url is for who calls
    until url=$(grep -om1 'http://127.0.0.1:[0-9]*' "$work/log" 2>/dev/null); do
        kill -0 "$daemon" 2>/dev/null || fail "the daemon ended: $(<"$work/log")"
        sleep 0.1
    done
}

end_daemon() {
    kill "$daemon"
    wait "$daemon" || fail "the daemon did not end well: $(<"$work/log")"
    daemon=
}

# play README: runs the commands of its "Run it" by "${as_visitor[@]}", in its order, at $url; each must print what is shown.
play() {
    local line command='' shown=''
    while IFS= read -r line; do
        if [[ $line == '$ '* ]]; then
            check
            command=${line#'$ '} shown=
        else
            shown+=$line
        fi
    done < <(awk '/^## / { section = $0 } /^```/ { on = /console/; next } on && section == "## Run it"' "$1")
    check
}

# An output may be cut off by "…", and white space does not count. A stream ends at its time limit.
check() {
    [[ -n $command ]] || return 0
    local output pattern status=0
    output=$("${as_visitor[@]}" timeout 3 bash -c "${command//localhost:8787/${url#http://}}" 2>/dev/null </dev/null) || status=$?
    ((status == 0 || status == 124)) || fail "$command: exit code $status"
    pattern=$(tr -d '[:space:]' <<<"$shown" | sed 's/[][*?\\]/\\&/g; s/…/*/g')
    # shellcheck disable=SC2053
    [[ $(tr -d '[:space:]' <<<"$output") == $pattern ]] || fail "$command prints $output, and README shows $shown"
    printf '$ %s: as README shows\n' "$command"
}

# The directories of this machine's Git repositories that stand in for those on the network (url.….insteadOf), one a line. A system made
# here, which builds without a network, needs them and /etc/gitconfig at the same paths.
git_mirrors() {
    git config --system --name-only --get-regexp '^url\./.*\.insteadof$' 2>/dev/null | sed -E 's/^url\.//; s,/*\.insteadof$,,' | sort -u
}
