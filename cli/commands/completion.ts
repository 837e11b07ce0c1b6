import { answer, COMMON, defineCommand, nearestOr, type Option, type Options, UsageError } from '../command.ts'
import { COMMANDS } from '../commands.ts'
import type { Load, Table } from '../run.ts'

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
type Shell = (typeof SHELLS)[number]

export const command = defineCommand({
  options: {},
  operands: SHELLS,
  async run({ positionals, print }) {
    const [given, ...others] = positionals
    const shell = others.length > 0 ? undefined : SHELLS.find((name) => name === given)
    if (shell === undefined) {
      const hint = nearestOr('as in blazon completion bash', others.length > 0 ? undefined : given, SHELLS)
      throw new UsageError('wrong-arguments', `completion: expected one of ${SHELLS.join(', ')}`, hint)
    }
    const script = SCRIPTS[shell](await everyWord())
    print(script)
    return { results: [answer({ shell, script })] }
  },
})

const SCRIPTS: Readonly<Record<Shell, (words: readonly Word[]) => string>> = { bash, zsh, fish, powershell }

/** The first word of a command line: a command or a group of commands. */
interface Word {
  readonly name: string
  readonly about: string
  readonly options: Options
  /** The valid next words, if there are only a few. */
  readonly operands: readonly string[]
}

function everyWord(): Promise<readonly Word[]> {
  const words = Object.entries(COMMANDS).map(async ([name, [about, what]]) => ({
    name,
    about,
    ...(await loadDeclared(what)),
  }))
  return Promise.all(words)
}

async function loadDeclared(what: Load | Table): Promise<Pick<Word, 'options' | 'operands'>> {
  if (typeof what === 'function') {
    const { options, operands = [] } = (await what()).command
    return { options, operands }
  }
  const verbs = await Promise.all(Object.values(what).map(([, verb]) => loadDeclared(verb)))
  return { options: uniteOptions(verbs.map(({ options }) => options)), operands: Object.keys(what) }
}

/** The options of all verbs. One that several verbs have gets the choices of each. */
function uniteOptions(all: readonly Options[]): Options {
  const options: Record<string, Option> = {}
  for (const [name, option] of all.flatMap((one) => Object.entries<Option>(one))) {
    const choices = new Set([...(options[name]?.choices ?? []), ...(option.choices ?? [])])
    options[name] = choices.size > 0 ? { ...option, choices: [...choices] } : option
  }
  return options
}

const namesOf = (words: readonly Word[]) => words.map(({ name }) => name)
const flagsOf = (options: Options) => Object.keys({ ...options, ...COMMON }).map((name) => `--${name}`)

/** Rows for options with fixed values, by command: `match --kind` takes others than `init --kind`. */
function choicesBy(words: readonly Word[], row: (where: string, choices: readonly string[]) => string): string {
  const all = [...words.map(({ name, options }) => ({ before: `${name} `, options })), { before: '', options: COMMON }]
  return all
    .flatMap(({ before, options }) =>
      Object.entries<Option>(options).flatMap(([name, { choices }]) =>
        choices ? [row(`${before}--${name}`, choices)] : [],
      ),
    )
    .join('\n')
}

function operandsBy(words: readonly Word[], row: (name: string, operands: readonly string[]) => string): string {
  return words.flatMap(({ name, operands }) => (operands.length > 0 ? [row(name, operands)] : [])).join('\n')
}

function bash(words: readonly Word[]): string {
  return `# bash completion of blazon
_blazon() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} choices=
  COMPREPLY=()
  case "\${COMP_WORDS[1]} $before" in
${choicesBy(words, (where, choices) => `    ${where.startsWith('-') ? `*' ${where}'` : `'${where}'`}) choices='${choices.join(' ')}' ;;`)}
  esac
  if [[ -z $choices && COMP_CWORD -eq 1 ]]; then choices='${namesOf(words).join(' ')} help --help --version'; fi
  if [[ -z $choices && $word == -* ]]; then
    case \${COMP_WORDS[1]} in
${words.map(({ name, options }) => `      ${name}) choices='${flagsOf(options).join(' ')}' ;;`).join('\n')}
    esac
  fi
  if [[ -z $choices && COMP_CWORD -eq 2 ]]; then
    case \${COMP_WORDS[1]} in
${operandsBy(words, (name, operands) => `      ${name}) choices='${operands.join(' ')}' ;;`)}
    esac
  fi
  if [[ -n $choices ]]; then COMPREPLY=($(compgen -W "$choices" -- "$word")); fi
}
complete -o default -F _blazon blazon
`
}

const zshText = (text: string) => text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&')

function zsh(words: readonly Word[]): string {
  const option = ([name, { value, choices, about, many }]: readonly [string, Option]) => {
    const action = choices ? `(${choices.join(' ')})` : '_files'
    const argument = value === undefined ? '' : `:${value}:${action}`
    return `'${many ? '*' : ''}--${name}${value === undefined ? '' : '='}[${zshText(about)}]${argument}'`
  }
  const line = ({ name, options, operands }: Word) => {
    const rows = Object.entries<Option>({ ...options, ...COMMON }).map(option)
    const first = operands.length > 0 ? [`'2:word:(${operands.join(' ')})'`] : []
    return `    ${name}) _arguments ${[...rows, ...first].join(' ')} '*:file:_files' ;;`
  }
  return `#compdef blazon
_blazon() {
  local -a commands
  commands=(
${words.map(({ name, about }) => `    '${name}:${zshText(about)}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${words.map(line).join('\n')}
  esac
}
compdef _blazon blazon
`
}

const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`

function fish(words: readonly Word[]): string {
  const rows = (condition: string, options: Options) =>
    Object.entries(options).map(([name, { short, value, choices, about }]) =>
      [
        `complete -c blazon -n '${condition}' -l ${name}`,
        ...(short === undefined ? [] : [`-s ${short}`]),
        ...(value === undefined ? [] : [choices ? `-x -a '${choices.join(' ')}'` : '-r']),
        `-d ${quoted(about)}`,
      ].join(' '),
    )
  return [
    '# fish completion of blazon',
    ...words.map(({ name, about }) => `complete -c blazon -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`),
    ...words.flatMap(({ name, options }) => rows(`__fish_seen_subcommand_from ${name}`, options)),
    ...rows('not __fish_use_subcommand', COMMON),
    operandsBy(words, (name, operands) => {
      return `complete -c blazon -n '__fish_seen_subcommand_from ${name}' -f -a '${operands.join(' ')}'`
    }),
    '',
  ].join('\n')
}

function powershell(words: readonly Word[]): string {
  const list = (items: readonly string[]) => items.map((item) => `'${item}'`).join(', ')
  return `# PowerShell completion of blazon
Register-ArgumentCompleter -Native -CommandName blazon -ScriptBlock {
  param($word, $ast, $cursor)
  $parts = @($ast.CommandElements | ForEach-Object { $_.ToString() })
  $before = if ($word) { $parts[-2] } else { $parts[-1] }
  $values = @{
${choicesBy(words, (where, choices) => `    '${where}' = ${list(choices)}`)}
  }
  $options = @{
${words.map(({ name, options }) => `    '${name}' = ${list(flagsOf(options))}`).join('\n')}
  }
  $operands = @{
${operandsBy(words, (name, operands) => `    '${name}' = ${list(operands)}`)}
  }
  $candidates = if ($values.ContainsKey("$($parts[1]) $before")) { $values["$($parts[1]) $before"] }
    elseif ($values.ContainsKey($before)) { $values[$before] }
    elseif ($parts.Count -lt 2 -or ($parts.Count -eq 2 -and $word)) { ${list(namesOf(words))} }
    elseif ($word -like '-*') { $options[$parts[1]] }
    elseif ($parts.Count -eq 2 -or ($parts.Count -eq 3 -and $word)) { $operands[$parts[1]] }
  $candidates | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}
