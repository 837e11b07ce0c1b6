// Adds the hook to the settings of a runner. The settings are shown, and with --yes written.

import { delimiter, join, resolve } from 'node:path'
import { parse } from '../../../bindings/document/parse.ts'
import { inJson, withValues } from '../../../bindings/document/rewrite.ts'
import { toHex } from '../../../bindings/text/bytes.ts'
import { isObject, isText, type JsonObject, valueAt } from '../../../bindings/text/members.ts'
import { sha256 } from '../../../bindings/wasm/sha256.ts'
import type { Arguments } from '../../arguments.ts'
import type { Tools } from '../../command.ts'
import type { Host } from '../../host.ts'
import type { Outcome } from '../../outcome.ts'
import { word } from '../../report/words.ts'
import { save } from '../../save.ts'
import { UsageError } from '../../usage.ts'
import { placeOf } from '../place.ts'
import { bytesIfThere } from '../stream-files.ts'
import type { Runner } from './events.ts'

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

/** The file of each runner in a project, and the events that it has. */
const RUNNERS: Readonly<Record<Runner, readonly [file: string, events: readonly string[]]>> = {
  claude: [
    '.claude/settings.json',
    [...TOOL_EVENTS, 'PostToolUseFailure', 'PermissionDenied', ...COMMON_EVENTS, 'StopFailure'],
  ],
  codex: ['.codex/hooks.json', [...TOOL_EVENTS, ...COMMON_EVENTS]],
}

/** Seconds: longer than the hook's own deadline, after which it denies or gives up. */
const TIMEOUT = 30

export async function install(
  runner: Runner,
  tools: Tools & Pick<Arguments, 'options'>,
  folder: string,
): Promise<Outcome> {
  const { host, print } = tools
  const options = tools.options as unknown as Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  const [file, events] = RUNNERS[runner]
  const before = (await bytesIfThere(tools, file)) ?? new TextEncoder().encode('{}\n')
  const { document } = parse(before, { file })
  if (document === undefined || !isObject(document.value))
    throw new UsageError('invalid-value', `${file} is not a JSON object`, 'repair it first')
  const line = await lineOf(runner, options, tools, folder)
  const lost = lostOptions(ownLine(document.value), line)
  if (lost.length > 0)
    throw new UsageError(
      'invalid-value',
      `the installed hook has ${lost.join(', ')}, which the new line would drop`,
      'name the same options again, or remove the installed hook first',
    )
  // Claude Code then blocks a call whose hook dies or is late; without a duty to deny, a late hook only loses a record.
  const mustDeny = runner === 'claude' && / --(?:document|require)( |$)/.test(line)
  const values = events.map((event) => {
    const closes = mustDeny && event === 'PreToolUse' && { onFailure: 'block' }
    const entry = { hooks: [{ type: 'command', command: line, timeout: TIMEOUT, ...closes }] }
    return [`/hooks/${event}`, [...othersOf(document.value, event), entry]] as const
  })
  const whole = isObject((document.value as JsonObject)['hooks'])
    ? document
    : withValues(inJson(document), [['/hooks', {}]])
  const text = `${JSON.stringify(withValues(inJson(whole), values).value, null, 2)}\n`
  print(text)
  if (options['yes'] !== true) return { results: [], notes: [`nothing was written; add --yes to write ${file}`] }
  await save(host, file, text, { over: file, makeFolder: true })
  const trust = runner === 'codex' ? ['open /hooks in Codex to trust the hook: until then, Codex skips it'] : []
  return { results: [], notes: [`wrote ${file}`, ...trust] }
}

const isOwn = (entry: unknown) => JSON.stringify(entry).includes(' runs hook --runner ')

/** The entries of an event that are not ours. */
function othersOf(settings: unknown, event: string): readonly unknown[] {
  const entries = valueAt(settings, `/hooks/${event}`)
  return Array.isArray(entries) ? entries.filter((one) => !isOwn(one)) : []
}

/** The command of our hook that is installed already. */
function ownLine(settings: unknown): string | undefined {
  const entries = valueAt(settings, '/hooks/PreToolUse')
  const own = Array.isArray(entries) ? entries.find(isOwn) : undefined
  const line = valueAt(own ?? {}, '/hooks/0/command')
  return isText(line) ? line : undefined
}

/** The options that a guard depends on, and that only the installed line has. */
const lostOptions = (installed: string | undefined, line: string) =>
  ['--document', '--key', '--signer', '--require'].filter(
    (name) => ` ${installed ?? ''} `.includes(` ${name} `) && !` ${line} `.includes(` ${name} `),
  )

/** The command in the settings: paths are absolute, and the digest of the definition is pinned. */
async function lineOf(
  runner: Runner,
  options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>,
  { host, reader }: Tools,
  folder: string,
) {
  const words = [...programIn(host), 'runs', 'hook', '--runner', runner]
  const { document, to, key } = options
  if (typeof document === 'string')
    words.push('--document', resolve(host.cwd, document), '--pin', toHex(sha256((await reader.bytes(document)).bytes)))
  words.push('--to', placeOf(typeof to === 'string' ? to : undefined, folder, host).url ?? folder)
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
  return isFound ? ['blazon'] : [process.execPath, process.argv[1]!]
}
