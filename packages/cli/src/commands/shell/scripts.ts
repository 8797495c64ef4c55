/** The completion script of each shell. */
export const SCRIPTS = {
  bash: `# bash completion for coreiso: source <(coreiso completion bash)
_coreiso() {
  local kind line
  COMPREPLY=()
  {
    read -r kind
    while IFS= read -r line; do COMPREPLY+=("$line"); done
  } < <(command coreiso complete bash -- "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  case $kind in
    files) compopt -o default ;;
    folders) compopt -o dirnames ;;
    *) [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace ;;
  esac
  return 0
}
complete -F _coreiso coreiso
`,
  zsh: `#compdef coreiso
# zsh completion for coreiso: source <(coreiso completion zsh), after compinit
_coreiso() {
  local -a lines values
  local kind line
  lines=("\${(@f)$(command coreiso complete zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  kind=$lines[1]
  for line in "\${(@)lines[2,-1]}"; do
    if [[ $line == *$'\\t'* ]]; then
      values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    else
      values+=("\${line//:/\\\\:}")
    fi
  done
  case $kind in
    files) [[ $PREFIX == --*=* ]] && compset -P '*='; _files ;;
    folders) [[ $PREFIX == --*=* ]] && compset -P '*='; _files -/ ;;
    *) (( $#values )) && _describe -V coreiso values ;;
  esac
}
if [[ $funcstack[1] == _coreiso ]]; then _coreiso; else compdef _coreiso coreiso; fi
`,
  fish: `# fish completion for coreiso: coreiso completion fish > ~/.config/fish/completions/coreiso.fish
function __coreiso_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l lines (command coreiso complete fish -- $words[2..-1] 2>/dev/null)
    set -l option (string match -r -- '^--[^=]+=' (commandline -ct))
    set -l current (string replace -r -- '^--[^=]+=' '' (commandline -ct))
    switch "$lines[1]"
        case files
            printf "$option%s\\n" (__fish_complete_path "$current")
        case folders
            printf "$option%s\\n" (__fish_complete_directories "$current" '')
        case '*'
            test (count $lines) -gt 1; and printf '%s\\n' $lines[2..-1]
    end
end
complete -c coreiso -f -a '(__coreiso_complete)'
`,
  powershell: `# PowerShell completion for coreiso: coreiso completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName coreiso -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -le $cursorPosition } | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  $kind, $lines = @(& coreiso complete powershell '--' @words 2>$null)
  if ($kind -ne 'words') {
    [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
    return
  }
  foreach ($line in $lines) {
    $text, $help = $line -split "\`t", 2
    if (-not $help) { $help = $text }
    [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $help)
  }
}
`,
} as const;
