import type { Context, Outcome } from '../context.ts'
import { UsageError } from '../usage.ts'

const USAGE = 'as in blazon diff OLD NEW, or blazon diff --canonical A B'

/** `blazon diff`: what a new definition means that the old one did not, or where canonical forms differ. */
export async function run({ options, positionals, reader }: Context): Promise<Outcome> {
  const [nameA, nameB, ...others] = positionals
  if (nameA === undefined || nameB === undefined || others.length > 0) {
    throw new UsageError('wrong-arguments', `diff: expected two documents, got ${positionals.length}`, USAGE)
  }
  const canonical = options.has('canonical')
  const a = await reader.document(nameA, { jsonByDefault: canonical })
  const b = await reader.document(nameB, { jsonByDefault: canonical })
  if (canonical) {
    const { compareCanonical } = await import('../diff/canonical.ts')
    return compareCanonical(a, b)
  }
  const { compareMeaning } = await import('../diff/meaning.ts')
  return compareMeaning(a, b, options.has('check-version'))
}
