// The open run of a session. Each event is a process of its own, so the state lies in a file between two of them.
import { parse } from '../../../bindings/document/parse.ts'
import type { Key } from '../../../bindings/keys/key.ts'
import { withLock } from '../../../bindings/node/file-lock.ts'
import { fileSink } from '../../../bindings/node/file-sink.ts'
import { CALL_ID } from '../../../bindings/runs/call-id.ts'
import { type RunHead, randomHex } from '../../../bindings/runs/record/options.ts'
import { Recorder } from '../../../bindings/runs/record/recorder.ts'
import type { RunSink } from '../../../bindings/runs/record/sink.ts'
import { RunState, type SavedState } from '../../../bindings/runs/record/state.ts'
import type { Line } from '../../../bindings/runs/stream/lines.ts'
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
  /** Lines that the server has. */
  readonly sent: number
}

export class Session {
  readonly #options: SessionOptions
  readonly #path: string
  #kept: SavedSession | undefined
  #state: RunState | undefined
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
    this.#kept = { head: { ...head, trace }, run: this.#state.save(), turn, sent: 0 }
    const recorder = this.recorder()
    await recorder.open()
    return recorder
  }

  /** The recorder of the open run. */
  recorder(): Recorder {
    const sink = fileSink(this.#options.folder)
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
  #resumed({ run }: SavedSession): RunState {
    const state = new RunState(run.run, run)
    for (const bytes of this.#linesOf(state).slice(state.size)) state.take(parse(bytes).document!.value as Line, bytes)
    return state
  }

  #linesOf({ runId }: RunState): Uint8Array[] {
    const path = `${this.#options.folder}/${runId}.ndjson`
    const lines = fs.existsSync(path) ? fs.readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
    return lines.map((line) => new TextEncoder().encode(line))
  }

  async #save(): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault
    const [state, kept] = [this.#state, this.#kept]
    if (state === undefined || kept === undefined) return
    const sent = await this.#send(state, kept.sent)
    if (state.isComplete) fs.rmSync(this.#path, { force: true })
    else
      await writeFile(this.#path, new TextEncoder().encode(JSON.stringify({ ...kept, run: state.save(), sent })), {
        mode: 0o600,
      })
  }

  /** Sends what the server lacks; what it does not take now follows with the next event. */
  async #send(state: RunState, sent: number): Promise<number> {
    const { server } = this.#options
    if (server === undefined) return 0
    const lines = this.#linesOf(state).slice(sent)
    const whole = lines.map((line) => Uint8Array.of(...line, 0x0a))
    return server.append(state.runId, sent, whole).then(
      () => sent + lines.length,
      () => sent,
    )
  }
}
