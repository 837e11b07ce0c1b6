// Stops waiting after some time, or when the caller aborts.

export interface Deadline {
  readonly signal: AbortSignal
  /** True when the time ran out. */
  isOver(): boolean
  /** Clears the timer. */
  end(): void
}

/** Uses its own timer: `AbortSignal.any` and `timeout` took a fifth of the time of a DNS query. */
export function deadline(ms: number, outer: AbortSignal | null | undefined): Deadline {
  const abort = new AbortController()
  const stop = () => abort.abort(outer?.reason)
  let over = false
  const timer = setTimeout(() => {
    over = true
    abort.abort()
  }, ms)
  outer?.addEventListener('abort', stop)
  if (outer?.aborted) stop()
  return {
    signal: abort.signal,
    isOver: () => over,
    end() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', stop)
    },
  }
}
