import { EventEmitter, setMaxListeners } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { verify } from '../../../bindings/adl/verbs.ts'
import type { Agent } from '../../../bindings/agentlang/folder.ts'
import { runAgent, unboundTools } from '../../../bindings/agentlang/run/run.ts'
import { Artifacts, type RunOptions } from '../../../bindings/agentlang/run/session.ts'
import { validate } from '../../../bindings/agentlang/verbs.ts'
import { closeInherited, isBelowFolder } from '../../../bindings/node/mcp-process.ts'
import { decider } from '../../../bindings/runs/record/decider.ts'
import { createRecorder, type Recorder } from '../../../bindings/runs/record/recorder.ts'
import { visible, visibleText } from '../../../bindings/text/hidden.ts'
import { valueAt } from '../../../bindings/text/members.ts'
import { type ReadAgent, readHostOption, readNamedAgent } from '../../agentlang/agent.ts'
import { confirmingAt, type Ending, MODEL_HINT, modelFrom } from '../../agentlang/models.ts'
import { ENV, HOST, LOGIN, MODEL_KEY, missingSecret, readAgentSecret, SECRET } from '../../agentlang/options.ts'
import { judgeContainer } from '../../agentlang/registry.ts'
import { bindTools, cleanedError, grantedEnv, type Hiding, hiding, longEnough } from '../../agentlang/tools.ts'
import { answer, defineCommand, EXIT, type Tools, UsageError } from '../../command.ts'
import type { Host } from '../../host.ts'
import { expected, readKeys, readToken, TRUSTED_KEYS } from '../../keys.ts'
import { placeOf, RUN_TOKEN, sinkAt } from '../../runs/place.ts'

const MOST_LISTENERS = 1000
/** Ctrl-C, the end by a supervisor, and the closed terminal. */
const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const TO = { value: 'PLACE', about: 'a folder outside of --work, or a server, for the record (default: runs)' } as const

export const command = defineCommand({
  options: {
    prompt: { value: 'TEXT', needed: 'as in --prompt "Research X"', about: 'the task' },
    model: {
      value: 'ADAPTER',
      needed: MODEL_HINT,
      variable: 'BLAZON_AGENT_MODEL',
      about: 'script:FILE, stdio:COMMAND, chat:URL or openai:NAME (default BLAZON_AGENT_MODEL)',
    },
    'model-key': MODEL_KEY,
    host: HOST,
    base: { value: 'URL', about: 'the server of http_tools with relative endpoints' },
    env: ENV,
    accept: { value: 'WHAT', many: true, about: 'signer, downgrade, or (command|network|unenforced):NAME' },
    unpinned: { value: 'NAME', many: true, about: 'an MCP server whose tools agent.lock does not pin' },
    work: { value: 'FOLDER', about: 'where commands work (default: a new one)' },
    to: TO,
    token: RUN_TOKEN,
    document: { value: 'ADL', about: 'an agent definition that decides about each call' },
    key: TRUSTED_KEYS,
    secret: SECRET,
    ...LOGIN,
  },
  async run(outer) {
    const { options, positionals, reader, host } = outer
    const keys = await readKeys(options.key, outer)
    const accepted = expectAccepted(options.accept)
    const agentHost = (await readHostOption(options.host ?? 'desktop', reader))!
    const name = reader.file(positionals, 'blazon agent run takes one agent')
    const { secret } = await readAgentSecret(options.secret, outer)
    const read = await readNamedAgent(name, { ...options, keys, secret }, outer)
    const { file, kind, diagnostics, remember } = read
    const refusal = refusalOf(read, accepted)
    if (refusal !== undefined) return refusal
    const agent = read.agent!
    const failure = await remember?.()
    if (failure !== undefined) outer.say(`the version is not remembered: ${failure}`)
    const env = grantedEnv(options.env, outer)
    const key = options['model-key'] && (await readToken('model-key', options['model-key'], outer))
    if (key) longEnough('model-key', 'the token', key)
    const secrets = { ...env, ...(key && { 'model-key': key }), ...(secret && { secret }) }
    const { context, cleaned } = hiding(outer, secrets)
    const { work, place } = placesOf(options, host)
    return untilEnd(options.work === undefined ? work : undefined, cleaned, async (atEnd, signal) => {
      closeInherited(process.argv)
      const model = await modelFrom({ option: '--model', name: options.model, key }, atEnd, context)
      const grants = { env, accepted, unpinned: options.unpinned, work, base: options.base, signal }
      const tools = await bindTools(agent, grants, atEnd, context)
      for (const [path, names] of await unboundTools({ agent, tools }))
        context.say(visible(`${path}: nobody provides ${names.join(', ')}`))
      const head = { tenant_id: 'local', agent: { agent_id: agent.name ?? 'agent' } }
      const recorder = await createRecorder(head, { sink: await sinkAt(place, options.token, context) })
      const { path, artifacts, onEvent } = filesOf(place.folder, recorder.runId, agent, host)
      const confirm = confirmingAt(atEnd)
      const permit = await permitting(options.document, keys, { recorder, confirm, cleaned }, context)
      const { prompt } = options
      const asked = { agent, host: agentHost, model, tools, prompt, secrets, signal, ...permit }
      const ran = await runAgent({ ...asked, artifacts, recorder, confirm, onEvent })
      if (ran.status === 'completed') context.print(`${visibleText(String(ran.output))}\n`)
      const dropped = ran.record?.dropped ?? 0
      const notes = [
        ...(dropped > 0 ? [`${dropped} lines were not recorded`] : []),
        ...(options.work === undefined && readdirSync(work).length > 0 ? [`files of commands: ${work}`] : []),
        ...artifacts.names.map((artifact) => `artifact: ${join(`${path}.artifacts`, visible(artifact))}`),
        `${ran.status}${ran.reason === undefined ? '' : `: ${visible(ran.reason)}`}; $${ran.spent}; record: ${place.url ?? `${path}.ndjson`}`,
      ]
      const results = [{ file, kind, valid: true, diagnostics }, answer({ run: ran })]
      return { results, notes: cleaned(notes), ...(ran.status !== 'completed' && { exit: EXIT.findings }) }
    })
  },
})

/** The outcome for an agent that must not run: its container is not verified, it is encrypted, or it is invalid. */
function refusalOf({ file, kind, agent, container, diagnostics }: ReadAgent, accepted: readonly string[]) {
  const { refusal } = container ? judgeContainer(file, container.proof, accepted) : {}
  if (refusal !== undefined) return refusal
  const invalid = { file, kind, valid: false }
  if (agent === undefined) return { results: [{ ...invalid, diagnostics }], exit: EXIT.findings }
  const [sealed] = container?.encrypted ?? []
  if (sealed !== undefined) throw missingSecret('agent run', `${sealed} is encrypted`)
  const report = validate(agent.document, { file: agent.document.file ?? file })
  if (report.valid) return undefined
  return { results: [{ ...invalid, diagnostics: report.diagnostics }], exit: EXIT.findings }
}

/** Where commands work, and where the record goes: not to a place that commands can write to. */
function placesOf({ work: named, to }: { readonly [Name in 'work' | 'to']: string | undefined }, host: Host) {
  const work = named === undefined ? mkdtempSync(join(tmpdir(), 'blazon-run-')) : resolve(host.cwd, named)
  const place = placeOf(to, 'runs', host)
  const refuse = (why: string) => new UsageError('invalid-value', `--to: ${why}`, TO.about)
  if (statSync(place.folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw refuse(`${place.folder} is not a folder`)
  if (isBelowFolder(place.folder, work)) throw refuse('commands could change a record in the folder of --work')
  return { work, place }
}

/** Works until a signal, and cleans up after it. Removes the new folder of commands if they left nothing in it. */
async function untilEnd<Made>(
  newFolder: string | undefined,
  cleaned: Hiding['cleaned'],
  work: (atEnd: Ending, signal: AbortSignal) => Promise<Made>,
): Promise<Made> {
  const endings: (() => Promise<unknown>)[] = []
  // Every call in progress listens for the end of the run. Node refuses to look up a maximum of 0.
  const { defaultMaxListeners } = EventEmitter
  setMaxListeners(MOST_LISTENERS)
  const abort = new AbortController()
  const stop = () => abort.abort()
  for (const signal of ENDS) process.on(signal, stop)
  try {
    return await work((ending) => void endings.push(ending), abort.signal)
  } catch (error) {
    throw cleanedError(error, cleaned)
  } finally {
    for (const signal of ENDS) process.off(signal, stop)
    setMaxListeners(defaultMaxListeners)
    await Promise.allSettled(endings.map((end) => end()))
    if (newFolder !== undefined && readdirSync(newFolder).length === 0) rmdirSync(newFolder)
  }
}

/** The files of a run next to its record: events and artifacts. */
function filesOf(folder: string, runId: string, agent: Agent, host: Host) {
  const path = join(folder, runId)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const quota = valueAt(agent.root.value, '/constraints/sandbox/disk_quota')
  const store = (name: string, bytes: Uint8Array) =>
    host.write(join(`${path}.artifacts`, name), bytes, { makeFolder: true })
  const artifacts = new Artifacts({ ...(typeof quota === 'number' && quota > 0 && { quota }), store })
  const onEvent = (event: object) =>
    appendFileSync(`${path}.events.jsonl`, `${JSON.stringify(event)}\n`, { mode: 0o600 })
  return { path, artifacts, onEvent }
}

function expectAccepted(accepted: readonly string[]): readonly string[] {
  const wrong = accepted.find((what) => !/^(?:signer|downgrade|(?:command|network|unenforced):.+)$/s.test(what))
  if (wrong === undefined) return accepted
  throw new UsageError(
    'invalid-value',
    `--accept: ${wrong} is not known`,
    'as in signer, downgrade, command:NAME, network:NAME or unenforced:NAME',
  )
}

interface RecordedQuestions extends Required<Pick<RunOptions, 'confirm'>>, Pick<Hiding, 'cleaned'> {
  readonly recorder: Recorder
}

/** Decides about calls by an ADL definition; what it wants confirmed, the user at the terminal confirms. */
async function permitting(
  name: string | undefined,
  keys: Awaited<ReturnType<typeof readKeys>>,
  { recorder, confirm, cleaned }: RecordedQuestions,
  { reader }: Tools,
): Promise<Pick<RunOptions, 'permit'>> {
  if (name === undefined) return {}
  const { document } = await reader.document(name, { only: ['adl'], names: 'definitions' })
  const proof = await verify(document, { expect: expected(keys) })
  const system = { windows: process.platform === 'win32', caseInsensitive: process.platform === 'darwin' }
  const { decide } = decider({ document, diagnostics: [] }, { proof, ...system })
  return {
    async permit(request, agent_id) {
      const { decision, verdict } = decide(request)
      await recorder.verdict(...cleaned([verdict, request] as const))
      // The fetch of this host reaches public addresses only. Other duties are left to a person.
      const duty = decision.obligations.find((one) => one !== 'check-address')
      if (decision.outcome === 'allow' && duty === undefined) return undefined
      const reason = duty === undefined ? decision.reason : `${decision.reason}, but ${duty} is left to do`
      const isConfirmed = decision.outcome !== 'deny' && (await confirm(cleaned(`${agent_id}: ${reason}. Allow it?`)))
      return isConfirmed ? undefined : reason
    },
  }
}
