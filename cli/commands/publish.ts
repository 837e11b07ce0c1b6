import { detectKind } from '../../bindings/document/kind.ts'
import type { Context, Outcome, Result } from '../context.ts'
import { isAgentFile } from '../inputs/expand.ts'
import { publishCard } from '../publish/card.ts'
import { publishDefinition } from '../publish/definition.ts'
import { missingToken, readTarget } from '../publish/target.ts'
import type { Read } from '../reader.ts'

/** Documents on their way at one time. */
const AT_ONCE = 8

/**
 * `blazon publish`: sends definitions to a Worker of Blazon, and cards to a directory. One that is refused does not stop the
 * others.
 */
export async function run({ options, positionals, reader, host }: Context): Promise<Outcome> {
  const target = readTarget(options, host)
  const inputs = await reader.inputs(positionals, { names: 'all' })
  if (target.token === undefined && inputs.some(({ name }) => isAgentFile(name))) throw missingToken('publish')
  if (!options.has('quiet')) host.stderr.write(`publishing to ${target.origin}\n`)
  const results: Result[] = []
  let others = 0
  const send = async ({ file, document, diagnostics }: Read): Promise<Result | undefined> => {
    if (document === undefined) return { file, kind: null, valid: false, diagnostics }
    const kind = detectKind(document)
    // Of a folder, what is neither is not meant.
    if (kind !== 'card' && kind !== 'adl' && !isAgentFile(file) && !positionals.includes(file)) return undefined
    const publish = kind === 'card' ? publishCard : publishDefinition
    const result = await publish(document, file, target, host)
    return { ...result, diagnostics: [...diagnostics, ...result.diagnostics] }
  }
  let batch: Promise<Result | undefined>[] = []
  const finish = async () => {
    for (const result of await Promise.all(batch)) {
      if (result === undefined) others++
      else results.push(result)
    }
    batch = []
    reader.tell(`published ${results.length + others} of ${inputs.length}`)
  }
  for await (const read of reader.documents(inputs)) {
    batch.push(send(read))
    if (batch.length === AT_ONCE) await finish()
  }
  await finish()
  return { results, output: results.map(lineOf), notes: [summary(results, others, target.origin)] }
}

/** Where a definition is now; what became of a card. */
function lineOf({ url, advertised, valid }: Result): string {
  if (typeof url === 'string') return `${url}\n`
  if (!valid || advertised === undefined) return ''
  const { id, reason } = advertised as { id: string; reason: string }
  return `${id}\t${reason}\n`
}

function summary(results: readonly Result[], others: number, origin: string): string {
  const reasons = new Map<string, number>()
  for (const { advertised } of results) {
    if (advertised === undefined) continue
    const { stored, reason } = advertised as { stored: boolean; reason: string }
    const words = stored ? 'stored' : reason === 'equal' ? 'there already' : `not stored (${reason})`
    reasons.set(words, (reasons.get(words) ?? 0) + 1)
  }
  const cards = [...reasons].map(([words, n]) => `${n} ${words}`).join(', ')
  const published = results.filter(({ valid }) => valid).length
  return [
    `${published} of ${results.length} published at ${origin}`,
    ...(cards === '' ? [] : [`cards: ${cards}`]),
    ...(others === 0 ? [] : [`${others} of another kind`]),
  ].join('; ')
}
