// What a recorder remembers of its run between two lines. Another process can continue from it.
import { decodeBase64, encodeBase64 } from '../../keys/base64.ts'
import { isText, type JsonObject } from '../../text/members.ts'
import type { Line } from '../stream/lines.ts'
import { Frontier, type Hash, leafHash, type TreeHead } from '../stream/tree.ts'

/** The state as JSON. */
export interface SavedState {
  readonly run: string
  readonly size: number
  /** The hashes of the tree, in base64. */
  readonly tree: readonly string[]
  readonly next: number
  readonly open: readonly JsonObject[]
  readonly tokens: number
  readonly models: readonly string[]
}

export class RunState {
  readonly runId: string
  /** The intents of steps that have not ended, by index. */
  readonly open: Map<number, JsonObject>
  readonly models: Set<string>
  readonly #tree: Frontier
  #next: number
  #tokens: number
  #isComplete = false

  constructor(runId: string, saved?: SavedState) {
    this.runId = runId
    this.open = new Map(saved?.open.map((intent) => [Number(intent['index']), intent]))
    this.models = new Set(saved?.models)
    this.#tree = saved
      ? new Frontier(
          saved.tree.map((hash) => decodeBase64(hash) as Hash),
          saved.size,
        )
      : new Frontier()
    this.#next = saved?.next ?? 0
    this.#tokens = saved?.tokens ?? 0
  }

  /** How many lines there are. */
  get size(): number {
    return this.#tree.size
  }

  /** The index of the next step. */
  get next(): number {
    return this.#next
  }

  /** The sum of the tokens of all steps. */
  get tokens(): number {
    return this.#tokens
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  get head(): TreeHead {
    return { size: this.#tree.size, root: this.#tree.root }
  }

  /** Takes a line into account, which is written now or was found in the file. */
  take({ type, intent, step }: Line, bytes: Uint8Array): void {
    this.#tree.append(leafHash(bytes))
    if (type === 'run_completed') this.#isComplete = true
    if (type === 'step_started') this.open.set(this.#count(intent as JsonObject), intent as JsonObject)
    if (type !== 'step') return
    this.open.delete(this.#count(step as JsonObject))
    const {
      prompt_tokens: prompt,
      completion_tokens: completion,
      model,
    } = ((step as JsonObject)['metadata'] ?? {}) as JsonObject
    for (const tokens of [prompt, completion]) if (Number.isSafeInteger(tokens)) this.#tokens += tokens as number
    if (isText(model)) this.models.add(model)
  }

  save(): SavedState {
    const { runId: run, size, next, tokens } = this
    const tree = this.#tree.subtrees.map(encodeBase64)
    return { run, size, tree, next, open: [...this.open.values()], tokens, models: [...this.models] }
  }

  #count({ index }: JsonObject): number {
    this.#next = Math.max(this.#next, Number(index) + 1)
    return Number(index)
  }
}
