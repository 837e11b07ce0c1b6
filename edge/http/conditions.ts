import { Problem } from './problem.ts'

/** The condition of a write (RFC 9110 section 13.1). */
export interface Condition {
  /** The stored document must have one of these ETags; `*` means that there must be a document. */
  readonly match?: readonly string[]
  /** `true`: there must not be a document. */
  readonly absent?: boolean
}

/** The strong ETags of a list (RFC 9110 section 8.8.3). Weak ones never match, because bytes are compared. */
function tags(list: string): string[] {
  if (list.trim() === '*') return ['*']
  return [...list.matchAll(/(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g)].flatMap(([, weak, tag]) =>
    weak === undefined ? [tag!] : [],
  )
}

/** The condition of a write request. */
export function writeCondition(headers: Headers): Condition {
  const match = headers.get('if-match')
  const none = headers.get('if-none-match')
  if (none !== null && none.trim() !== '*') {
    throw new Problem(
      'bad-request',
      'A write supports If-Match, and If-None-Match: * (write only if nothing exists yet).',
    )
  }
  return { ...(match !== null && { match: tags(match) }), ...(none !== null && { absent: true }) }
}

/** True when the client already has the representation: If-None-Match compares weakly (RFC 9110 section 13.1.2). */
export function isKnown(headers: Headers, etag: string): boolean {
  const none = headers.get('if-none-match')
  if (none === null) return false
  return none.trim() === '*' || none.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
