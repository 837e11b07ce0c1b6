// The open run of a session. Each event is a process of its own, so the state lies in a file between two of them.
import { parse } from '../../../bindings/document/parse.ts'
import type { Key } from '../../../bindings/keys/key.ts'
import { type Extent, fileSinkAfter, linesAfter, withLock } from '../../../bindings/node/file-sink.ts'
import { Recorder } from '../../../bindings/runs/record/recorder.ts'
import { type RunHead, type RunSink, RunState, randomHex, type SavedState } from '../../../bindings/runs/record/sink.ts'
import type { Line } from '../../../bindings/runs/stream/lines.ts'
import { originOf, signCheckpoint } from '../../../bindings/runs/stream/note.ts'
import { CALL_ID } from '../../../bindings/runs/subject.ts'
import { toHex } from '../../../bindings/text/bytes.ts'
import { isObject, type JsonObject } from '../../../bindings/text/members.ts'
import { sha256 } from '../../../bindings/wasm/sha256.ts'
import { writeFile } from '../../write-file.ts'

const fs = process.getBuiltinModule('node:fs')

/** Many events may come at once, and each has to answer before the deadline of the hook. */
const PATIENCE_MS = 7000

export interface SessionOptions {
  readonly folder: string
  /** Gets the lines as well, after they are on disk here. */
  readonly server: RunSink | undefined
  /** Gets the reason why the server did not take them. */
  readonly tellUnsent: (reason: string) => void
  readonly signer: Key | undefined
}

/** What an open run is about: a turn of the runner, and whether it had a prompt. */
interface Turn {
  id?: unknown
  hasPrompt?: boolean
}

/** What the next event needs to know. */
interface SavedSession {
  readonly head: RunHead
  readonly run: SavedState
  readonly turn: Turn
  /** The part of the file that the state covers. Events read only what follows, so that a long run stays fast. */
  readonly written: Extent
  /** The part of the file that the server has. */
  readonly sent: Extent
}

const EMPTY: Extent = { lines: 0, bytes: 0 }

export class Session {
  readonly #options: SessionOptions
  readonly #path: string
  #kept: SavedSession | undefined
  #state: RunState | undefined
  readonly #written = new Map<string, Extent>()
  #fault: unknown

  private constructor(options: SessionOptions, path: string) {
    this.#options = options
    this.#path = path
    const value = fs.existsSync(path) ? parse(fs.readFileSync(path)).document?.value : undefined
    this.#kept = isObject(value) ? (value as unknown as SavedSession) : undefined
    if (this.#kept !== undefined) this.#state = this.#resumed(this.#kept)
  }

  /** Works on a session while no other process does. A name may be anything: only its digest becomes part of a path. */
  static async within<Made>(options: SessionOptions, name: string, work: (session: Session) => Promise<Made>) {
    const folder = `${options.folder}/sessions`
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = `${folder}/${toHex(sha256(new TextEncoder().encode(name)))}`
    return withLock(
      `${path}.lock`,
      async () => {
        const session = new Session(options, path)
        await session.#finish()
        const made = await work(session)
        await session.#save()
        return made
      },
      PATIENCE_MS,
    )
  }

  get isOpen(): boolean {
    return this.#state !== undefined
  }

  get trace(): JsonObject | undefined {
    return this.#kept?.head.trace
  }

  get turn(): Turn {
    return this.#kept?.turn ?? {}
  }

  /** The index of the call that is open under an identifier of the runner. */
  openCall(id: string): number | undefined {
    for (const [index, { metadata }] of this.#state?.open ?? [])
      if ((metadata as JsonObject)[CALL_ID] === id) return index
    return undefined
  }

  /** Begins a run. An open one stays without an end. */
  async start(head: RunHead, turn: Turn): Promise<Recorder> {
    const trace = { trace_id: randomHex(16), span_id: randomHex(8), ...head.trace }
    this.#state = new RunState(crypto.randomUUID())
    this.#kept = { head: { ...head, trace }, run: this.#state.save(), turn, written: EMPTY, sent: EMPTY }
    const recorder = this.recorder()
    await recorder.open()
    return recorder
  }

  /** The recorder of the open run. */
  recorder(): Recorder {
    const sink = fileSinkAfter(this.#options.folder, this.#written)
    const append: RunSink['append'] = async (...lines) => {
      await sink.append(...lines).catch((error: unknown) => {
        this.#fault = error
        throw error
      })
    }
    const { signer } = this.#options
    return new Recorder(this.#state!, this.#kept!.head, { sink: { ...sink, append }, ...(signer && { signer }) })
  }

  /** A process that died may have written lines that its state does not have. */
  #resumed({ run, written }: SavedSession): RunState {
    const state = new RunState(run.run, run)
    this.#written.set(state.runId, written)
    // A slow disk may have had fewer lines than the state.
    const known = written.lines === state.size ? written : EMPTY
    for (const line of this.#linesAfter(known, state).slice(state.size - known.lines))
      state.take(parse(line).document!.value as Line, line.subarray(0, -1))
    return state
  }

  /** Ends a run whose process died after its last line: a checkpoint must cover it, and the next event is of another run. */
  async #finish(): Promise<void> {
    const state = this.#state
    if (state === undefined || !state.isComplete) return
    const { signer, folder } = this.#options
    const checkpoint = { origin: originOf(state.runId), ...state.head }
    if (signer !== undefined)
      await fileSinkAfter(folder, this.#written).checkpoint(state.runId, await signCheckpoint(checkpoint, signer))
    await this.#save()
    this.#state = undefined
    this.#kept = undefined
  }

  /** The lines of the file after a part of it, each with its line feed. */
  #linesAfter({ bytes }: Extent, { runId }: RunState): readonly Uint8Array[] {
    return linesAfter(`${this.#options.folder}/${runId}.ndjson`, bytes)
  }

  async #save(): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault
    const [state, kept] = [this.#state, this.#kept]
    if (state === undefined || kept === undefined) return
    const sent = await this.#send(state, kept.sent)
    const written = this.#written.get(state.runId) ?? EMPTY
    if (state.isComplete) fs.rmSync(this.#path, { force: true })
    else
      await writeFile(
        this.#path,
        new TextEncoder().encode(JSON.stringify({ ...kept, run: state.save(), written, sent })),
        {
          mode: 0o600,
        },
      )
  }

  /** Sends what the server lacks; what it does not take now follows with the next event. */
  async #send(state: RunState, sent: Extent): Promise<Extent> {
    const { server } = this.#options
    if (server === undefined) return sent
    const lines = this.#linesAfter(sent, state)
    const bytes = lines.reduce((sum, line) => sum + line.length, sent.bytes)
    return server.append(state.runId, sent.lines, lines).then(
      () => ({ lines: sent.lines + lines.length, bytes }),
      (error: unknown) => {
        this.#options.tellUnsent(error instanceof Error ? error.message : String(error))
        return sent
      },
    )
  }
}
