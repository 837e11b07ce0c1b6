import { isObject, member } from '../../bindings/document/members.ts'
import { parse } from '../../bindings/document/parse.ts'
import type { Context, Outcome } from '../context.ts'
import { noAnswer } from '../net/answers.ts'
import { askPatiently } from '../net/server.ts'
import { neededServer } from '../publish/target.ts'
import { save } from '../save.ts'
import { UsageError } from '../usage.ts'

/** Cards in one answer: the most that the server gives. */
const PAGE = 500

/** `blazon directory export`: all cards or nothing, since half a backup looks like a whole one. */
export async function exportDirectory(
  { options, reader, host }: Context,
  operands: readonly string[],
  token: string,
): Promise<Outcome> {
  if (operands.length > 0) throw new UsageError('wrong-arguments', 'directory export takes no FILE', 'give --out FILE')
  const { origin } = neededServer('directory export', 'from', options)
  if (!options.has('quiet')) host.stderr.write(`exporting from ${origin}\n`)
  const headers = { authorization: `Bearer ${token}` }
  const pages: Uint8Array[] = []
  let cards = 0
  for (let after: string | undefined; ; ) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(after !== undefined && { after }) })
    const answer = await askPatiently(host, `${origin}/v1/directory/export?${query}`, { headers })
    if ('problem' in answer || answer.status !== 200) return { results: [noAnswer(origin, answer)], output: [] }
    const ids = idsOf(answer.bytes)
    const last = ids.at(-1)
    // Pages that do not go on would never end.
    if (ids.includes(undefined) || (last !== undefined && last <= (after ?? ''))) {
      return { results: [noAnswer(origin, { problem: `${origin} answers with lines that are no backup` })], output: [] }
    }
    pages.push(answer.bytes)
    cards += ids.length
    reader.tell(`exported ${cards} cards`)
    if (last === undefined || !/\brel="?next\b/.test(answer.headers.get('link') ?? '')) break
    after = last
  }
  const out = options.text('out')
  if (out !== undefined) await save(host, out, Buffer.concat(pages))
  return {
    results: [{ file: out ?? null, kind: null, valid: true, diagnostics: [], backup: { cards } }],
    output: out === undefined ? pages : [],
    notes: [`${cards} cards exported from ${origin}`],
  }
}

/** The id of each line; undefined for one that has none. */
function idsOf(bytes: Uint8Array): (string | undefined)[] {
  const lines = new TextDecoder().decode(bytes).split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const value = parse(line).document?.value
      const id = isObject(value) ? member(value, 'id') : undefined
      return typeof id === 'string' ? id : undefined
    })
}
