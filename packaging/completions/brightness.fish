brightness completions fish | source
