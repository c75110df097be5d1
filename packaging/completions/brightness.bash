# shellcheck shell=bash
# Words as the shell has them, without its breaks at colons and equals signs.
_brightness() {
    local line=${COMP_LINE:0:COMP_POINT} words=() current head
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    current=${words[-1]}
    mapfile -t COMPREPLY < <("$1" ---complete "${words[@]:1}" 2>/dev/null)
    if [[ ${COMPREPLY[0]-} == :files ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        compopt -o filenames
    fi
    head=${current%"${current##*[:=]}"}
    COMPREPLY=("${COMPREPLY[@]#"$head"}")
}
complete -F _brightness brightness
