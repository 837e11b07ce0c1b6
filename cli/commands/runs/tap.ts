import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, homedir } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { parse } from '../../../bindings/document/parse.ts'
import { createRecorder, type Recorder } from '../../../bindings/runs/record/recorder.ts'
import { type ObservationDraft, type RunHead, randomHex } from '../../../bindings/runs/record/sink.ts'
import { CALL_ID } from '../../../bindings/runs/record/subject.ts'
import { byteLines } from '../../../bindings/text/bytes.ts'
import { isObject, isText, type JsonObject, objectOf } from '../../../bindings/text/members.ts'
import { answer, defineCommand, EXIT, type ExitCode, UsageError } from '../../command.ts'
import type { Output } from '../../host.ts'
import { PRIVATE_KEY, readKey } from '../../keys.ts'
import { placeOf, RUN_TOKEN, sinkAt } from '../../runs/place.ts'

export const command = defineCommand({
  options: {
    to: { value: 'PLACE', about: 'the folder or server of the runs (default ~/.blazon/runs)' },
    token: RUN_TOKEN,
    signer: { ...PRIVATE_KEY, about: 'sign checkpoints with this key: a file, or env:NAME' },
    tenant: { value: 'NAME', about: 'the tenant of the runs (default local)' },
  },
  async run(context) {
    const { options, host, rest = [] } = context
    const [program, ...args] = rest
    if (program === undefined)
      throw new UsageError(
        'missing-argument',
        'runs tap: expected -- and a COMMAND',
        'as in blazon runs tap -- node server.js',
      )
    const { tenant = 'local', signer } = options
    const key = signer === undefined ? {} : { signer: await readKey(signer, context) }
    const place = placeOf(options.to, `${homedir()}/.blazon/runs`, host)
    const sink = await sinkAt(place, options.token, context)
    const tap = new McpTap((head) => createRecorder({ tenant_id: tenant, ...head }, { sink, patience: 2000, ...key }))
    const server = await startServer(program, args)
    if (server instanceof Error) {
      const reason = `${program} cannot be started: ${server.message}`
      return { results: [answer({})], exit: EXIT.unreadable, reason, notes: [reason] }
    }
    // Whatever fails here, the bytes pass.
    let fault: unknown
    const take = (from: Side) => (line: Uint8Array) =>
      tap.take(from, line).catch((error: unknown) => {
        fault = error
      })
    // A request goes on after its intent is recorded; an answer at once.
    const requests = passLines(host.stdin, server.stdin, take('client'), 'before')
    const answers = passLines(server.stdout, host.stdout, take('server'), 'after')
    const code = await server.code
    host.stdin.destroy?.()
    await Promise.allSettled([answers, Promise.race([requests, answers])])
    const failure = code === 0 ? undefined : `the server exited with ${code}`
    const dropped = fault === undefined ? await tap.end(failure) : undefined
    const notes = dropped === 0 ? [] : [`${dropped ?? 'all'} lines were not recorded${fault ? `: ${fault}` : ''}`]
    return {
      results: [],
      exit: code as ExitCode,
      notes,
      ...(code !== 0 && { reason: `${program} exited with ${code}` }),
    }
  },
})

// Messages between an MCP client and its server, as steps of a run: 2025-11-25 with a handshake, 2026-07-28 without.

export type Side = 'client' | 'server'

/** Requests without an answer; a client that never gets one must not fill the memory. */
const MOST_OPEN = 10_000
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/

class McpTap {
  readonly #start: (head: Pick<RunHead, 'agent' | 'trace'>) => Promise<Recorder>
  #recorder: Promise<Recorder> | undefined
  /** The steps of requests that are not answered, by who asked and the id. */
  readonly #open = new Map<string, { readonly index: number | undefined; readonly key: string }>()
  /** Calls that wait for input of the user: the retry belongs to them. */
  readonly #paused = new Map<unknown, number | undefined>()

  /** The run begins with the first message, which says who the client is. */
  constructor(start: (head: Pick<RunHead, 'agent' | 'trace'>) => Promise<Recorder>) {
    this.#start = start
  }

  /** Records a line. For a request, resolves once its intent is safe. */
  async take(from: Side, line: Uint8Array): Promise<void> {
    const value = parse(line, { maxDepth: 128 }).document?.value
    for (const message of Array.isArray(value) ? value : [value]) {
      this.#recorder ??= this.#start(headOf(objectOf(message)))
      const recorder = await this.#recorder
      if (isObject(message)) await this.#message(recorder, from, message)
      else await recorder.step({ action: { type: 'other', name: 'unreadable', input: { from, text: lineText(line) } } })
    }
  }

  /** Ends the run, if one began; returns how many lines are missing. */
  async end(failure: string | undefined): Promise<number> {
    const recorder = await this.#recorder
    const run = await (failure === undefined ? recorder?.complete() : recorder?.fail({ message: failure }))
    return run?.dropped ?? 0
  }

  async #message(recorder: Recorder, from: Side, message: JsonObject): Promise<void> {
    const { id, method, params } = message
    if (!isText(method)) await this.#answer(recorder, from, message)
    else if (id !== undefined) await this.#request(recorder, from, method, message)
    else if (method === 'notifications/cancelled') {
      const { requestId, reason } = objectOf(params)
      const error = { message: isText(reason) ? reason : 'cancelled', cancelled: true }
      await this.#end(recorder, from, requestId, { type: 'error', error }, message)
    } else await recorder.step({ action: { type: 'other', name: method, input: params }, metadata: subtypeOf(from) })
  }

  async #request(recorder: Recorder, from: Side, method: string, { id, params }: JsonObject): Promise<void> {
    const { name, arguments: input, _meta, inputResponses, requestState } = objectOf(params)
    const isCall = method === 'tools/call' && isText(name)
    const key = JSON.stringify([method, name, input])
    const parent = inputResponses === undefined ? undefined : this.#paused.get(requestState ?? key)
    const traceparent = objectOf(_meta)['traceparent']
    const metadata = {
      [CALL_ID]: JSON.stringify(id),
      'mcp.method': method,
      ...(traceparent !== undefined && { traceparent }),
      ...(inputResponses !== undefined && { 'mcp.input_responses': inputResponses }),
      ...(!isCall && subtypeOf(from)),
    }
    const action = isCall
      ? ({ type: 'tool_call', name, input: input ?? {} } as const)
      : ({ type: 'other', name: method, input: params } as const)
    const index = await recorder.begin(action, { metadata, parent })
    if (this.#open.size < MOST_OPEN) this.#open.set(requestKey(from, id), { index, key })
  }

  async #answer(recorder: Recorder, from: Side, message: JsonObject): Promise<void> {
    const { id, result, error } = message
    const asked = from === 'client' ? 'server' : 'client'
    const { isError, resultType, requestState, content } = objectOf(result)
    if (resultType === 'input_required') {
      const { index, key } = this.#open.get(requestKey(asked, id)) ?? {}
      if (this.#paused.size < MOST_OPEN) this.#paused.set(requestState ?? key, index)
    }
    const text = isError === true && Array.isArray(content) ? objectOf(content[0])['text'] : undefined
    const observation: ObservationDraft =
      error !== undefined
        ? { type: 'error', error }
        : isError === true
          ? { type: 'error', output: result, error: { message: text ?? 'the tool failed' } }
          : { type: 'tool_result', output: result }
    await this.#end(recorder, asked, id, observation, message)
  }

  async #end(recorder: Recorder, asked: Side, id: unknown, observation: ObservationDraft, message: JsonObject) {
    const key = requestKey(asked, id)
    const open = this.#open.get(key)
    this.#open.delete(key)
    if (open !== undefined) await recorder.end(open.index, observation)
    else
      await recorder.step({
        action: { type: 'other', name: 'unexpected', input: message },
        metadata: { action_subtype: 'mcp' },
      })
  }
}

/** A request, by who asked and its id: both sides number their own. */
const requestKey = (asked: Side, id: unknown) => `${asked} ${JSON.stringify(id)}`

const subtypeOf = (from: Side) => ({ action_subtype: `mcp.${from}` })

const lineText = (line: Uint8Array) => new TextDecoder().decode(line.subarray(0, 1000))

/** Who the client is, and the trace that it continues. */
function headOf({ params }: JsonObject): Pick<RunHead, 'agent' | 'trace'> {
  const { clientInfo, _meta } = objectOf(params)
  const { name, version } = objectOf(clientInfo ?? objectOf(_meta)[CLIENT_INFO])
  const [, trace_id, parent_span_id] = TRACE_PARENT.exec(String(objectOf(_meta)['traceparent'])) ?? []
  const agent = {
    agent_id: isText(name) && name !== '' ? name : 'mcp-client',
    ...(isText(version) && { agent_version: version }),
  }
  return {
    agent: { ...agent, framework: 'mcp' },
    ...(trace_id !== undefined && { trace: { trace_id, span_id: randomHex(8), parent_span_id } }),
  }
}

// A child process whose input and output pass through this one, byte for byte.

/** A longer line passes, and its parts are recorded as unreadable. */
const LONGEST_LINE = 32 << 20
const LINE_FEED = 0x0a

/** A process that runs, or the error why it cannot be started. */
export async function startServer(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  // `once` rejects when the event `error` comes first.
  const failure = await once(child, 'spawn').then(
    () => undefined,
    (error: Error) => error,
  )
  if (failure !== undefined) return failure
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, forward)
  // The server may end before it read everything.
  child.stdin.on('error', () => undefined)
  const code = once(child, 'exit').then(([exit, signal]) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(name, forward)
    return (exit as number | null) ?? 128 + constants.signals[signal as NodeJS.Signals]
  })
  return { stdin: child.stdin as Writable, stdout: child.stdout as Readable, code }
}

/** Passes bytes on, and gives each whole line to `take`: before it is passed on, or after. */
export async function passLines(
  from: AsyncIterable<Uint8Array>,
  to: Writable | Output,
  take: (line: Uint8Array) => Promise<void>,
  when: 'before' | 'after',
): Promise<void> {
  const pass = async (bytes: Uint8Array) => {
    if (to.write(bytes) === false && 'once' in to) await Promise.race([once(to, 'drain'), once(to, 'close')])
  }
  const line = async (bytes: Uint8Array) => {
    if (when === 'after') await pass(bytes)
    if (bytes.length > 1) await take(bytes.at(-1) === LINE_FEED ? bytes.subarray(0, -1) : bytes)
    if (when === 'before') await pass(bytes)
  }
  for await (const bytes of byteLines(from, LONGEST_LINE)) await line(bytes)
  if ('end' in to && when === 'before') to.end()
}
