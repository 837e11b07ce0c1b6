import type { CardCollection, Progress } from './card-collection.ts'

/** The methods of a collection that are called through a port; `stop` stops reading. */
// biome-ignore format: a list of names
const METHODS = ['countSkipped', 'setSignals', 'warmUp', 'summary', 'rank', 'first', 'text', 'skippedText', 'stop'] as const

type Remote = {
  [Name in (typeof METHODS)[number]]: (
    ...args: Parameters<CardCollection[Name]>
  ) => Promise<Awaited<ReturnType<CardCollection[Name]>>>
}

/** A card collection at the other end of a port. */
export interface CollectionClient extends Remote {
  add(sources: Parameters<CardCollection['add']>[0], progress: (made: Progress) => void): Promise<void>
  /** Closes the port; pending calls are rejected. */
  close(): void
}

type Method = Exclude<keyof CollectionClient, 'close'>

/** The members of a worker and of a port that calls use. A port has no `onerror`: it does not fail on its own. */
export interface Port {
  onmessage: ((event: MessageEvent) => unknown) | null
  onmessageerror: ((event: MessageEvent) => unknown) | null
  onerror?: ((event: ErrorEvent) => unknown) | null
  postMessage(message: unknown): void
}

const LOST =
  'The browser ended the worker that held the cards, as it does when memory runs out. Press Clear, then add fewer cards.'
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

/** Answers the calls that come through the port. Sources are read one after another; other calls run between slices of reading. */
export function serve(collection: CardCollection, port: Port): void {
  let reading: Promise<void> = Promise.resolve()
  const run = ({ id, method, args }: Call): unknown => {
    if (method !== 'add') return (collection[method] as (...args: readonly unknown[]) => unknown)(...args)
    const progress = (made: Progress) => port.postMessage({ id, progress: made } satisfies Answer)
    const isWanted = collection.untilStopped()
    const add = () => collection.add(args[0] as Parameters<CardCollection['add']>[0], progress, isWanted)
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

interface PendingCall {
  readonly answer: (answer: Answer) => void
  readonly progress: ((made: Progress) => void) | undefined
}

/** A client of the collection at the other end of a port. When that end is lost, pending and later calls are rejected. */
export function clientAt(port: Port, close: () => void): CollectionClient {
  const waiting = new Map<number, PendingCall>()
  let calls = 0
  let end: string | undefined
  const lose = (error: string) => {
    end ??= error
    for (const [id, { answer }] of waiting) answer({ id, error: end })
    waiting.clear()
    close()
  }
  port.onmessage = ({ data }: MessageEvent<Answer>) => {
    const call = waiting.get(data.id)
    if (data.progress !== undefined) return call?.progress?.(data.progress)
    waiting.delete(data.id)
    call?.answer(data)
  }
  port.onmessageerror = () => lose(LOST)
  port.onerror = () => lose(LOST)
  const call = <T>(method: Method, args: readonly unknown[], progress?: PendingCall['progress']): Promise<T> =>
    new Promise((resolve, reject) => {
      if (end !== undefined) return reject(new Error(end))
      const id = ++calls
      const answer = ({ result, error }: Answer) =>
        error === undefined ? resolve(result as T) : reject(new Error(error))
      waiting.set(id, { answer, progress })
      port.postMessage({ id, method, args } satisfies Call)
    })
  const remote = METHODS.map((method) => [method, (...args: readonly unknown[]) => call(method, args)])
  return {
    ...(Object.fromEntries(remote) as Remote),
    add: (sources, progress) => call('add', [sources], progress),
    close: () => lose(CLOSED),
  }
}
