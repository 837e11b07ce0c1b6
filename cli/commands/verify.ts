import type { Diagnostic } from '../../bindings/document/types.ts'
import { kindOfName, kindProvedBy } from '../../bindings/frame/detect.ts'
import { needsOf, withGiven } from '../../bindings/frame/needs.ts'
import type { VerifyOptions } from '../../bindings/frame/signing.ts'
import type { Proof } from '../../bindings/frame/source.ts'
import { verifyOpened } from '../../bindings/frame/verify.ts'
import { formOf, type Kind } from '../../bindings/kinds.ts'
import { specificationOf } from '../../bindings/specifications.ts'
import { compact, defineCommand, EXIT, orUnreadable, type Result, Unreadable, UsageError } from '../command.ts'
import { expectNeeded, GivenReader, NEED_OPTIONS, orRefused } from '../given.ts'
import { expected, readKeys, TRUSTED_KEYS } from '../keys.ts'
import { describeProof, RESOLVE, resolving } from '../proof.ts'
import { bytesOf } from '../reader.ts'
import { counted } from '../report/report.ts'

const OWN = {
  key: TRUSTED_KEYS,
  'expect-id': { value: 'ID', about: 'the expected id of the document' },
  resolve: RESOLVE,
} as const

export const command = defineCommand({
  options: { ...OWN, ...NEED_OPTIONS } as typeof OWN,
  async run(context) {
    const { options, positionals, reader, print } = context
    const named: Readonly<Record<string, unknown>> = options
    const provider = named['expect-provider'] as string | undefined
    if (provider !== undefined && !/^[a-z0-9.-]+(:\d+)?$/i.test(provider)) {
      const message = `--expect-provider: expected a domain, got "${provider}"`
      throw new UsageError('invalid-value', message, 'as in --expect-provider acme.example.com')
    }
    const expect = {
      ...compact({ provider, id: options['expect-id'] }),
      ...expected(await readKeys(options.key, context)),
    }
    const wanted: VerifyOptions = { expect, ...resolving(options.resolve, context) }
    const needs = new GivenReader(named, context)
    const judged: { readonly file: string; readonly kind: Kind | undefined }[] = []
    const proofs: string[] = []
    let verified = 0
    const conclude = (file: string, kind: Kind | undefined, proof: Proof, others: readonly Diagnostic[] = []) => {
      judged.push({ file, kind })
      proofs.push(describeProof(file, proof))
      const hasSource = Object.values(needsOf(kind)).some(({ compares }) => compares === 'source')
      if (proof.verdict === 'verified' && !(hasSource && others.length > 0)) verified++
      const diagnostics = [...proof.steps.flatMap(({ diagnostic }) => diagnostic ?? []), ...others]
      return {
        file,
        kind: kind ?? null,
        valid: proof.verdict === 'verified' && others.length === 0,
        diagnostics,
        proof,
      }
    }

    /** Verifies a source that its proof reads by itself, such as the lines of a stream as they arrive. */
    const prove = async (file: string, kind: Kind) => {
      const by = (await specificationOf(kind)!.load.prove!())!
      const own = await withGiven(by, { ...wanted, given: await needs.of(kind, file), file })
      const source = formOf(kindOfName(file)) === 'lines' ? bytesOf(reader, file) : (await reader.bytes(file)).bytes
      return by.prove(source, own)
    }
    const proved: Result[] = []
    const [sources, names] = [new Map<string, Kind>(), [] as string[]]
    for (const name of positionals) {
      const kind = kindProvedBy(name) ?? kindOfName(name)
      const isProved = kind !== undefined && formOf(kind) === 'lines' && specificationOf(kind)?.load.prove !== undefined
      if (isProved) sources.set(name, kind)
      else names.push(name)
    }
    for (const [name, kind] of sources) {
      const proof = await orUnreadable(orRefused(() => prove(name, kind)))
      proved.push(proof instanceof Unreadable ? proof.result : conclude(name, kind, proof))
    }
    const inputs = names.length === 0 && proved.length > 0 ? [] : await reader.inputs(names, { names: 'signed kinds' })
    const documents = await reader.results(inputs, ({ file, kind, document }) =>
      orRefused(async () => {
        const ruled = kind ?? kindProvedBy(undefined, document.value) ?? 'adl'
        const { verify, prove, compare } = specificationOf(ruled)!.load
        const by = (await verify?.()) ?? (await prove?.())
        const found = await needs.of(ruled, file)
        const own = await withGiven(by, { ...wanted, given: found })
        const proof = await verifyOpened(by, { document, kind, diagnostics: document.warnings }, own)
        return conclude(file, kind, proof, await (await compare?.())?.(document, proof, found))
      }),
    )
    expectNeeded(named, judged)
    print(proofs.join('\n'))
    const results = [...proved, ...documents]
    if (verified === results.length) return { results }
    return { results, exit: EXIT.unverified, reason: `verified ${verified} of ${counted(results.length, 'document')}` }
  },
})
