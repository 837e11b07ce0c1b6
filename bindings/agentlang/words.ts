// What the kinds of AgentLang share: words, unknown keys, and texts that a model reads.
import { shapeRules, type Words } from '../frame/explain.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import { type ShapeSchema, shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { type Reading, type Report, type RootSubject, type Rule, rule, severityOf } from '../frame/subject.ts'
import { lastPart } from '../policy/path.ts'
import { replaceHidden } from '../text/hidden.ts'
import { escapeToken, type PlacedValue } from '../text/members.ts'
import { REVOKE_SECRET, searchSecrets } from '../text/secret-shapes.ts'
import { counted, quoted } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import schema from './schema.json' with { type: 'json' }

const PARTS = schema.$defs
const SANDBOX = PARTS.constraints.properties.sandbox.properties

const WORDS: Words = {
  name: 'AgentLang',
  rules: shapeRules(FINDINGS.ALL),
  grammar: {
    uri: 'an absolute URI',
    'prompt-version': '2',
    [PARTS.name.pattern]:
      'a name of at most 64 letters, digits, ., _ and -, which begins with a letter or digit and does not end with .',
    [PARTS.version.pattern]: 'a semantic version such as 1.2.0',
    [PARTS.httpTool.properties.method.pattern]: 'GET, HEAD, POST, PUT, PATCH or DELETE',
    [SANDBOX.allowed_paths.items.pattern]: 'a path below the folder of the run, with / between its names',
    [SANDBOX.allowed_urls.items.pattern]: 'an HTTP URL without a query, such as https://*.example.com',
    '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$': 'a tag name: a letter or _, then letters, digits, _, - and .',
    '^[a-z0-9]+(?:-[a-z0-9]+)*$': 'small letters and digits with single dashes between them',
  },
  // `twitter_token: true` asks for the OAuth token of that provider.
  isExtension: (name) => name.startsWith('x-') || name.endsWith('_token'),
  adviseOn: () => ({ hint: 'keys of your own begin with x-' }),
}

/** Where limits stand, by the names under which people write them elsewhere. */
const LIMIT_PLACES: Readonly<Record<string, string>> = {
  limits: 'constraints.limits',
  max_turns: 'constraints.limits.max_turns',
  max_delegation_depth: 'constraints.limits.max_delegation_depth',
  budget: 'constraints.budget',
  max_cost: 'constraints.budget.max_cost_usd',
  max_cost_usd: 'constraints.budget.max_cost_usd',
  sandbox: 'constraints.sandbox',
  disk_quota: 'constraints.sandbox.disk_quota',
  max_exec_time: 'constraints.sandbox.max_exec_time',
}

/** The specification of a kind with one schema. Keys that it does not define are reported. */
export function specificationOf<Subject extends RootSubject>(
  reading: Reading<Subject>,
  schema: ShapeSchema,
  rules: readonly Rule<Subject>[],
): Specification<Subject> {
  const shape = shapeOnce(schema)
  return {
    ...reading,
    words: WORDS,
    settings: ruleSettings,
    shapes: ({ root }) => [{ shape: shape(), value: root.value, pointer: '' }],
    listener: (_, findings, { ruleset, rules }) => ({
      undefinedMember(pointer, name, _place, remarks) {
        const place = Object.hasOwn(LIMIT_PLACES, name) ? LIMIT_PLACES[name] : undefined
        const kind = place === undefined ? FINDINGS.UNKNOWN_KEY : FINDINGS.MISPLACED_LIMIT
        const detail = `${quoted(name)} is not a key of AgentLang here`
        const more = place === undefined ? remarks : { ...remarks, fix: { hint: `write it as ${place}` } }
        findings.add(kind, severityOf(kind, ruleset, rules), pointer, detail, more)
      },
    }),
    rules,
    names: FINDINGS.names,
  }
}

export const literalSecret = rule<Pick<RootSubject, 'document'>>(FINDINGS.LITERAL_SECRET, ({ document }, report) => {
  searchSecrets(document.value, (pointer, what) => report(pointer, `It looks like ${what}`, { fix: REVOKE_SECRET }))
})

/** Reports each name that stands a second time. */
export function reportTwice(names: readonly PlacedValue<string>[], what: string, report: Report): void {
  const first = new Map<string, string>()
  for (const { value, pointer } of names) {
    const before = first.get(value)
    if (before === undefined) first.set(value, pointer)
    else {
      const related = [{ pointer: before, message: 'the first one' }]
      report(pointer, `The ${what} ${quoted(value)} stands twice`, { related })
    }
  }
}

export const hiddenText = rule<RootSubject>(FINDINGS.HIDDEN_TEXT, ({ document }, report) =>
  searchHidden(document.value, '', report),
)

/** Reports each text with characters that no screen shows, except line ends and tabs. */
function searchHidden(value: unknown, pointer: string, report: Report): void {
  if (typeof value === 'string') {
    const count = hiddenIn(value)
    if (count > 0) report(pointer, `The text has ${counted(count, 'hidden character')}`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) searchHidden(member, `${pointer}/${escapeToken(name)}`, report)
  }
}

/** The number of characters that no screen shows, except line ends and tabs. */
export function hiddenIn(text: string): number {
  let count = 0
  replaceHidden(text, (character) => {
    if (!/[\n\r\t]/.test(character)) count++
    return ''
  })
  return count
}

// Launchers fetch a package and run it. A package without an exact version may be another one at each start.

/** A package that a command line fetches when it starts. */
export interface LaunchedPackage {
  readonly launcher: string
  readonly name: string
  readonly isPinned: boolean
}

type Pin = (name: string) => boolean

const EXACT = /^v?\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/
const npmPin: Pin = (name) => {
  const at = name.lastIndexOf('@')
  return at > 0 && EXACT.test(name.slice(at + 1))
}
const pythonPin: Pin = (name) => /^[^=@]+(?:==|@)\d[\w.!+]*$/.test(name)
const imagePin: Pin = (name) => /@sha256:[\da-f]{64}$/.test(name)

interface Launcher {
  /** The words that make a program a launcher: `pnpm dlx`. */
  readonly words: readonly string[]
  readonly pin: Pin
  /** Options that name the packages; otherwise it is the first argument. */
  readonly from?: readonly string[]
  /** Other options with a value of their own. */
  readonly valued?: readonly string[]
}

const NPM_VALUED = ['-c', '--call', '-w', '--workspace', '--prefix', '--registry', '--cache', '--userconfig']
const NPM = { pin: npmPin, from: ['-p', '--package'], valued: NPM_VALUED }
const UV = {
  pin: pythonPin,
  from: ['--from', '--with'],
  valued: ['-p', '--python', '--index', '--index-url', '--directory'],
}
const DOCKER_VALUED =
  '-a --add-host --attach -c --cap-add --cap-drop --cgroup-parent --cidfile --cpus --cpuset-cpus --device --dns -e --entrypoint --env --env-file --expose --gpus --group-add -h --hostname --ip --ipc -l --label -m --memory --mount --name --net --network -p --pid --platform --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --tmpfs -u --ulimit --user -v --volume --volumes-from -w --workdir'.split(
    ' ',
  )

const LAUNCHERS: readonly Launcher[] = [
  { words: ['npx'], ...NPM },
  { words: ['npm', 'exec'], ...NPM },
  { words: ['npm', 'x'], ...NPM },
  { words: ['pnpx'], ...NPM },
  { words: ['pnpm', 'dlx'], ...NPM },
  { words: ['pnpm', 'exec'], pin: () => true },
  { words: ['yarn', 'dlx'], ...NPM },
  { words: ['bunx'], ...NPM },
  { words: ['bun', 'x'], ...NPM },
  { words: ['uvx'], ...UV },
  { words: ['uv', 'tool', 'run'], ...UV },
  { words: ['pipx', 'run'], pin: pythonPin, from: ['--spec'], valued: ['--python', '--index-url', '--pip-args'] },
  { words: ['docker', 'run'], pin: imagePin, valued: DOCKER_VALUED },
  { words: ['podman', 'run'], pin: imagePin, valued: DOCKER_VALUED },
]

/** The packages that a command line fetches; empty for a program that is installed already. */
export function launchedPackages(command: string, args: readonly string[]): readonly LaunchedPackage[] {
  const whole = command.trim()
  const words = whole.split(/\s+/)
  // A path may have spaces: `C:\Program Files\nodejs\npx.cmd`.
  const programs = words.length === 1 ? [words] : [words, [whole]]
  return programs.flatMap((program) => launchedBy(unwrapCommand([...program, ...args])))
}

function launchedBy(words: readonly string[]): readonly LaunchedPackage[] {
  const program = lastPart(words[0] ?? '', /[\\/]/)
    .toLowerCase()
    .replace(/\.(?:bat|cmd|exe|ps1)$/, '')
  const launcher = LAUNCHERS.find(({ words: [first, ...rest] }) => {
    return first === program && rest.every((word, i) => words[i + 1] === word)
  })
  if (launcher === undefined) return []
  const { pin, words: own } = launcher
  const names = packagesIn(words.slice(own.length), launcher).filter((name) => !/^(?:[./~]|file:)/.test(name))
  return names.map((name) => ({ launcher: own.join(' '), name, isPinned: pin(name) }))
}

/** The command that `env`, `cmd /c` or `sh -c` runs. */
function unwrapCommand(words: readonly string[]): readonly string[] {
  const [program = '', option = ''] = words
  const name = lastPart(program, /[\\/]/).toLowerCase()
  if (/^(?:ba|da|z|k)?sh$/.test(name) && /^-\w*c$/.test(option)) return (words[2] ?? '').trim().split(/\s+/)
  if (/^cmd(?:\.exe)?$/.test(name) && /^\/c$/i.test(option)) return words.slice(2)
  if (name !== 'env') return words
  const first = words.findIndex((word, i) => i > 0 && !word.startsWith('-') && !word.includes('='))
  return first < 0 ? [] : words.slice(first)
}

/** What a launcher fetches: the values of its options for that, otherwise its first argument. */
function packagesIn(args: readonly string[], { from = [], valued = [] }: Launcher): readonly string[] {
  const named: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    const [option = '', value] = arg.startsWith('--') ? splitOnce(arg, '=') : [arg]
    if (from.includes(option)) named.push(value ?? args[++i] ?? '')
    else if (valued.includes(option)) {
      if (value === undefined) i++
    } else if (arg !== '--' && !arg.startsWith('-')) return named.length > 0 ? named : [arg]
    else if (arg === '--') return named.length > 0 ? named : args.slice(i + 1, i + 2)
  }
  return named
}

function splitOnce(text: string, by: string): readonly [string, string?] {
  const at = text.indexOf(by)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
