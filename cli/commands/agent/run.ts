import { EventEmitter, setMaxListeners } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { verify } from '../../../bindings/adl/verbs.ts'
import { runAgent, unboundTools } from '../../../bindings/agentlang/run/run.ts'
import { Artifacts, type RunOptions } from '../../../bindings/agentlang/run/session.ts'
import { validate } from '../../../bindings/agentlang/verbs.ts'
import { closeInherited, isWithin } from '../../../bindings/node/mcp-process.ts'
import { decider } from '../../../bindings/runs/record/guard.ts'
import { createRecorder, type Recorder } from '../../../bindings/runs/record/recorder.ts'
import { visible, visibleText } from '../../../bindings/text/hidden.ts'
import { valueAt } from '../../../bindings/text/members.ts'
import { readHostOption, readNamedAgent } from '../../agentlang/agent.ts'
import { ENV, HOST, LOGIN, MODEL_KEY, missingSecret, readAgentSecret, SECRET } from '../../agentlang/options.ts'
import { judgeContainer } from '../../agentlang/pull.ts'
import { bindTools, confirmingAt, MODEL_HINT, modelFrom } from '../../agentlang/run-parts.ts'
import { cleanedError, grantedEnv, type Hiding, hiding, longEnough } from '../../agentlang/servers.ts'
import { defineCommand, type Tools } from '../../command.ts'
import { expected, readKeys, readToken, TRUSTED_KEYS } from '../../keys.ts'
import { answer } from '../../outcome.ts'
import { placeOf, RUN_TOKEN, sinkAt } from '../../runs/place.ts'
import { EXIT, UsageError } from '../../usage.ts'

const MOST_LISTENERS = 1000
/** Ctrl-C, the end by a supervisor, and the closed terminal. */
const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const TO = { value: 'PLACE', about: 'a folder outside of --work, or a server, for the record (default: runs)' } as const

/** `blazon agent run`: runs an agent on this machine. */
export const command = defineCommand({
  usage: 'FOLDER|CONTAINER|REF --prompt TEXT --model ADAPTER',
  details: [
    'Runs an AgentLang agent, and writes its answer. Models are adapters: a script,',
    'a program that speaks lines of JSON, or a chat endpoint. Turns, time, depth,',
    'budget and URLs are held to what the agent declares. Nothing is granted by',
    'itself: variables by --env, commands and what cannot be enforced by --accept.',
    'The folder of --to gets record, events and artifacts. Ctrl-C ends the run.',
  ],
  options: {
    prompt: { value: 'TEXT', needed: 'as in --prompt "Research X"', about: 'the task' },
    model: {
      value: 'ADAPTER',
      needed: MODEL_HINT,
      variable: 'BLAZON_AGENT_MODEL',
      about: 'script:FILE, stdio:COMMAND or chat:URL (default BLAZON_AGENT_MODEL)',
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
  examples: [
    'blazon agent run my-agent --prompt "Research X" --model script:plan.json',
    'blazon agent run scout@1.0.0.agent --key developer.pub --prompt Hi --model stdio:./model.py',
    'blazon agent run registry.example.com/acme/scout:1.0.0 --prompt Hi --model script:plan.json',
  ],
  async run(outer) {
    const { options, positionals, reader, host } = outer
    const endings: (() => Promise<unknown>)[] = []
    const atEnd = (work: () => Promise<unknown>) => void endings.push(work)
    // Every call in progress listens for the end of the run. Node refuses to look up a maximum of 0.
    const { defaultMaxListeners } = EventEmitter
    setMaxListeners(MOST_LISTENERS)
    atEnd(async () => setMaxListeners(defaultMaxListeners))
    const keys = await readKeys(options.key, outer)
    const accepted = expectAccepted(options.accept)
    const agentHost = (await readHostOption(options.host ?? 'desktop', reader))!
    const name = reader.file(positionals, 'blazon agent run takes one agent')
    const { secret } = await readAgentSecret(options.secret, outer)
    const asked = { ...options, keys, secret }
    const { file, kind, agent, container, diagnostics, remember } = await readNamedAgent(name, asked, outer)
    const result = { file, kind, valid: false, diagnostics }
    const { refusal } = container ? judgeContainer(file, container.proof, accepted) : {}
    if (refusal !== undefined) return refusal
    if (agent === undefined) return { results: [result], exit: EXIT.findings }
    const [sealed] = container?.encrypted ?? []
    if (sealed !== undefined) throw missingSecret('agent run', `${sealed} is encrypted`)
    const report = validate(agent.document, { file: agent.document.file ?? file })
    if (!report.valid) return { results: [{ ...result, diagnostics: report.diagnostics }], exit: EXIT.findings }

    const failure = await remember?.()
    if (failure !== undefined) outer.say(`the version is not remembered: ${failure}`)
    const env = grantedEnv(options.env, outer)
    const modelKey = options['model-key'] && (await readToken('model-key', options['model-key'], outer))
    if (modelKey) longEnough('model-key', 'the token', modelKey)
    const secrets = { ...env, ...(modelKey && { 'model-key': modelKey }), ...(secret && { secret }) }
    const { context, cleaned } = hiding(outer, secrets)
    const { print, say } = context
    const work =
      options.work === undefined ? mkdtempSync(join(tmpdir(), 'blazon-run-')) : resolve(host.cwd, options.work)
    const place = placeOf(options.to, 'runs', host)
    const { folder: to } = place
    if (statSync(to, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new UsageError('invalid-value', `--to: ${to} is not a folder`, TO.about)
    if (isWithin(to, work))
      throw new UsageError('invalid-value', '--to: commands could change a record in the folder of --work', TO.about)
    const abort = new AbortController()
    const stop = () => abort.abort()
    for (const signal of ENDS) process.on(signal, stop)
    atEnd(async () => ENDS.map((signal) => process.off(signal, stop)))
    try {
      closeInherited(process.argv)
      const model = await modelFrom({ option: '--model', name: options.model, key: modelKey }, atEnd, context)
      const tools = await bindTools(
        agent,
        { env, accepted, unpinned: options.unpinned, work, base: options.base, signal: abort.signal },
        atEnd,
        context,
      )
      for (const [path, names] of await unboundTools({ agent, tools }))
        say(visible(`${path}: nobody provides ${names.join(', ')}`))
      const head = { tenant_id: 'local', agent: { agent_id: agent.name ?? 'agent' } }
      const recorder = await createRecorder(head, { sink: await sinkAt(place, options.token, context) })
      const eventFile = join(to, `${recorder.runId}.events.jsonl`)
      const artifactFolder = join(to, `${recorder.runId}.artifacts`)
      mkdirSync(to, { recursive: true, mode: 0o700 })
      const confirm = confirmingAt(atEnd)
      const quota = valueAt(agent.root.value, '/constraints/sandbox/disk_quota')
      const artifacts = new Artifacts({
        ...(typeof quota === 'number' && quota > 0 && { quota }),
        store: (path, bytes) => host.write(join(artifactFolder, path), bytes, { makeFolder: true }),
      })
      const ran = await runAgent({
        agent,
        host: agentHost,
        model,
        tools,
        artifacts,
        recorder,
        confirm,
        secrets,
        ...(await permitting(options.document, keys, { recorder, confirm, cleaned }, context)),
        prompt: options.prompt,
        signal: abort.signal,
        onEvent: (event) => appendFileSync(eventFile, `${JSON.stringify(event)}\n`, { mode: 0o600 }),
      })
      if (ran.status === 'completed') print(`${visibleText(String(ran.output))}\n`)
      const dropped = ran.record?.dropped ?? 0
      const notes = [
        ...(dropped > 0 ? [`${dropped} lines were not recorded`] : []),
        ...(options.work === undefined && readdirSync(work).length > 0 ? [`files of commands: ${work}`] : []),
        ...artifacts.names.map((path) => `artifact: ${join(artifactFolder, visible(path))}`),
        `${ran.status}${ran.reason === undefined ? '' : `: ${visible(ran.reason)}`}; $${ran.spent}; record: ${place.url ?? `${join(to, recorder.runId)}.ndjson`}`,
      ]
      const isDone = ran.status === 'completed'
      return {
        results: [{ ...result, valid: true }, answer({ run: ran })],
        notes: cleaned(notes),
        ...(!isDone && { exit: EXIT.findings }),
      }
    } catch (error) {
      throw cleanedError(error, cleaned)
    } finally {
      await Promise.allSettled(endings.map((end) => end()))
      if (options.work === undefined && readdirSync(work).length === 0) rmdirSync(work)
    }
  },
})

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
  const { decide } = decider(document, { proof, ...system })
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
