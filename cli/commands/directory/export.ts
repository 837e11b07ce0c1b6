import { parse } from '../../../bindings/document/parse.ts'
import { escapeHidden } from '../../../bindings/text/hidden.ts'
import { isObject, member } from '../../../bindings/text/members.ts'
import { defineCommand } from '../../command.ts'
import { readRules } from '../../net/rules.ts'
import { askPatiently, noAnswer } from '../../net/server.ts'
import { answer } from '../../outcome.ts'
import { neededServer, neededToken, SERVER } from '../../publish/target.ts'
import { jsonLine } from '../../report/report.ts'
import { counted } from '../../report/words.ts'
import { saveOrPrint } from '../../save.ts'
import { given } from '../../usage.ts'

/** Cards in one answer: the server's maximum. */
const PAGE = 500

/** `blazon directory export`: all rules and cards, or nothing: half a backup looks like a whole one. */
export const command = defineCommand({
  usage: '--server URL [--out FILE]',
  details: [
    'Writes the rules of a directory, and every card as it was received, with how it',
    'was verified: one per line, to stdout or to the file of --out. BLAZON_TOKEN in',
    'the environment is the token of the server.',
  ],
  options: {
    server: SERVER,
    out: { value: 'FILE', about: 'write the lines to this file' },
  },
  operands: [],
  examples: ['blazon directory export --server https://agents.example.com > backup.jsonl'],
  async run(context) {
    const { name, options, reader, host, say } = context
    const { server, out } = options
    const token = neededToken(name, host)
    const { origin } = neededServer(name, server)
    say(`exporting from ${origin}`)
    const headers = { authorization: `Bearer ${token}` }
    const answeredRules = await readRules({ host, origin, token })
    if ('problem' in answeredRules) return { results: [answeredRules.problem] }
    const { rules } = answeredRules
    // Before the cards: an import must know the blocked agents before it reads their cards.
    const pages = [Buffer.from(rules.map((rule) => jsonLine({ rule })).join(''))]
    let cards = 0
    for (let after: string | undefined; ; ) {
      const query = new URLSearchParams({ limit: String(PAGE), ...given({ after }) })
      const answered = await askPatiently(host, `${origin}/v1/directory/export?${query}`, { headers })
      if ('problem' in answered || answered.status !== 200) return { results: [noAnswer(origin, answered)] }
      const page = new TextDecoder().decode(answered.bytes)
      const ids = idsOf(page)
      const last = ids.at(-1)
      // Pages without progress would never end.
      if (ids.includes(undefined) || (last !== undefined && last <= (after ?? ''))) {
        return { results: [noAnswer(origin, { problem: `${origin} answers with lines that are not a backup` })] }
      }
      pages.push(Buffer.from(escapeHidden(page)))
      cards += ids.length
      reader.showProgress(`exported ${cards} cards`)
      if (last === undefined || !/\brel="?next\b/.test(answered.headers.get('link') ?? '')) break
      after = last
    }
    await saveOrPrint(out, Buffer.concat(pages), context)
    return {
      results: [{ ...answer({ backup: { cards, rules: rules.length } }), file: out ?? null }],
      notes: [`${counted(cards, 'card')} and ${counted(rules.length, 'rule')} exported from ${origin}`],
    }
  },
})

/** The id of each line; undefined for a line without one. */
function idsOf(page: string): (string | undefined)[] {
  return page
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value = parse(line).document?.value
      const id = isObject(value) ? member(value, 'id') : undefined
      return typeof id === 'string' ? id : undefined
    })
}
