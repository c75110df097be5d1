# shellcheck shell=bash disable=SC2064,SC2207

__brightness_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__brightness_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__brightness_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__brightness_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_brightness() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __brightness_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    state|list|set|boost|dim|wake|sleep|power|restore|auto|name|curve|order|light|schedules|presets|watch|history|provide|key-window|completions|help)
        # Offer subcommand argument completions
        "_brightness_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'state list set boost dim wake sleep power restore auto name curve order light schedules presets watch history provide key-window completions help' -- "${cur}"))
        ;;
    esac
}

_brightness_state() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_list() {
    repeating_flags=()
    non_repeating_flags=(--json --ids --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_set() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file --transition --reason)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    '--transition')
        return
        ;;
    '--reason')
        return
        ;;
    esac
}

_brightness_boost() {
    repeating_flags=()
    non_repeating_flags=(--json --require --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file --brightness --ttl --for --until --reason --holder)
    __brightness_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    '--brightness')
        return
        ;;
    '--ttl'|'--for')
        return
        ;;
    '--until')
        return
        ;;
    '--reason')
        return
        ;;
    '--holder')
        return
        ;;
    esac
}

_brightness_dim() {
    repeating_flags=()
    non_repeating_flags=(--json --require --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file --brightness --ttl --for --until --reason --holder)
    __brightness_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    '--brightness')
        return
        ;;
    '--ttl'|'--for')
        return
        ;;
    '--until')
        return
        ;;
    '--reason')
        return
        ;;
    '--holder')
        return
        ;;
    esac
}

_brightness_wake() {
    repeating_flags=()
    non_repeating_flags=(--json --require --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file --ttl --for --until --reason --holder)
    __brightness_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    '--ttl'|'--for')
        return
        ;;
    '--until')
        return
        ;;
    '--reason')
        return
        ;;
    '--holder')
        return
        ;;
    esac
}

_brightness_sleep() {
    repeating_flags=()
    non_repeating_flags=(--json --require --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file --ttl --for --until --reason --holder)
    __brightness_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    '--ttl'|'--for')
        return
        ;;
    '--until')
        return
        ;;
    '--reason')
        return
        ;;
    '--holder')
        return
        ;;
    esac
}

_brightness_power() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __brightness_add_completions -W 'on'$'\n''off'$'\n''toggle'
        return
        ;;
    esac
}

_brightness_restore() {
    repeating_flags=()
    non_repeating_flags=(--json --all --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file --holder --kind)
    __brightness_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    '--holder')
        return
        ;;
    '--kind')
        __brightness_add_completions -W ''
        return
        ;;
    esac
}

_brightness_auto() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __brightness_add_completions -W 'on'$'\n''off'$'\n''resume'
        return
        ;;
    esac
}

_brightness_name() {
    repeating_flags=()
    non_repeating_flags=(--json --reset --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_curve() {
    repeating_flags=()
    non_repeating_flags=(--json --reset --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_order() {
    repeating_flags=()
    non_repeating_flags=(--json --reset --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_light() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_schedules() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __brightness_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|set|pause|resume|remove|location)
        # Offer subcommand argument completions
        "_brightness_schedules_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list set pause resume remove location' -- "${cur}"))
        ;;
    esac
}

_brightness_schedules_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_schedules_set() {
    repeating_flags=()
    non_repeating_flags=(--json --sleep --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file --from --to --days --dim --boost --brightness --transition)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '--days')
        return
        ;;
    '--dim')
        return
        ;;
    '--boost')
        return
        ;;
    '--brightness')
        return
        ;;
    '--transition')
        return
        ;;
    esac
}

_brightness_schedules_pause() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_schedules_resume() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_schedules_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_schedules_location() {
    repeating_flags=()
    non_repeating_flags=(--json --forget --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_presets() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __brightness_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|set|save|apply|remove)
        # Offer subcommand argument completions
        "_brightness_presets_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list set save apply remove' -- "${cur}"))
        ;;
    esac
}

_brightness_presets_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_presets_set() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_presets_save() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_presets_apply() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file --for --ttl --holder --transition)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    '--for'|'--ttl')
        return
        ;;
    '--holder')
        return
        ;;
    '--transition')
        return
        ;;
    esac
}

_brightness_presets_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_watch() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_history() {
    repeating_flags=()
    non_repeating_flags=(--json --changes --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file --since)
    __brightness_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    '--since')
        return
        ;;
    esac
}

_brightness_provide() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file --name --set --on --off --get --steps --poll)
    __brightness_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    '--name')
        return
        ;;
    '--set')
        return
        ;;
    '--on')
        return
        ;;
    '--off')
        return
        ;;
    '--get')
        return
        ;;
    '--steps')
        return
        ;;
    '--poll')
        return
        ;;
    esac
}

_brightness_key-window() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __brightness_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show|open|close)
        # Offer subcommand argument completions
        "_brightness_key-window_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show open close' -- "${cur}"))
        ;;
    esac
}

_brightness_key-window_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_key-window_open() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file --for)
    __brightness_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    '--for')
        return
        ;;
    esac
}

_brightness_key-window_close() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --unix -d --display --token-file --ca-file)
    __brightness_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--unix')
        __brightness_add_completions -f
        return
        ;;
    '-d'|'--display')
        __brightness_add_completions -W "$(eval 'brightness list --ids 2>/dev/null')"
        return
        ;;
    '--token-file')
        __brightness_add_completions -f
        return
        ;;
    '--ca-file')
        __brightness_add_completions -f
        return
        ;;
    esac
}

_brightness_completions() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __brightness_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __brightness_add_completions -W 'bash'$'\n''zsh'$'\n''fish'
        return
        ;;
    esac
}

_brightness_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __brightness_offer_flags_options -1
}

complete -o filenames -F _brightness brightness
