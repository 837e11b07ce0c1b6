// An end to waiting: after some time, or when whoever asked gives up.

export interface Deadline {
  readonly signal: AbortSignal
  /** True when it was the time that ran out. */
  isOver(): boolean
  /** Takes the timer back. */
  end(): void
}

/** With a timer of its own: `AbortSignal.any` and `timeout` took a fifth of the time of a question to the DNS. */
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
