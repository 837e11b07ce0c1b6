import { homedir } from 'node:os'
import { parse } from '../../../bindings/document/parse.ts'
import { urlSink } from '../../../bindings/runs/record/sink.ts'
import { isObject } from '../../../bindings/text/members.ts'
import { type Context, compact, defineCommand, EXIT, type Outcome } from '../../command.ts'
import { PRIVATE_KEY, readKey, readToken, TRUSTED_KEYS } from '../../keys.ts'
import { collect } from '../../open.ts'
import { fromGemini } from '../../runs/hook/gemini.ts'
import { type CallAnswer, RUNNERS, type Runner, recordEvent } from '../../runs/hook/session.ts'
import { placeOf, RUN_TOKEN } from '../../runs/place.ts'

const fs = process.getBuiltinModule('node:fs')

/** Runners wait for a minute; the answer must come before, or the call goes on. */
const DEADLINE_MS = 8000
/** Events hold the output of a tool. */
const MOST_EVENT_BYTES = 32 << 20

const OPTIONS = {
  document: { value: 'ADL', about: 'deny what this definition does not permit' },
  pin: { value: 'SHA256', about: 'the digest of the definition; a changed one permits nothing' },
  key: TRUSTED_KEYS,
  unjudged: {
    value: 'ANSWER',
    choices: ['deny', 'allow'],
    about: 'calls that a definition cannot judge (default deny)',
  },
  to: { value: 'PLACE', about: 'the folder or server of the runs (default ~/.blazon/runs)' },
  token: RUN_TOKEN,
  require: { about: 'deny calls that cannot be recorded' },
  signer: { ...PRIVATE_KEY, about: 'sign checkpoints with this key: a file, or env:NAME' },
  runner: { value: 'RUNNER', choices: RUNNERS, about: 'who calls (default: recognized by the event)' },
  tenant: { value: 'NAME', about: 'the tenant of the runs (default local)' },
  install: { value: 'RUNNER', choices: RUNNERS, about: 'add the hook to the settings of this project' },
  uninstall: { value: 'RUNNER', choices: RUNNERS, about: 'remove the hook from these settings' },
  yes: { about: 'with --install or --uninstall: write the settings; otherwise they are only shown' },
} as const

type HookContext = Context<typeof OPTIONS>

export const command = defineCommand({
  options: OPTIONS,
  operands: [],
  async run(context) {
    const { options, host } = context
    const { folder } = placeOf(options.to, `${homedir()}/.blazon/runs`, host)
    if (options.install !== undefined)
      return (await import('../../runs/hook/install.ts')).install(options.install, context, folder)
    if (options.uninstall !== undefined)
      return (await import('../../runs/hook/install.ts')).uninstall(options.uninstall, context)
    let isCall = true
    const notes: string[] = []
    const note = (what: string, why: string) =>
      notes.push(`blazon: ${what}: ${why}`.replaceAll(/\s+/g, ' ').slice(0, 500))
    try {
      const given = await inTime(eventIn(context))
      const runner = runnerOf(given, options.runner)
      const event = runner === 'gemini' ? fromGemini(given) : given
      isCall = event['hook_event_name'] === 'PreToolUse'
      const tellUnsent = (why: string) => note('the server has not all lines yet', why)
      const decided = await inTime(record(event, runner, folder, tellUnsent, context))
      return { ...answer(decided, runner, context), notes }
    } catch (error) {
      host.stdin.destroy?.()
      count(folder, 1)
      const closes = isCall && (options.require || options.document !== undefined)
      note('the event was not recorded', error instanceof Error ? error.message : String(error))
      return { results: [], exit: closes ? EXIT.usage : EXIT.findings, notes }
    }
  },
})

async function eventIn({ host }: HookContext) {
  const bytes = await collect(host.stdin, MOST_EVENT_BYTES)
  if (bytes === undefined) throw new RangeError(`expected an event of at most ${MOST_EVENT_BYTES} bytes`)
  const value = parse(bytes).document?.value
  if (!isObject(value)) throw new TypeError('expected an event as a JSON object on stdin')
  return value
}

const runnerOf = (event: object, named: Runner | undefined): Runner => {
  const { transcript_path: path } = event as { readonly transcript_path?: unknown }
  const folder = /[\\/]\.(claude|gemini)[\\/]/.exec(String(path))?.[1] as Runner | undefined
  return named ?? folder ?? 'codex'
}

async function record(
  event: Parameters<typeof recordEvent>[0],
  runner: Runner,
  folder: string,
  tellUnsent: (why: string) => void,
  context: HookContext,
) {
  const { to, token, signer, tenant = 'local' } = context.options
  const server =
    to !== undefined && placeOf(to, folder, context.host).url !== undefined
      ? urlSink(to, { timeout: 2000, ...compact({ token: token && (await readToken('token', token, context)) }) })
      : undefined
  const isCall = event['hook_event_name'] === 'PreToolUse'
  return recordEvent(event, {
    folder,
    server,
    tellUnsent,
    signer: signer === undefined ? undefined : await readKey(signer, context),
    runner,
    tenant,
    judge: isCall
      ? await (await import('../../runs/hook/judge.ts')).callJudge(context.options, folder, context)
      : () => undefined,
    unrecorded: () => count(folder, 0),
  })
}

/** The answer in the words of the runner. Only Claude Code knows `ask`: Codex would run the call. */
function answer(given: CallAnswer | undefined, runner: Runner, { print }: HookContext): Outcome {
  if (given === undefined || given.decision === 'allow') return { results: [] }
  if (runner === 'gemini') {
    print(`${JSON.stringify({ decision: 'deny', reason: given.reason })}\n`)
    return { results: [] }
  }
  const permissionDecision = given.decision === 'escalate' && runner === 'claude' ? 'ask' : 'deny'
  const output = { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: given.reason }
  print(`${JSON.stringify({ hookSpecificOutput: output })}\n`)
  return { results: [] }
}

/** Counts events that were not recorded, a byte each; the next run that ends takes the number. */
function count(folder: string, more: 0 | 1): number {
  const path = `${folder}/sessions/unrecorded`
  try {
    if (more === 1) fs.appendFileSync(path, '.', { mode: 0o600 })
    const { size } = fs.statSync(path)
    if (more === 0) fs.rmSync(path)
    return size
  } catch {
    return 0
  }
}

async function inTime<Made>(work: Promise<Made>): Promise<Made> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, DEADLINE_MS, new Error(`it took more than ${DEADLINE_MS} ms`))
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
