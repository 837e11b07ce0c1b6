import { suggest } from '../../bindings/document/suggest.ts'
import { COMMANDS, COMMON, type Option, SHELLS } from '../commands.ts'
import type { Context, Outcome } from '../context.ts'
import { UsageError } from '../usage.ts'

type Shell = (typeof SHELLS)[number]

export function run({ positionals }: Context): Outcome {
  const [shell, ...others] = positionals
  if (!SHELLS.includes(shell as Shell) || others.length > 0) {
    const nearest = suggest(shell ?? '', SHELLS)
    const hint =
      nearest === undefined || others.length > 0 ? `as in blazon completion bash` : `did you mean ${nearest}?`
    throw new UsageError('wrong-arguments', `completion: expected one of ${SHELLS.join(', ')}`, hint)
  }
  const script = SCRIPTS[shell as Shell]()
  return { results: [{ file: null, kind: null, valid: true, diagnostics: [], shell, script }], output: [script] }
}

const SCRIPTS: Readonly<Record<Shell, () => string>> = { bash, zsh, fish, powershell }

const words = (options: readonly Option[]) => options.map(({ name }) => `--${name}`).join(' ')
const names = COMMANDS.map(({ name }) => name).join(' ')

/** Options that take one of a few words, each by its command: `match --kind` is not `init --kind`. */
function choicesBy(row: (where: string, choices: readonly string[]) => string): string {
  const own = COMMANDS.flatMap(({ name, options }) => options.map((option) => ({ command: `${name} `, option })))
  const common = COMMON.map((option) => ({ command: '', option }))
  return [...own, ...common]
    .flatMap(({ command, option: { name, choices } }) => (choices ? [row(`${command}--${name}`, choices)] : []))
    .join('\n')
}

function bash(): string {
  return `# bash completion of blazon
_blazon() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} choices=
  COMPREPLY=()
  case "\${COMP_WORDS[1]} $before" in
${choicesBy((where, choices) => `    ${where.startsWith('-') ? `*' ${where}'` : `'${where}'`}) choices='${choices.join(' ')}' ;;`)}
  esac
  if [[ -z $choices && COMP_CWORD -eq 1 ]]; then choices='${names} help --help --version'; fi
  if [[ -z $choices && $word == -* ]]; then
    case \${COMP_WORDS[1]} in
${COMMANDS.map(({ name, options }) => `      ${name}) choices='${words([...options, ...COMMON])}' ;;`).join('\n')}
    esac
  fi
  if [[ -z $choices && \${COMP_WORDS[1]} == completion ]]; then choices='${SHELLS.join(' ')}'; fi
  if [[ -n $choices ]]; then COMPREPLY=($(compgen -W "$choices" -- "$word")); fi
}
complete -o default -F _blazon blazon
`
}

const zshText = (text: string) => text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&')

function zsh(): string {
  const option = ({ name, value, choices, about, many }: Option) => {
    const action = choices ? `(${choices.join(' ')})` : '_files'
    const argument = value === undefined ? '' : `:${value}:${action}`
    return `'${many ? '*' : ''}--${name}${value === undefined ? '' : '='}[${zshText(about)}]${argument}'`
  }
  return `#compdef blazon
_blazon() {
  local -a commands
  commands=(
${COMMANDS.map(({ name, about }) => `    '${name}:${zshText(about)}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${COMMANDS.map(({ name, options }) => {
  const rest = name === 'completion' ? `'*:shell:(${SHELLS.join(' ')})'` : "'*:file:_files'"
  return `    ${name}) _arguments ${[...options, ...COMMON].map(option).join(' ')} ${rest} ;;`
}).join('\n')}
  esac
}
compdef _blazon blazon
`
}

const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`

function fish(): string {
  const line = (condition: string, { name, short, value, choices, about }: Option) =>
    [
      `complete -c blazon -n '${condition}' -l ${name}`,
      ...(short === undefined ? [] : [`-s ${short}`]),
      ...(value === undefined ? [] : [choices ? `-x -a '${choices.join(' ')}'` : '-r']),
      `-d ${quoted(about)}`,
    ].join(' ')
  return [
    '# fish completion of blazon',
    ...COMMANDS.map(({ name, about }) => `complete -c blazon -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`),
    ...COMMANDS.flatMap(({ name, options }) =>
      options.map((option) => line(`__fish_seen_subcommand_from ${name}`, option)),
    ),
    ...COMMON.map((option) => line('not __fish_use_subcommand', option)),
    `complete -c blazon -n '__fish_seen_subcommand_from completion' -f -a '${SHELLS.join(' ')}'`,
    '',
  ].join('\n')
}

function powershell(): string {
  const list = (items: readonly string[]) => items.map((item) => `'${item}'`).join(', ')
  return `# PowerShell completion of blazon
Register-ArgumentCompleter -Native -CommandName blazon -ScriptBlock {
  param($word, $ast, $cursor)
  $parts = @($ast.CommandElements | ForEach-Object { $_.ToString() })
  $before = if ($word) { $parts[-2] } else { $parts[-1] }
  $values = @{
${choicesBy((where, choices) => `    '${where}' = ${list(choices)}`)}
  }
  $options = @{
${COMMANDS.map(({ name, options }) => `    '${name}' = ${list([...options, ...COMMON].map((option) => `--${option.name}`))}`).join('\n')}
  }
  $candidates = if ($values.ContainsKey("$($parts[1]) $before")) { $values["$($parts[1]) $before"] }
    elseif ($values.ContainsKey($before)) { $values[$before] }
    elseif ($parts.Count -lt 2 -or ($parts.Count -eq 2 -and $word)) { ${list(COMMANDS.map(({ name }) => name))} }
    elseif ($word -like '-*') { $options[$parts[1]] }
    elseif ($parts[1] -eq 'completion') { ${list(SHELLS)} }
  $candidates | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}
