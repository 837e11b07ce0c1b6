import { resolve } from 'node:path'
import { addEntry, approve, type Inventory, type InventoryEntry, parseInventory } from '../../bindings/adl/inventory.ts'
import { noSignature } from '../../bindings/adl/signature/findings.ts'
import { validate } from '../../bindings/adl/validate.ts'
import { type Expected, verify } from '../../bindings/adl/verify.ts'
import { visible } from '../../bindings/document/hidden.ts'
import type { Proof } from '../../bindings/document/index.ts'
import type { Context, Outcome, Result } from '../context.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import type { Host } from '../host.ts'
import { readKeys } from '../keys.ts'
import { readRecord } from '../records.ts'
import { save } from '../save.ts'
import { UsageError } from '../usage.ts'

/** A document that may be approved has an entry; of others the diagnostics tell why not. */
interface Judged extends Result {
  readonly entry?: InventoryEntry
}

/** `blazon approve`: takes definitions into an inventory, all of them or none. */
export async function run(context: Context): Promise<Outcome> {
  const { options, positionals, reader, host } = context
  const name = options.text('inventory')
  if (name === undefined) {
    throw new UsageError('missing-option', 'approve needs --inventory', 'as in --inventory approved.json')
  }
  const isThere = await exists(resolve(host.cwd, name), host)
  const read = await readRecord(isThere ? name : undefined, reader, parseInventory)
  if ('result' in read) return { results: [read.result], output: [] }
  const before: Inventory = read.value ?? { version: 1, agents: [] }
  const keys = await readKeys(context)
  const expect: Expected = keys.length === 0 ? {} : { keys: keys.map((key) => key.publicKey) }
  const verifying = { expect, ...(options.has('resolve') && { resolve: { fetch: host.fetch } }) }
  const results: Judged[] = []
  let exit: ExitCode = EXIT.clean
  for await (const { file, document, diagnostics } of reader.documents(await reader.inputs(positionals))) {
    if (document === undefined) {
      results.push({ file, kind: null, valid: false, diagnostics })
      continue
    }
    const report = validate(document)
    const found = [...diagnostics, ...report.diagnostics]
    const proof = report.valid ? await verify(document, verifying) : undefined
    if (proof === undefined || isDoubtful(proof, keys.length > 0)) {
      if (proof !== undefined) exit = EXIT.unverified
      const doubts = proof?.steps.flatMap(({ diagnostic }) => diagnostic ?? []) ?? []
      results.push({ file, kind: 'adl', valid: false, diagnostics: [...found, ...doubts] })
    } else {
      const { entry } = approve(document, proof)
      results.push({ file, kind: 'adl', valid: true, diagnostics: found, ...(entry && { entry }) })
    }
  }
  const entries = results.flatMap(({ entry }) => entry ?? [])
  if (entries.length < results.length) {
    return { results, output: [], exit, notes: [`${name} was not written: approve takes all documents or none`] }
  }
  const after = entries.reduce(addEntry, before)
  await save(host, name, `${JSON.stringify(after, null, 2)}\n`)
  return {
    results,
    output: entries.map((entry) => `${describe(entry)}\n`),
    notes: [`wrote ${name}: ${after.agents.length} approved`],
  }
}

/** An unsigned document may be approved, where no key is expected: its digest alone is known then. A signature must hold. */
function isDoubtful({ verdict, steps }: Proof, keyExpected: boolean): boolean {
  if (verdict !== 'unverifiable') return verdict === 'failed'
  return keyExpected || !steps.some(({ diagnostic }) => diagnostic?.rule === noSignature.id)
}

const describe = ({ id, version, digest, signer }: InventoryEntry) =>
  [id, version, digest, signer ?? 'unsigned'].map(visible).join('\t')

async function exists(path: string, host: Host): Promise<boolean> {
  try {
    for await (const _ of host.open(path)) return true
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
