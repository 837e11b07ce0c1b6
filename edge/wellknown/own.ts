import { type AnswerOptions, publishedAnswer } from '../agents/answer.ts'
import { etagOf } from '../http/digest.ts'

/** A document made for the answer, with an ETag of its content. */
export async function madeAnswer(
  request: Request,
  content: unknown,
  type: string,
  options: AnswerOptions = {},
): Promise<Response> {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const bytes = new TextEncoder().encode(text)
  return publishedAnswer(request, bytes, await etagOf(bytes), type, options)
}

/** The name of the directory's key in DIDs, key sets and signatures. */
export function keyOf(url: URL): string {
  return `${didOf(url)}#key-1`
}

/** The did:web of this server (did:web section 3.1): a port belongs to the host, with its colon percent-encoded. */
export function didOf(url: URL): string {
  return `did:web:${url.host.replace(':', '%3A')}`
}
