import type { Host } from './host.ts'
import { writeOver } from './writer.ts'

/** No progress line for shorter work: it would only flicker. */
const PATIENCE_MS = 300

/** A progress line on a terminal's stderr. */
export class Progress {
  readonly #host: Host
  readonly #enabled: boolean
  readonly #begin: number
  #shown = false

  constructor(host: Host, enabled: boolean) {
    this.#host = host
    this.#enabled = enabled
    this.#begin = host.now()
  }

  show(text: string): void {
    if (!this.#enabled || this.#host.now() - this.#begin < PATIENCE_MS) return
    this.#shown = true
    const columns = this.#host.stderr.columns ?? 80
    writeOver(this.#host, text.slice(0, columns - 1))
  }

  clear(): void {
    if (this.#shown) writeOver(this.#host, '')
    this.#shown = false
  }
}
