# shellcheck shell=bash
eval "$(brightness completions bash)"
