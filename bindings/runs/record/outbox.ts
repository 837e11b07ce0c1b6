// Lines in transit from a recorder to its sink: in order, bounded, and repeated until the sink has them.
import type { Key } from '../../keys/key.ts'
import { joinLines } from '../../text/bytes.ts'
import { originOf, signCheckpoint } from '../stream/checkpoint.ts'
import type { TreeHead } from '../stream/tree.ts'
import type { RunSink } from './sink.ts'

export interface QueuedLine {
  readonly bytes: Uint8Array
  /** The values that the line commits to. */
  readonly openings: readonly Uint8Array[]
  /** The tree after this line, if a checkpoint is due. */
  readonly head: TreeHead | undefined
}

export interface OutboxOptions {
  readonly sink: RunSink
  readonly signer: Key | undefined
  readonly domain: string | undefined
  /** Bytes that may wait. */
  readonly most: number
  /** Milliseconds that a caller waits. */
  readonly patience: number
}

export class Outbox {
  readonly #runId: string
  readonly #options: OutboxOptions
  readonly #waiting: QueuedLine[] = []
  #bytes = 0
  #stored: number
  #writing: Promise<void> | undefined
  #isSlow = false
  /** The largest tree whose checkpoint is due, until the sink has it. */
  #due: TreeHead | undefined

  constructor(runId: string, stored: number, options: OutboxOptions) {
    this.#runId = runId
    this.#stored = stored
    this.#options = options
  }

  /** Lines that the sink has. */
  get stored(): number {
    return this.#stored
  }

  get waiting(): number {
    return this.#waiting.length
  }

  hasRoom(line: Uint8Array): boolean {
    return this.#bytes + line.length <= this.#options.most
  }

  /** Takes a line. Resolves once the sink has it, or refused it, or the patience is over. */
  async put(line: QueuedLine): Promise<void> {
    this.#waiting.push(line)
    this.#bytes += line.bytes.length
    const flushing = this.#flush()
    // After one timeout, nobody waits until the sink answers again.
    if (!this.#isSlow) this.#isSlow = !(await isWithin(this.#options.patience, flushing))
  }

  /** Tries to write what is left. */
  async finish(): Promise<void> {
    const isLeft = () => this.#waiting.length > 0 || this.#due !== undefined
    for (let attempt = 0; isLeft() && attempt < 3; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 50 * 4 ** attempt))
      await isWithin(this.#options.patience, this.#flush())
    }
  }

  async #flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
    if (this.#waiting.length === 0 && this.#due === undefined) return
    this.#writing = this.#write([...this.#waiting]).catch(() => undefined)
    await this.#writing
    this.#writing = undefined
  }

  async #write(batch: readonly QueuedLine[]): Promise<void> {
    const { sink } = this.#options
    const lines = batch.map(({ bytes }) => joinLines([bytes]))
    if (lines.length > 0) await sink.append(this.#runId, this.#stored, lines)
    this.#isSlow = false
    this.#stored += batch.length
    this.#waiting.splice(0, batch.length)
    for (const { bytes, head } of batch) {
      this.#bytes -= bytes.length
      this.#due = head ?? this.#due
    }
    for (const rows of batch.flatMap(({ openings }) => openings)) await sink.openings?.(this.#runId, rows)
    if (this.#due !== undefined) await this.#sign(this.#due)
    this.#due = undefined
  }

  async #sign(head: TreeHead): Promise<void> {
    const { sink, signer, domain } = this.#options
    if (signer === undefined || sink.checkpoint === undefined) return
    await sink.checkpoint(this.#runId, await signCheckpoint({ origin: originOf(this.#runId, domain), ...head }, signer))
  }
}

/** True when work ends within some milliseconds. */
async function isWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([work.then(() => true as const), late])
  } finally {
    clearTimeout(timer)
  }
}
