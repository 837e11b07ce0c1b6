// Functions of the platform that are not part of the web's.
import type { ObjectState, Socket } from './types.ts'

interface LengthStream {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>
  readonly writable: WritableStream<Uint8Array>
}

type Reader = Pick<ReadableStreamBYOBReader, 'releaseLock'> & {
  readAtLeast(least: number, into: Uint8Array): Promise<{ readonly value?: Uint8Array }>
}

interface Runtime {
  readonly WebSocketPair: new () => { readonly 0: Socket; readonly 1: Socket }
  readonly FixedLengthStream: new (length: number) => LengthStream
  readonly crypto: {
    readonly DigestStream: new (hash: string) => WritableStream<Uint8Array> & { readonly digest: Promise<ArrayBuffer> }
    readonly subtle: { timingSafeEqual(a: ArrayBuffer, b: ArrayBuffer): boolean }
  }
  readonly scheduler: { wait(ms: number, options?: { readonly signal: AbortSignal }): Promise<void> }
}

const runtime = globalThis as unknown as Runtime

/** Resolves after a while, even if the object would hibernate meanwhile. Rejects when it is aborted. */
export const pause = (ms: number, signal?: AbortSignal) => runtime.scheduler.wait(ms, signal && { signal })

/** Compares digests, in a time that doesn't depend on where they differ. */
export const sameDigest = (a: ArrayBuffer, b: ArrayBuffer) => runtime.crypto.subtle.timingSafeEqual(a, b)

/** A stream whose digest is known when it is closed. */
export const digestStream = () => new runtime.crypto.DigestStream('SHA-256')

/** A stream with a known length, which becomes the Content-Length of a response. */
export const lengthStream = (length: number) => new runtime.FixedLengthStream(length)

/** A reader that returns fewer bytes than asked for only at the end. */
export const chunkReader = (body: ReadableStream) => body.getReader({ mode: 'byob' }) as unknown as Reader

/** Opens a WebSocket to an object, which hibernates while no message comes. */
export function acceptSocket(state: ObjectState, attachment: object): Response {
  const { 0: theirs, 1: ours } = new runtime.WebSocketPair()
  state.acceptWebSocket(ours)
  ours.serializeAttachment(attachment)
  return new Response(null, { status: 101, webSocket: theirs } as ResponseInit)
}

/** The WebSocket that a response has opened. */
export const socketIn = (response: Response) => (response as { readonly webSocket?: Socket | null }).webSocket ?? null

/**
 * The address of a client: the one that Cloudflare saw, or that of the socket where workerd runs alone. There clients
 * can set the header themselves.
 */
export function addressOf(request: Pick<Request, 'headers'>): string | null {
  // The platform parses `cf` when it is read, which takes long: it is read once.
  const { cf } = request as { readonly cf?: { readonly clientIp?: unknown } | null }
  const clientIp = cf?.clientIp
  // Only workerd without Cloudflare writes it: `192.0.2.7:51004` or `[2001:db8::1]:51004`.
  if (typeof clientIp === 'string') return clientIp.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '')
  return cf === undefined ? null : request.headers.get('cf-connecting-ip')
}
