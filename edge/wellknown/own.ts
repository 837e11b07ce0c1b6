import { publishedAnswer } from '../agents/answer.ts'
import { etagOf } from '../http/digest.ts'

/** A document that is made for the answer, with the ETag of what it says. */
export async function madeAnswer(
  request: Request,
  content: unknown,
  type: string,
  own: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const bytes = new TextEncoder().encode(text)
  return publishedAnswer(request, bytes, await etagOf(bytes), type, own)
}

/** The did:web of whoever serves this (did:web section 3.1): a port belongs to the host, its colon in percent-encoding. */
export function didOf(url: URL): string {
  return `did:web:${url.host.replace(':', '%3A')}`
}
