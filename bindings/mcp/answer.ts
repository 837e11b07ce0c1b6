import { parse } from '../document/parse.ts'
import { isObject, type JsonObject } from '../text/members.ts'

const DEPTH = 128
/** The most bytes of one message, or of one HTTP response. */
export const LONGEST_MESSAGE = 4 << 20

/** Reads one message; undefined if it is not valid JSON or not an object. */
export function readMessage(text: Uint8Array | string): JsonObject | undefined {
  const value = parse(text, { maxDepth: DEPTH }).document?.value
  return isObject(value) ? value : undefined
}

/**
 * Returns the messages of an HTTP response: the whole body, or its events (MCP servers may respond with server-sent
 * events).
 */
export function messagesIn(bytes: Uint8Array, contentType: string): readonly JsonObject[] {
  const isStream = /^text\/event-stream\b/i.test(contentType)
  const texts = isStream ? eventsOf(new TextDecoder().decode(bytes)) : [bytes]
  return texts.map(readMessage).filter((message) => message !== undefined)
}

/** The data of each event. */
function eventsOf(stream: string): string[] {
  return stream.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event
      .split(/\r?\n/)
      .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
    return data.length === 0 ? [] : [data.join('\n')]
  })
}
