# Completion of ukemi for bash; make install puts it where bash-completion looks. What fits is asked of ukemi itself.
_ukemi() {
    local last
    COMPREPLY=()
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" help complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
    last=$((${#COMPREPLY[@]} - 1))
    if [ "$last" -ge 0 ] && [ "${COMPREPLY[last]}" = ":files" ]; then
        unset "COMPREPLY[last]"
        compopt -o default 2>/dev/null # file names, if there is nothing else
    fi
}
complete -F _ukemi ukemi
