import { parse } from '../document/parse.ts'
import { isObject, type JsonObject, member } from '../text/members.ts'

const DEPTH = 128

/**
 * Returns the response to a request: the whole body, or one of its events (MCP servers may respond with server-sent
 * events).
 */
export function answerTo(id: number, bytes: Uint8Array, contentType: string): JsonObject | undefined {
  const isStream = /^text\/event-stream\b/i.test(contentType)
  const texts = isStream ? eventsOf(new TextDecoder().decode(bytes)) : [bytes]
  for (const text of texts) {
    const value = parse(text, { maxDepth: DEPTH }).document?.value
    if (isObject(value) && member(value, 'id') === id) return value
  }
  return undefined
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
