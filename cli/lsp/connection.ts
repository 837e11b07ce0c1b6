// Requests and notifications of JSON-RPC 2.0, in the order in which they arrive.
import { isObject, isText, type JsonObject, objectOf } from '../../bindings/text/members.ts'
import type { Host } from '../host.ts'
import { FrameError, Frames, messageIn, send } from './framing.ts'

/** Messages that wait; the client waits before it can send more. */
const MOST_WAITING = 1000

/** The codes of LSP 3.17, and of JSON-RPC. */
export const FAULT = {
  unparsed: -32_700,
  wrongRequest: -32_600,
  unknownMethod: -32_601,
  wrongParams: -32_602,
  internal: -32_603,
  notInitialized: -32_002,
  cancelled: -32_800,
} as const

export class ResponseError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export type Handler = (params: JsonObject) => unknown

/** What a server answers. Requests have results, notifications have none. */
export interface Handlers {
  readonly requests: Readonly<Record<string, Handler>>
  readonly notifications: Readonly<Record<string, Handler>>
  /** Throws if a message is not allowed now. */
  admit(method: string): void
  /** True when no message is taken any more. */
  readonly isDone: boolean
}

export class Connection {
  readonly #host: Host
  readonly #waiting: JsonObject[] = []
  readonly #cancelled = new Set<unknown>()
  #wake: (() => void) | undefined
  #room: (() => void) | undefined
  #isClosed = false
  #lastId = 0

  constructor(host: Host) {
    this.#host = host
  }

  /** Sends a notification. */
  notify(method: string, params: object): Promise<void> {
    return send(this.#host.stdout, { method, params })
  }

  /** Sends a request whose result does not matter. */
  request(method: string, params: object): Promise<void> {
    return send(this.#host.stdout, { id: `blazon-${++this.#lastId}`, method, params })
  }

  /** Serves until the client ends. Returns the reason if its stream cannot be understood. */
  async serve(handlers: Handlers): Promise<string | undefined> {
    const reading = this.#read().then(
      () => undefined,
      (error: Error) => error,
    )
    while (!handlers.isDone) {
      const message = this.#waiting.shift()
      if (message === undefined) {
        if (this.#isClosed) break
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        continue
      }
      this.#room?.()
      await this.#dispatch(message, handlers)
    }
    this.#isClosed = true
    this.#room?.()
    this.#host.stdin.destroy?.()
    const failure = handlers.isDone ? undefined : await reading
    if (failure === undefined) return undefined
    // What was lost may have been a change: from here on, the texts could differ.
    await send(this.#host.stdout, { id: null, error: { code: FAULT.unparsed, message: failure.message } })
    return failure.message
  }

  async #read(): Promise<void> {
    const frames = new Frames()
    try {
      for await (const chunk of this.#host.stdin) {
        for (const body of frames.take(chunk)) await this.#take(messageIn(body))
        if (this.#isClosed) return
      }
    } finally {
      this.#isClosed = true
      this.#wake?.()
    }
  }

  async #take(message: unknown): Promise<void> {
    if (!isObject(message)) throw new FrameError('a message is not an object')
    const { id, method, params } = message
    if (method === '$/cancelRequest') {
      const which = objectOf(params)['id']
      if (this.#waiting.some((one) => one['id'] === which)) this.#cancelled.add(which)
      return
    }
    // Responses to this server's own requests have no method, and change nothing.
    if (!isText(method) || (id !== undefined && typeof id !== 'number' && !isText(id))) return
    while (this.#waiting.length >= MOST_WAITING && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#room = resolve
      })
    }
    this.#waiting.push(message)
    this.#wake?.()
  }

  async #dispatch({ id, method, params }: JsonObject, handlers: Handlers): Promise<void> {
    const name = method as string
    const { stdout } = this.#host
    try {
      if (this.#cancelled.delete(id)) throw new ResponseError(FAULT.cancelled, 'the request was cancelled')
      handlers.admit(name)
      const table = id === undefined ? handlers.notifications : handlers.requests
      const handler = Object.hasOwn(table, name) ? table[name] : undefined
      if (handler === undefined && id !== undefined)
        throw new ResponseError(FAULT.unknownMethod, 'this server does not have the method')
      const result = await handler?.(objectOf(params))
      if (id !== undefined) await send(stdout, { id, result: result ?? null })
    } catch (error) {
      const { code = FAULT.internal, message } = error as Partial<ResponseError>
      if (id !== undefined)
        await send(stdout, { id, error: { code: typeof code === 'number' ? code : FAULT.internal, message } })
    }
  }
}
