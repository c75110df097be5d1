function __brightness_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __brightness_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __brightness_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __brightness_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __brightness_parse_tokens -S
    set -l unparsed_tokens (__brightness_tokens -pc)
    switch $unparsed_tokens[1]
    case 'brightness'
        __brightness_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'state'
            __brightness_parse_subcommand 0 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
        case 'list'
            __brightness_parse_subcommand 0 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'ids' 'version' 'h/help'
        case 'set'
            __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'transition=' 'reason=' 'version' 'h/help'
        case 'boost'
            __brightness_parse_subcommand -r 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'brightness=' 'ttl=' 'until=' 'reason=' 'holder=' 'require' 'version' 'h/help'
        case 'dim'
            __brightness_parse_subcommand -r 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'brightness=' 'ttl=' 'until=' 'reason=' 'holder=' 'require' 'version' 'h/help'
        case 'wake'
            __brightness_parse_subcommand -r 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'ttl=' 'until=' 'reason=' 'holder=' 'require' 'version' 'h/help'
        case 'sleep'
            __brightness_parse_subcommand -r 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'ttl=' 'until=' 'reason=' 'holder=' 'require' 'version' 'h/help'
        case 'power'
            __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
        case 'restore'
            __brightness_parse_subcommand 0 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'holder=' 'kind=' 'all' 'version' 'h/help'
        case 'auto'
            __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
        case 'name'
            __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'reset' 'version' 'h/help'
        case 'curve'
            __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'reset' 'version' 'h/help'
        case 'order'
            __brightness_parse_subcommand -r 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'reset' 'version' 'h/help'
        case 'light'
            __brightness_parse_subcommand 0 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
        case 'schedules'
            __brightness_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __brightness_parse_subcommand 0 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
            case 'set'
                __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'from=' 'to=' 'days=' 'dim=' 'boost=' 'brightness=' 'sleep' 'transition=' 'version' 'h/help'
            case 'pause'
                __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
            case 'resume'
                __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
            case 'remove'
                __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
            case 'location'
                __brightness_parse_subcommand -r 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'forget' 'version' 'h/help'
            end
        case 'presets'
            __brightness_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __brightness_parse_subcommand 0 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
            case 'set'
                __brightness_parse_subcommand -r 2 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
            case 'save'
                __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
            case 'apply'
                __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'for=' 'holder=' 'transition=' 'version' 'h/help'
            case 'remove'
                __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
            end
        case 'watch'
            __brightness_parse_subcommand 0 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
        case 'history'
            __brightness_parse_subcommand 0 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'since=' 'changes' 'version' 'h/help'
        case 'provide'
            __brightness_parse_subcommand 1 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'name=' 'set=' 'on=' 'off=' 'get=' 'steps=' 'poll=' 'version' 'h/help'
        case 'key-window'
            __brightness_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'show'
                __brightness_parse_subcommand 0 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
            case 'open'
                __brightness_parse_subcommand 0 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'for=' 'version' 'h/help'
            case 'close'
                __brightness_parse_subcommand 0 'server=' 'unix=' 'd/display=' 'token-file=' 'ca-file=' 'json' 'version' 'h/help'
            end
        case 'completions'
            __brightness_parse_subcommand 1 'version' 'h/help'
        case 'help'
            __brightness_parse_subcommand -r 1 'version'
        end
    end
end

function __brightness_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __brightness_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __brightness_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __brightness_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__brightness_tokens -p)
    if test -z "$(__brightness_tokens -t)"
        set -l index (count (__brightness_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'brightness' -f
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'state' -d 'Prints the brightness of a display, and why it has it. The default command.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'list' -d 'Lists the displays.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'set' -d 'Sets the baseline: what a display shows without a boost.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'boost' -d 'Raises the brightness of a display for a limited time, or while a command runs.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'dim' -d 'Limits the brightness of a display for a while, or while a command runs.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'wake' -d 'Keeps a display on for a while, or while a command runs.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'sleep' -d 'Switches a display off for a while, or while a command runs.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'power' -d 'Switches a display on or off until somebody changes that.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'restore' -d 'Releases your own boost, or other leases. After the last one a display returns to its baseline.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'auto' -d 'Switches automatic brightness.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'name' -d 'Gives a display a name in your own words.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'curve' -d 'Sets how a display\'s brightness maps to its panel\'s range.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'order' -d 'Sets the order of the displays on the dashboard.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'light' -d 'Prints the light in the room, and what each sensor reads.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'schedules' -d 'Lists and edits schedules: what the daemon does at a time of the day.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'presets' -d 'Lists, edits and applies presets: values for several displays.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'watch' -d 'Prints the state of each display, then every change with who caused it and why.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'history' -d 'Draws the brightness of a display over time as a line of blocks, and lists its changes.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'provide' -d 'Adds a display that commands control, for a screen that the daemon cannot set itself.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'key-window' -d 'Lets Home Assistant make the key that encrypts its connection.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'completions' -d 'Prints the completions for a shell.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness state" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness state" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness state" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness state" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness state" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness state" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness state" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness state" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness list" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness list" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness list" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness list" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness list" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness list" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness list" ids' -l 'ids' -d 'Print only the ids, one per line.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness list" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness set" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness set" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness set" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness set" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness set" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness set" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness set" transition' -l 'transition' -d 'How long the display takes to change: 0, 5, 90s, 5m.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness set" reason' -l 'reason' -d 'The reason, which every client sees.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness set" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness set" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" brightness' -l 'brightness' -d 'How bright at least: 80%, 0.8 or raw:480. [default: 100%]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" for ttl' -l 'ttl' -l 'for' -d 'How long it lasts at most: 60, 90s, 45m. [default: 5m; with -- COMMAND no limit]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" until' -l 'until' -d 'When it ends at the latest, by the clock of this machine: 07:00, 7am.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" reason' -l 'reason' -d 'The reason, which every client sees.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" holder' -l 'holder' -d 'The holder of the lease. The same holder again renews its lease. [default: the token\'s name, or none; with -- COMMAND one of its own]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" require' -l 'require' -d 'With -- COMMAND: do not run the command without the lease.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness boost" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" brightness' -l 'brightness' -d 'How bright at most: 20%, 0.2 or raw:96. [default: 20%]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" for ttl' -l 'ttl' -l 'for' -d 'How long it lasts at most: 60, 90s, 45m. [default: 5m; with -- COMMAND no limit]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" until' -l 'until' -d 'When it ends at the latest, by the clock of this machine: 07:00, 7am.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" reason' -l 'reason' -d 'The reason, which every client sees.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" holder' -l 'holder' -d 'The holder of the lease. The same holder again renews its lease. [default: the token\'s name, or none; with -- COMMAND one of its own]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" require' -l 'require' -d 'With -- COMMAND: do not run the command without the lease.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness dim" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" for ttl' -l 'ttl' -l 'for' -d 'How long it lasts at most: 60, 90s, 45m. [default: 5m; with -- COMMAND no limit]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" until' -l 'until' -d 'When it ends at the latest, by the clock of this machine: 07:00, 7am.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" reason' -l 'reason' -d 'The reason, which every client sees.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" holder' -l 'holder' -d 'The holder of the lease. The same holder again renews its lease. [default: the token\'s name, or none; with -- COMMAND one of its own]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" require' -l 'require' -d 'With -- COMMAND: do not run the command without the lease.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness wake" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" for ttl' -l 'ttl' -l 'for' -d 'How long it lasts at most: 60, 90s, 45m. [default: 5m; with -- COMMAND no limit]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" until' -l 'until' -d 'When it ends at the latest, by the clock of this machine: 07:00, 7am.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" reason' -l 'reason' -d 'The reason, which every client sees.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" holder' -l 'holder' -d 'The holder of the lease. The same holder again renews its lease. [default: the token\'s name, or none; with -- COMMAND one of its own]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" require' -l 'require' -d 'With -- COMMAND: do not run the command without the lease.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness sleep" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness power" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness power" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness power" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness power" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness power" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness power" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness power" -eq 1' -fka 'on off toggle'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness power" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness power" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness restore" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness restore" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness restore" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness restore" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness restore" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness restore" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness restore" holder' -l 'holder' -d 'The holder: releases its leases of every kind.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness restore" kind' -l 'kind' -d 'Release only leases of this kind: boost, dim, wake or sleep.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness restore" all' -l 'all' -d 'Release everybody\'s leases; needs the scope admin.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness restore" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness restore" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness auto" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness auto" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness auto" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness auto" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness auto" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness auto" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness auto" -eq 1' -fka 'on off resume'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness auto" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness auto" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness name" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness name" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness name" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness name" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness name" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness name" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness name" reset' -l 'reset' -d 'Give the display the device\'s own name again.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness name" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness name" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness curve" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness curve" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness curve" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness curve" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness curve" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness curve" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness curve" reset' -l 'reset' -d 'Use the daemon\'s option --curve again, or linear without it.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness curve" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness curve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness order" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness order" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness order" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness order" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness order" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness order" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness order" reset' -l 'reset' -d 'Give every display the place of its kind and name again.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness order" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness order" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness light" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness light" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness light" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness light" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness light" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness light" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness light" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness light" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness schedules" -eq 1' -fa 'list' -d 'Lists the schedules.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness schedules" -eq 1' -fa 'set' -d 'Adds or replaces a schedule.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness schedules" -eq 1' -fa 'pause' -d 'Ends what a schedule does, and keeps the schedule for later.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness schedules" -eq 1' -fa 'resume' -d 'Continues a paused schedule: inside its interval at once.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness schedules" -eq 1' -fa 'remove' -d 'Removes a schedule and ends what it does.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness schedules" -eq 1' -fa 'location' -d 'Prints or sets the place of the daemon\'s machine, for sunrise and sunset.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules list" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules list" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules list" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules list" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules list" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules list" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules list" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" from' -l 'from' -d 'When it begins: 22:00, 10pm, sunset or sunset-00:30.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" to' -l 'to' -d 'When it ends: 07:00, 7am, sunrise or sunrise+01:00.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" days' -l 'days' -d 'On which days it begins, such as mon,tue or mon-fri, weekdays or weekend. [default: every day]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" dim' -l 'dim' -d 'How bright at most: 20% or 0.2.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" boost' -l 'boost' -d 'How bright at least.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" brightness' -l 'brightness' -d 'The brightness to set once, at the beginning.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" sleep' -l 'sleep' -d 'Switch the displays off.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" transition' -l 'transition' -d 'How long each change takes: 5, 90s, 5m.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules set" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules pause" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules pause" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules pause" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules pause" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules pause" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules pause" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules pause" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules pause" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules resume" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules resume" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules resume" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules resume" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules resume" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules resume" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules resume" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules resume" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules remove" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules remove" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules remove" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules remove" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules remove" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules remove" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules remove" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules location" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules location" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules location" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules location" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules location" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules location" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules location" forget' -l 'forget' -d 'Forget the place that was set: that of the daemon\'s options counts again.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules location" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness schedules location" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness presets" -eq 1' -fa 'list' -d 'Lists the presets.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness presets" -eq 1' -fa 'set' -d 'Adds or replaces a preset.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness presets" -eq 1' -fa 'save' -d 'Adds or replaces a preset with the displays as people have set them now.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness presets" -eq 1' -fa 'apply' -d 'Brings displays to the values of a preset.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness presets" -eq 1' -fa 'remove' -d 'Removes a preset. Displays stay as they are.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets list" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets list" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets list" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets list" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets list" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets list" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets list" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets set" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets set" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets set" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets set" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets set" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets set" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets set" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets set" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets save" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets save" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets save" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets save" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets save" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets save" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets save" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets save" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets apply" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets apply" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets apply" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets apply" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets apply" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets apply" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets apply" for ttl' -l 'for' -l 'ttl' -d 'Hold the values by leases for this time, 1 h at most. Then everything is as before.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets apply" holder' -l 'holder' -d 'The holder of the leases. [default: preset]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets apply" transition' -l 'transition' -d 'How long each change takes: 5, 90s, 5m.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets apply" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets apply" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets remove" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets remove" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets remove" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets remove" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets remove" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets remove" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets remove" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness presets remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness watch" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness watch" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness watch" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness watch" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness watch" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness watch" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness watch" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness watch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness history" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness history" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness history" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness history" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness history" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness history" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness history" since' -l 'since' -d 'How far back: 90s, 30m, 1h, 2d or 1w, at most a year.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness history" changes' -l 'changes' -d 'List the changes only, up to a thousand. With --json, print their document.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness history" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness history" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" name' -l 'name' -d 'The displayed name. [default: the id]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" set' -l 'set' -d 'Command that sets the brightness; {percent} or {step} is replaced.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" on' -l 'on' -d 'Command that switches the display on.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" off' -l 'off' -d 'Command that switches it off.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" get' -l 'get' -d 'Command that prints what it shows: a percent, on or off.' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" steps' -l 'steps' -d 'The brightest step; the darkest is 0. [default: 100]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" poll' -l 'poll' -d 'The time between two runs of --get. [default: 5s]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness provide" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness key-window" -eq 1' -fa 'show' -d 'Shows the key and the window.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness key-window" -eq 1' -fa 'open' -d 'Opens the window.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness key-window" -eq 1' -fa 'close' -d 'Closes the window.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window show" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window show" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window show" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window show" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window show" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window show" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window show" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window open" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window open" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window open" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window open" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window open" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window open" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window open" for' -l 'for' -d 'How long it is open: 30s to 15m. [default: 5m]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window open" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window open" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window close" server' -l 'server' -d 'Where the daemon serves. [env: BRIGHTNESS_SERVER; default: http://127.0.0.1:8787]' -rfka ''
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window close" unix' -l 'unix' -d 'The daemon\'s Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window close" d display' -s 'd' -l 'display' -d 'The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon\'s default one]' -rfka '(brightness list --ids 2>/dev/null)'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window close" token-file' -l 'token-file' -d 'A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: BRIGHTNESS_TOKEN_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window close" ca-file' -l 'ca-file' -d 'CA certificates (PEM) used to verify an https server, in place of the system\'s. [env: BRIGHTNESS_CA_FILE]' -rF
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window close" json' -l 'json' -d 'Print the daemon\'s answer as JSON.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window close" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness key-window close" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_positional "brightness completions" -eq 1' -fka 'bash zsh fish'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness completions" version' -l 'version' -d 'Show the version.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness completions" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'brightness' -n '__brightness_should_offer_completions_for_flags_or_options "brightness help" version' -l 'version' -d 'Show the version.'
