import { resolve } from 'node:path'
import { SIGNATURE_ABSENT } from '../../bindings/adl/findings.ts'
import { addEntry, approve, type Inventory, parseInventory } from '../../bindings/adl/records.ts'
import { validate } from '../../bindings/adl/verbs.ts'
import type { Proof } from '../../bindings/frame/source.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { defineCommand, EXIT, type ExitCode, type Result } from '../command.ts'
import type { Host } from '../host.ts'
import { TRUSTED_KEYS } from '../keys.ts'
import { RESOLVE, readRecord, verifier } from '../proof.ts'
import type { Readable } from '../reader.ts'
import { save } from '../save.ts'

const EMPTY: Inventory = { version: 1, agents: [] }

/** The result for one document: an entry if it may be approved, else the reasons against it. */
interface JudgedDefinition extends Result {
  readonly entry?: addEntry.Entry
}

export const command = defineCommand({
  options: {
    inventory: { value: 'FILE', needed: 'as in --inventory approved.json', about: 'the inventory to add to' },
    key: TRUSTED_KEYS,
    resolve: RESOLVE,
  },
  async run(context) {
    const { options, positionals, reader, host, print } = context
    const name = options.inventory
    const isThere = await exists(resolve(host.cwd, name), host)
    const before: Inventory = (await readRecord(isThere ? name : undefined, reader, parseInventory)) ?? EMPTY
    const prove = await verifier(options.key, options.resolve, context)
    let exit: ExitCode = EXIT.clean
    const judge = async ({ file, document, diagnostics }: Readable): Promise<JudgedDefinition> => {
      const report = validate(document)
      const found = [...diagnostics, ...report.diagnostics]
      const proof = report.valid ? await prove(document) : undefined
      if (proof === undefined || isDoubtful(proof, options.key.length > 0)) {
        if (proof !== undefined) exit = EXIT.unverified
        const doubts = proof?.steps.flatMap(({ diagnostic }) => diagnostic ?? []) ?? []
        return { file, kind: 'adl', valid: false, diagnostics: [...found, ...doubts] }
      }
      const { entry } = approve(document, { proof })
      return { file, kind: 'adl', valid: true, diagnostics: found, ...(entry && { entry }) }
    }
    const results: readonly JudgedDefinition[] = await reader.results(await reader.inputs(positionals), judge, {
      only: ['adl'],
    })
    const entries = results.flatMap(({ entry }) => entry ?? [])
    if (entries.length < results.length)
      return { results, exit, notes: [`${name} was not written: approve takes all documents or none`] }
    const after = entries.reduce(addEntry, before)
    await save(host, name, `${JSON.stringify(after, null, 2)}\n`, { over: name })
    print(...entries.map((entry) => `${entryLine(entry)}\n`))
    return { results, notes: [`wrote ${name}: ${after.agents.length} approved`] }
  },
})

/** An unsigned document may be approved if no key is expected: its digest is recorded. A signature must verify. */
function isDoubtful({ verdict, steps }: Proof, keyExpected: boolean): boolean {
  if (verdict !== 'unverifiable') return verdict === 'failed'
  return keyExpected || !steps.some(({ diagnostic }) => diagnostic?.rule === SIGNATURE_ABSENT.id)
}

const entryLine = ({ id, version, digest, signer }: addEntry.Entry) =>
  [id, version, digest, signer ?? 'unsigned'].map(visible).join('\t')

async function exists(path: string, host: Host): Promise<boolean> {
  try {
    for await (const _ of host.open(path)) return true
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
