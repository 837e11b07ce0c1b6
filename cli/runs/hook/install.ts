// Adds the hook to the settings of a runner. The settings are shown, and with --yes written.

import { delimiter, join, resolve } from 'node:path'
import { parse } from '../../../bindings/document/parse.ts'
import { inJson, withValues } from '../../../bindings/document/rewrite.ts'
import { toHex } from '../../../bindings/text/bytes.ts'
import { isObject, type JsonObject, valueAt } from '../../../bindings/text/members.ts'
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
  const line = await lineOf(runner, options, tools, folder)
  const before = (await bytesIfThere(tools, file)) ?? new TextEncoder().encode('{}\n')
  const { document } = parse(before, { file })
  if (document === undefined || !isObject(document.value))
    throw new UsageError('invalid-value', `${file} is not a JSON object`, 'repair it first')
  const entry = { hooks: [{ type: 'command', command: line, timeout: TIMEOUT }] }
  const values = events.map((event) => {
    const others = valueAt(document.value, `/hooks/${event}`)
    const kept = Array.isArray(others)
      ? others.filter((one) => !JSON.stringify(one).includes(' runs hook --runner '))
      : []
    return [`/hooks/${event}`, [...kept, entry]] as const
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
