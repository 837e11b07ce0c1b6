import { visible } from '../bindings/text/hidden.ts'
import type { Host } from './host.ts'

/** Shorter work is not worth a line that appears and vanishes. */
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
    this.#host.stderr.write(`\r\x1b[K${visible(text).slice(0, columns - 1)}`)
  }

  clear(): void {
    if (this.#shown) this.#host.stderr.write('\r\x1b[K')
    this.#shown = false
  }
}
