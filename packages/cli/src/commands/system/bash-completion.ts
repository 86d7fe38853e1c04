/**
 * The library's script for bash runs what stands on the line, needs another package, cannot be sourced twice and
 * completes no file names, so bash has one of ours. Also for bash 3.2, which lacks `compopt`.
 */
export const BASH_COMPLETION = `# bash completion for changgu
__changgu_complete() {
    local cur words cword out directive value prefix
    if declare -F _get_comp_words_by_ref > /dev/null; then
        _get_comp_words_by_ref -n '=:' cur words cword
    else
        words=("\${COMP_WORDS[@]}")
        cword=$COMP_CWORD
        cur=\${COMP_WORDS[COMP_CWORD]}
    fi
    COMPREPLY=()
    out=$(changgu complete -- "\${words[@]:1:cword}" 2> /dev/null) || return
    directive=\${out##*:}
    # What readline completes begins after the last of these.
    prefix=\${cur%"\${cur##*[=:]}"}
    while IFS=$'\\t' read -r value _; do
        [[ -n $value && $value == "$cur"* ]] && COMPREPLY+=("\${value#"$prefix"}")
    done <<< "\${out%:*}"
    ((directive & 2)) && compopt -o nospace 2> /dev/null
    ((directive & 4)) && compopt +o default 2> /dev/null
    return 0
}
complete -o default -F __changgu_complete changgu
`;
