import type { AgentCard } from '../../bindings/card/index.ts'
import type { Library, Progress, RankedResults, Stock } from './library.ts'

/** A library on the other side of a port. */
export interface Shelf {
  add(sources: Parameters<Library['add']>[0], progress: (made: Progress) => void): Promise<void>
  passOver(...args: Parameters<Library['passOver']>): Promise<void>
  know(...args: Parameters<Library['know']>): Promise<void>
  warmUp(): Promise<void>
  stock(): Promise<Stock>
  rank(...args: Parameters<Library['rank']>): Promise<RankedResults>
  first(limit: number): Promise<AgentCard[]>
  text(id: string): Promise<string | undefined>
  problem(index: number): Promise<string | undefined>
  /** Ends what is being read. */
  stop(): Promise<void>
  /** Ends it; open questions are rejected. */
  close(): void
}

type Method = Exclude<keyof Shelf, 'close'>

/** The part of a worker, and of a port, that calls go through. A port has no errors, for nothing can happen to it alone. */
export interface Port {
  onmessage: ((event: MessageEvent) => unknown) | null
  onmessageerror: ((event: MessageEvent) => unknown) | null
  onerror?: ((event: ErrorEvent) => unknown) | null
  postMessage(message: unknown): void
}

const LOST =
  'The browser has ended the worker that had the cards, as it does when memory runs out. Clear begins anew: add fewer cards then.'
const CLOSED = 'These cards were cleared.'

interface Call {
  readonly id: number
  readonly method: Method
  readonly args: readonly unknown[]
}

interface Answer {
  readonly id: number
  readonly progress?: Progress
  readonly result?: unknown
  readonly error?: string
}

/** Answers the calls from the other side. Reading goes one after another; all else may come between its slices. */
export function serve(library: Library, port: Port): void {
  let reading: Promise<void> = Promise.resolve()
  const run = ({ id, method, args }: Call): unknown => {
    if (method !== 'add') return (library[method] as (...args: readonly unknown[]) => unknown)(...args)
    const progress = (made: Progress) => port.postMessage({ id, progress: made } satisfies Answer)
    const isWanted = library.untilStopped()
    const add = () => library.add(args[0] as Parameters<Library['add']>[0], progress, isWanted)
    reading = reading.then(add, add)
    return reading
  }
  port.onmessage = async ({ data }: MessageEvent<Call>) => {
    const { id } = data
    try {
      port.postMessage({ id, result: await run(data) } satisfies Answer)
    } catch (error) {
      port.postMessage({ id, error: (error as Error).message } satisfies Answer)
    }
  }
}

interface Asked {
  readonly answer: (answer: Answer) => void
  readonly progress: ((made: Progress) => void) | undefined
}

/** The library that is served at the other side of a port. When that side is lost, all that was and will be asked is rejected. */
export function shelfAt(port: Port, close: () => void): Shelf {
  const waiting = new Map<number, Asked>()
  let calls = 0
  let end: string | undefined
  const lose = (error: string) => {
    end ??= error
    for (const [id, { answer }] of waiting) answer({ id, error: end })
    waiting.clear()
    close()
  }
  port.onmessage = ({ data }: MessageEvent<Answer>) => {
    const asked = waiting.get(data.id)
    if (data.progress !== undefined) return asked?.progress?.(data.progress)
    waiting.delete(data.id)
    asked?.answer(data)
  }
  port.onmessageerror = () => lose(LOST)
  port.onerror = () => lose(LOST)
  const call = <T>(method: Method, args: readonly unknown[], progress?: Asked['progress']): Promise<T> =>
    new Promise((resolve, reject) => {
      if (end !== undefined) return reject(new Error(end))
      const id = ++calls
      const answer = ({ result, error }: Answer) =>
        error === undefined ? resolve(result as T) : reject(new Error(error))
      waiting.set(id, { answer, progress })
      port.postMessage({ id, method, args } satisfies Call)
    })
  return {
    add: (sources, progress) => call('add', [sources], progress),
    passOver: (...args) => call('passOver', args),
    know: (...args) => call('know', args),
    warmUp: () => call('warmUp', []),
    stock: () => call('stock', []),
    rank: (...args) => call('rank', args),
    first: (limit) => call('first', [limit]),
    text: (id) => call('text', [id]),
    problem: (index) => call('problem', [index]),
    stop: () => call('stop', []),
    close: () => lose(CLOSED),
  }
}
