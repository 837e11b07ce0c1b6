import { visible } from '../bindings/document/hidden.ts'
import type { Host } from './host.ts'

/** Work that takes less than this is not worth a line that appears and goes. */
const PATIENCE_MS = 300

/** One line on a terminal's stderr that says what is going on. */
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
