// Adds the hook to the settings of a runner. The settings are shown, and with --yes written.

import { delimiter, join, resolve } from 'node:path'
import { parse } from '../../../bindings/document/parse.ts'
import { toHex } from '../../../bindings/text/bytes.ts'
import { formatPointer, isObject, isText, type JsonObject, member, objectOf } from '../../../bindings/text/members.ts'
import { sha256 } from '../../../bindings/wasm/sha256.ts'
import { type Outcome, type Tools, UsageError } from '../../command.ts'
import type { Host } from '../../host.ts'
import { word } from '../../report/report.ts'
import type { Arguments } from '../../run.ts'
import { save } from '../../save.ts'
import { placeOf } from '../place.ts'
import { bytesIfThere } from '../stream-files.ts'
import type { Runner } from './session.ts'

const TOOL_EVENTS = ['PreToolUse', 'PostToolUse', 'PermissionRequest']
const COMMON_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'Stop',
  'SessionEnd',
]

/** The files of each runner in a project, and the events that it has. Personal paths go to the first file. */
const PLACES: Readonly<Record<Runner, readonly [files: readonly string[], events: readonly string[]]>> = {
  claude: [
    ['.claude/settings.local.json', '.claude/settings.json'],
    [...TOOL_EVENTS, 'PostToolUseFailure', 'PermissionDenied', ...COMMON_EVENTS, 'StopFailure'],
  ],
  codex: [['.codex/hooks.json'], [...TOOL_EVENTS, ...COMMON_EVENTS]],
  gemini: [
    ['.gemini/settings.json'],
    [
      'BeforeTool',
      'AfterTool',
      'BeforeAgent',
      'AfterAgent',
      'SessionStart',
      'SessionEnd',
      'PreCompress',
      'Notification',
    ],
  ],
}

/** Seconds, for Gemini milliseconds: longer than the hook's own deadline, after which it denies or gives up. */
const TIMEOUT = 30

type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export async function install(
  runner: Runner,
  tools: Tools & Pick<Arguments, 'options'>,
  folder: string,
): Promise<Outcome> {
  const options = tools.options as unknown as Options
  const [files, events] = PLACES[runner]
  const all = await Promise.all(files.map((file) => settingsIn(file, tools)))
  const old = all.flatMap((settings) => settings.lines)
  const chosen = withOld(options, old[0])
  const line = await commandLine(runner, chosen, tools, folder)
  const [own, ...others] = all
  const hooks = { ...own!.hooks }
  // Claude Code from 2.1.295 on: a hook that fails in any way blocks the call. Others have no such switch.
  const closes = runner === 'claude' && (chosen['document'] !== undefined || chosen['require'] === true)
  for (const event of events) {
    const closed = event === 'PreToolUse' && closes && { onFailure: 'block' }
    hooks[event] = [
      ...(hooks[event] ?? []),
      {
        hooks: [{ type: 'command', command: line, timeout: runner === 'gemini' ? 1000 * TIMEOUT : TIMEOUT, ...closed }],
      },
    ]
  }
  const changed = [{ ...own!, hooks }, ...others.filter(({ lines }) => lines.length > 0)]
  const trust = runner === 'codex' ? ['open /hooks in Codex to trust the hook: until then, Codex skips it'] : []
  const outcome = await writeSettings(changed, tools)
  const lost = old.filter((one) => one !== line).map((one) => `- ${one}`)
  const diff = lost.length === 0 ? [] : [...new Set(lost), `+ ${line}`]
  const next =
    options['yes'] === true ? [...trust, 'a new session is recorded: blazon runs show latest shows what it did'] : []
  return { ...outcome, notes: [...diff, ...outcome.notes!, ...next] }
}

/** Removes the lines of this hook from the settings of a runner, and nothing else. */
export async function uninstall(runner: Runner, tools: Tools & Pick<Arguments, 'options'>): Promise<Outcome> {
  const all = await Promise.all(PLACES[runner][0].map((file) => settingsIn(file, tools)))
  const changed = all.filter(({ lines }) => lines.length > 0)
  if (changed.length === 0) return { results: [], notes: ['the settings have no hook of blazon'] }
  return writeSettings(changed, tools)
}

interface Settings {
  readonly file: string
  readonly value: JsonObject
  /** The groups of each event, without our lines. */
  readonly hooks: Readonly<Record<string, readonly unknown[]>>
  /** Our lines, each once. */
  readonly lines: readonly string[]
}

async function settingsIn(file: string, tools: Tools): Promise<Settings> {
  const bytes = (await bytesIfThere(tools, file)) ?? new TextEncoder().encode('{}\n')
  const { document } = parse(bytes, { file })
  if (document === undefined || !isObject(document.value))
    throw new UsageError('invalid-value', `${file} is not a JSON object`, 'repair it first')
  const before = member(document.value, 'hooks')
  const places = isObject(before) ? Object.keys(before).filter((event) => !Array.isArray(before[event])) : undefined
  if (before !== undefined && (places === undefined || places.length > 0)) {
    const place = formatPointer(['hooks', ...(places?.slice(0, 1) ?? [])])
    const wanted = places === undefined ? 'an object' : 'a list'
    throw new UsageError('invalid-value', `${file}: ${place} is not ${wanted}`, 'repair it first')
  }
  const lines = new Set<string>()
  const isOurs = (hook: unknown) => {
    const command = isObject(hook) ? hook['command'] : undefined
    const isOne = isText(command) && command.includes(' runs hook --runner ')
    if (isOne) lines.add(command)
    return isOne
  }
  const withoutOurs = (group: unknown) => {
    if (!isObject(group) || !Array.isArray(group['hooks'])) return [group]
    const hooks = group['hooks'].filter((hook) => !isOurs(hook))
    return hooks.length === 0 && group['hooks'].length > 0 ? [] : [{ ...group, hooks }]
  }
  const hooks = Object.entries(objectOf(before) as Record<string, readonly unknown[]>).flatMap(([event, groups]) => {
    const kept = groups.flatMap(withoutOurs)
    return kept.length > 0 || groups.length === 0 ? [[event, kept] as const] : []
  })
  return { file, value: document.value, hooks: Object.fromEntries(hooks), lines: [...lines] }
}

async function writeSettings(
  changed: readonly Settings[],
  { host, print, options }: Tools & Pick<Arguments, 'options'>,
): Promise<Outcome> {
  const files = changed.map(({ file }) => file).join(' and ')
  const isWritten = (options as unknown as Options)['yes'] === true
  for (const { file, value, hooks } of changed) {
    const text = `${JSON.stringify({ ...value, hooks }, null, 2)}\n`
    if (!isWritten && file === changed[0]!.file) print(text)
    if (isWritten) await save(host, file, text, { over: file, makeFolder: true })
  }
  return { results: [], notes: [isWritten ? `wrote ${files}` : `nothing was written; add --yes to write ${files}`] }
}

/** The options of a new line, with those of the old line that it does not name. A definition stays with its digest. */
function withOld(options: Options, line: string | undefined): Options {
  const words = Array.from((line ?? '').matchAll(/'((?:[^']|'\\'')*)'|\S+/g), ([whole, quoted]) =>
    quoted === undefined ? whole : quoted.replaceAll("'\\''", "'"),
  )
  const after = (name: string) => words.flatMap((one, index) => (one === `--${name}` ? [words[index + 1]!] : []))
  const old: Record<string, string | boolean | readonly string[] | undefined> = { ...options }
  for (const name of ['to', 'token', 'signer', 'unjudged', 'tenant']) old[name] ??= after(name)[0]
  if ((options['key'] as readonly string[]).length === 0) old['key'] = after('key')
  if (options['document'] === undefined) [old['document'], old['pin']] = [after('document')[0], after('pin')[0]]
  old['require'] = options['require'] === true || words.includes('--require')
  return old
}

/** The command in the settings: paths are absolute, and the digest of the definition is pinned. */
async function commandLine(runner: Runner, options: Options, { host, reader }: Tools, folder: string) {
  const words = [...programIn(host), 'runs', 'hook', '--runner', runner]
  const { document, to, key } = options
  if (typeof document === 'string')
    words.push(
      '--document',
      resolve(host.cwd, document),
      '--pin',
      String(options['pin'] ?? toHex(sha256((await reader.bytes(document)).bytes))),
    )
  const place = placeOf(isText(to) ? to : undefined, folder, host)
  words.push('--to', place.url ?? place.folder)
  for (const name of key as readonly string[])
    words.push('--key', name.startsWith('env:') ? name : resolve(host.cwd, name))
  for (const name of ['token', 'signer'] as const) {
    const value = options[name]
    if (typeof value === 'string') words.push(`--${name}`, value.startsWith('env:') ? value : resolve(host.cwd, value))
  }
  for (const name of ['unjudged', 'tenant'] as const)
    if (typeof options[name] === 'string') words.push(`--${name}`, String(options[name]))
  if (options['require'] === true) words.push('--require')
  return words.map(word).join(' ')
}

/** The shell of a runner finds `blazon` in PATH, but knows no alias. A hook that it does not find would deny nothing. */
function programIn(host: Host): readonly string[] {
  const folders = host.env['PATH']?.split(delimiter) ?? []
  const isFound = folders.some((folder) => host.stamp(join(folder, 'blazon')) !== undefined)
  return isFound ? ['blazon'] : [...new Set([process.execPath, process.argv[1]!])]
}
