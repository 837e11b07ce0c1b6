import { parseInventory } from '../../bindings/adl/inventory.ts'
import type { ProvisionFinding } from '../../bindings/adl/provision/finding.ts'
import { mayProvision, type Provisioning, type ProvisionOptions } from '../../bindings/adl/provision.ts'
import { parseTrust } from '../../bindings/adl/trust.ts'
import { validate } from '../../bindings/adl/validate.ts'
import { verify } from '../../bindings/adl/verify.ts'
import { visible } from '../../bindings/document/hidden.ts'
import { importKey, KeyError } from '../../bindings/keys/index.ts'
import type { Context, Outcome, Result } from '../context.ts'
import { EXIT } from '../exit.ts'
import { readRecord } from '../records.ts'
import { UsageError } from '../usage.ts'

/** `blazon gate`: whether agents may run on a host, and what the host has to do. */
export async function run(context: Context): Promise<Outcome> {
  const { options, positionals, reader, host } = context
  const trust = await readRecord(options.text('trust'), reader, parseTrust)
  const inventory = await readRecord(options.text('inventory'), reader, parseInventory)
  const broken = [trust, inventory].flatMap((record) => ('result' in record ? [record.result] : []))
  if ('result' in trust || 'result' in inventory) return { results: broken, output: [] }
  const keys = await trustedKeys(trust.value?.keys)
  const verifying = {
    ...(keys && { expect: { keys } }),
    ...(options.has('resolve') && { resolve: { fetch: host.fetch } }),
  }
  const asked: ProvisionOptions = {
    environment: (options.text('environment') ?? 'production') as NonNullable<ProvisionOptions['environment']>,
    enforces: options.list('enforces') as NonNullable<ProvisionOptions['enforces']>,
    acknowledged: options.list('acknowledge'),
    allowSchemes: options.list('allow-scheme'),
    ...(trust.value && { trust: trust.value }),
    ...(inventory.value && { inventory: inventory.value }),
  }
  const results: Result[] = []
  const output: string[] = []
  const unused = new Set(asked.acknowledged)
  for await (const { file, document, diagnostics } of reader.documents(await reader.inputs(positionals))) {
    if (document === undefined) {
      results.push({ file, kind: null, valid: false, diagnostics })
      continue
    }
    const report = validate(document)
    const proof = await verify(document, verifying)
    const url = options.text('source') ?? (file.startsWith('https://') ? file : undefined)
    const source = { trusted: options.has('trusted'), ...(url !== undefined && { url }) }
    const provisioning = mayProvision(document, { ...asked, proof, source })
    for (const name of provisioning.acknowledged) unused.delete(name)
    const allowed = report.valid && provisioning.allowed
    results.push({
      file,
      kind: 'adl',
      valid: allowed,
      diagnostics: [...diagnostics, ...report.diagnostics],
      provisioning,
    })
    output.push(describe(file, allowed, provisioning))
  }
  const refused = results.some(({ valid }) => !valid)
  const notes = [...unused].map((name) => `--acknowledge ${name}: nothing here is refused by that name`)
  return { results, output: [output.join('\n')], notes, ...(refused && { exit: EXIT.findings }) }
}

async function trustedKeys(keys: readonly string[] | undefined) {
  if (keys === undefined) return undefined
  try {
    return await Promise.all(keys.map(async (key) => (await importKey(key)).publicKey))
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    const hint = 'a key is PEM, a JWK in JSON, or base64'
    throw new UsageError('unusable-key', `--trust: a key of the file: ${error.message} (${error.code})`, hint)
  }
}

function describe(file: string, allowed: boolean, { reasons, obligations, successor, daysLeft }: Provisioning): string {
  const row =
    (word: string) =>
    ({ id, detail, acknowledge }: ProvisionFinding) => {
      const way = word === 'refuses' && acknowledge !== undefined ? ` (--acknowledge ${acknowledge})` : ''
      return `  ${word}  ${id}: ${visible(detail)}${visible(way)}`
    }
  const rows = [
    `${visible(file)}: ${allowed ? 'may run' : 'may not run'}`,
    ...(reasons.length === 0 && !allowed ? ['  refuses  invalid: the definition has errors'] : []),
    ...reasons.map(row('refuses')),
    ...obligations.map(row('demands')),
    ...(daysLeft === undefined ? [] : [`  days until the sunset date: ${daysLeft}`]),
    ...(successor === undefined ? [] : [`  successor: ${visible(successor)}`]),
  ]
  return `${rows.join('\n')}\n`
}
