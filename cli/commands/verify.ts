import { checkInventory, parseInventory } from '../../bindings/adl/inventory.ts'
import type { Expected } from '../../bindings/adl/verify.ts'
import { visible } from '../../bindings/document/hidden.ts'
import type { Proof, Verdict } from '../../bindings/document/index.ts'
import { type VerifyOptions, verify } from '../../bindings/verify.ts'
import type { Context, Outcome, Result } from '../context.ts'
import { EXIT } from '../exit.ts'
import { readKeys } from '../keys.ts'
import { readKnownKeys } from '../known-keys.ts'
import { readRecord } from '../records.ts'
import { kindFor } from '../signed-kind.ts'
import { UsageError } from '../usage.ts'

/** Options that documents of one kind have. */
const OWN = { 'expect-provider': 'adl', inventory: 'adl', keys: 'card', 'self-asserted': 'card' } as const

/** `blazon verify`: every step of each proof on stdout. */
export async function run(context: Context): Promise<Outcome> {
  const { options, positionals, reader, host } = context
  const [provider, id] = [options.text('expect-provider'), options.text('expect-id')]
  if (provider !== undefined && !/^[a-z0-9.-]+(:\d+)?$/i.test(provider)) {
    const message = `--expect-provider: expected a domain, got "${provider}"`
    throw new UsageError('invalid-value', message, 'as in --expect-provider acme.example.com')
  }
  const keys = await readKeys(context)
  const expect: Expected = {
    ...(provider !== undefined && { provider }),
    ...(id !== undefined && { id }),
    ...(keys.length > 0 && { keys: keys.map((key) => key.publicKey) }),
  }
  const inventory = await readRecord(options.text('inventory'), reader, parseInventory)
  if ('result' in inventory) return { results: [inventory.result], output: [] }
  const approved = inventory.value
  const resolver = await readKnownKeys(options.text('keys'), reader)
  const wanted: VerifyOptions = {
    expect,
    selfAsserted: options.has('self-asserted'),
    ...(options.has('resolve') && { resolve: { fetch: host.fetch } }),
    ...(resolver !== undefined && { resolver }),
  }
  const results: Result[] = []
  const output: string[] = []
  const verdicts: (Verdict | undefined)[] = []
  for await (const { file, document, diagnostics } of reader.documents(
    await reader.inputs(positionals, { names: 'cards too' }),
  )) {
    if (document === undefined) {
      verdicts.push(undefined)
      results.push({ file, kind: null, valid: false, diagnostics })
      continue
    }
    const kind = kindFor({ document, file }, options, OWN)
    const proof = await verify(document, wanted)
    const findings = proof.steps.flatMap(({ diagnostic }) => diagnostic ?? [])
    const isDefinition = kind === 'adl' && proof.steps[0]?.name !== 'document'
    const incidents = approved !== undefined && isDefinition ? checkInventory(approved, document, proof) : []
    results.push({
      file,
      kind,
      valid: proof.verdict === 'verified' && incidents.length === 0,
      diagnostics: [...diagnostics, ...findings, ...incidents],
      proof,
    })
    verdicts.push(proof.verdict)
    output.push(describe(file, proof))
  }
  const unverified = verdicts.some((verdict) => verdict !== 'verified')
  return { results, output: [output.join('\n')], ...(unverified && { exit: EXIT.unverified }) }
}

function describe(file: string, { verdict, steps }: Proof): string {
  const rows = steps.map(({ outcome, title, detail }) => `  ${outcome.padEnd(7)}  ${title}: ${visible(detail)}`)
  return `${[`${visible(file)}: ${verdict}`, ...rows].join('\n')}\n`
}
