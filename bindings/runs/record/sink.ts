// Where the lines of runs go.
import { membersOf } from '../../document/parse.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import { isLoopback } from '../../net/guard.ts'
import { joinBytes } from '../../text/bytes.ts'
import { isText, member } from '../../text/members.ts'
import { isBearerToken } from '../../text/moment.ts'
import { joinNotes } from '../stream/note.ts'

/** A place that keeps lines. It may keep those of many runs. */
export interface RunSink {
  /** Adds whole lines after the first `size` lines of a run. Resolves when they are safe; a repetition does nothing. */
  append(runId: string, size: number, lines: readonly Uint8Array[]): Promise<void>
  /** Adds a signed checkpoint. Recorders sign none for a sink without this. */
  checkpoint?(runId: string, note: Uint8Array): Promise<void>
  /** Adds values that the lines commit to. */
  openings?(runId: string, rows: Uint8Array): Promise<void>
}

/** A sink in memory, and what it holds of each run. */
export interface MemorySink extends Required<RunSink> {
  /** The stream of a run, its checkpoints, and the values that it commits to; empty for an unknown run. */
  read(runId: string): Readonly<Record<'stream' | 'checkpoints' | 'openings', Uint8Array<ArrayBuffer>>>
}

/**
 * Keeps runs in memory, for tests and short runs.
 *
 * @example
 * const sink = memorySink()
 * await verifyStream(sink.read(runId).stream, { checkpoints: sink.read(runId).checkpoints, keys: [recorder] })
 */
export function memorySink(): MemorySink {
  const runs = new Map<string, Record<'stream' | 'checkpoints' | 'openings', Uint8Array[]>>()
  const of = (runId: string) => {
    const run = runs.get(runId) ?? { stream: [], checkpoints: [], openings: [] }
    runs.set(runId, run)
    return run
  }
  return {
    async append(runId, size, lines) {
      const { stream } = of(runId)
      if (size > stream.length) throw new RangeError(`size: the sink holds ${stream.length} lines, got ${size}`)
      for (const one of lines.slice(stream.length - size)) stream.push(one)
    },
    async checkpoint(runId, note) {
      of(runId).checkpoints.push(note)
    },
    async openings(runId, rows) {
      of(runId).openings.push(rows)
    },
    read(runId) {
      const { stream, checkpoints, openings } = runs.get(runId) ?? { stream: [], checkpoints: [], openings: [] }
      return {
        stream: joinBytes(stream),
        checkpoints: joinNotes(checkpoints),
        openings: joinBytes(openings),
      }
    },
  }
}

export interface UrlSinkOptions {
  /** A token with the scope `write`. */
  readonly token?: string
  /** Default: the platform's. */
  readonly fetch?: GuardedFetch
  /** Milliseconds for each request; default: 10,000. */
  readonly timeout?: number
}

/**
 * Sends runs to a server: `POST /runs` with the first line, then `POST /runs/{id}/records` with the size held so far.
 *
 * @example
 * createRecorder(head, { sink: urlSink('https://runs.example.com', { token }) })
 *
 * @throws {TypeError} for a URL that is neither https nor on this machine, and for an invalid token.
 */
export function urlSink(url: string, options: UrlSinkOptions = {}): RunSink {
  const { token, fetch: send = globalThis.fetch as GuardedFetch, timeout = 10_000 } = options
  const base = serverAt(url)
  if (token !== undefined && !isBearerToken(token)) throw new TypeError('token: expected visible ASCII characters')
  const headers = {
    'content-type': 'application/x-ndjson',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const post = async (path: string, lines: readonly Uint8Array[], size?: number) => {
    const response = await send(new URL(path, base).href, {
      method: 'POST',
      headers: { ...headers, ...(size !== undefined && { 'blazon-size': String(size) }) },
      body: joinBytes(lines),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    return { status: response.status, ...answerIn(await response.text()) }
  }
  return {
    async append(runId, from, lines) {
      const end = from + lines.length
      let held = from
      if (from === 0) {
        const answer = await post('runs', lines.slice(0, 1))
        held = answer.size ?? (answer.status === 201 ? 1 : refuse(answer))
      }
      // Another size means that an answer was lost: the server has a part of these lines already.
      for (let attempt = 0; held < end && attempt < 3; attempt++) {
        const answer = await post(`runs/${runId}/records`, lines.slice(held - from), held)
        const { status, size } = answer
        held = size === undefined || size < from || (status !== 200 && status !== 409) ? refuse(answer) : size
      }
      if (held < end) throw new Error(`the server holds ${held} lines of ${end}`)
    },
  }
}

function refuse({ status, detail }: ServerAnswer): never {
  throw new Error(`the server answered ${status}${detail === undefined ? '' : `: ${detail.slice(0, 200)}`}`)
}

function serverAt(url: string): URL {
  const base = URL.canParse(url) ? new URL(url.endsWith('/') ? url : `${url}/`) : undefined
  if (base?.protocol === 'https:' || (base?.protocol === 'http:' && isLoopback(base.hostname))) return base
  throw new TypeError(`url: expected one with https, got ${JSON.stringify(url)}`)
}

interface ServerAnswer {
  readonly status: number
  /** How many lines the server has. */
  readonly size: number | undefined
  /** Why it refused. */
  readonly detail: string | undefined
}

function answerIn(body: string): Omit<ServerAnswer, 'status'> {
  const members = body.length > 10_000 ? {} : membersOf(body)
  const [size, detail] = [member(members, 'size'), member(members, 'detail')]
  return {
    size: Number.isSafeInteger(size) ? (size as number) : undefined,
    detail: isText(detail) ? detail : undefined,
  }
}
