import { checkInventory, parseInventory } from '../../bindings/adl/records.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import type { Proof } from '../../bindings/frame/source.ts'
import { verifyOpened } from '../../bindings/frame/verify.ts'
import { isGrowth } from '../../bindings/runs/stream/proof-file.ts'
import { specificationOf } from '../../bindings/specifications.ts'
import type { VerifyOptions } from '../../bindings/verbs.ts'
import { readAgentSecret, SECRET } from '../agentlang/options.ts'
import { defineCommand } from '../command.ts'
import { expected, readKeys, readKnownKeys, TRUSTED_KEYS } from '../keys.ts'
import { orUnreadable, type Result, Unreadable } from '../outcome.ts'
import { describeProof, expectOptionsFor, RESOLVE, readRecord, resolving } from '../proof.ts'
import type { Readable } from '../reader.ts'
import { counted } from '../report/report.ts'
import { isRunFile } from '../runs/stream-files.ts'
import { type linking, RUN_OPTIONS } from '../runs/verify.ts'
import { EXIT, given, UsageError } from '../usage.ts'

/** Options for documents of one kind. */
const OWN = {
  'expect-provider': 'adl',
  inventory: 'adl',
  keys: 'card',
  'self-asserted': 'card',
  anchors: 'trace',
  certificate: 'run',
  secret: 'container',
  source: 'container',
  index: 'container',
} as const

/** `blazon verify`: writes every step of each proof to stdout. */
export const command = defineCommand({
  usage: '[FILE...|-] [--key KEY]... [--resolve]',
  details: [
    'Reports for each document whether it is verified, failed or unverifiable, and',
    'every step of the check. Exits 4 unless all are verified. A key inside the',
    'document only shows that nothing was changed: give the key of the provider, or',
    'use --resolve for the did:web of a definition, which asks its domain over https.',
    'The id of a card may itself be the key.',
  ],
  options: {
    key: TRUSTED_KEYS,
    'expect-provider': { value: 'DOMAIN', about: 'the expected domain of the provider' },
    'expect-id': { value: 'ID', about: 'the expected id of the document' },
    resolve: RESOLVE,
    keys: { value: 'FILE', about: 'for cards: the known keys of agents' },
    'self-asserted': { about: 'for cards: accept the did:key of the card, which proves no identity' },
    inventory: { value: 'FILE', about: 'report differences from the approved version' },
    anchors: { value: 'FILE', about: 'for traces: DS records to trust instead of those of the root' },
    ...RUN_OPTIONS,
    secret: SECRET,
    source: { value: 'FOLDER', about: 'for containers: build this folder again, and compare' },
    index: { value: 'FILE', about: 'with --source: the index of the build' },
  },
  examples: [
    'blazon verify agent.adl.json --key provider.pub',
    'blazon verify agents/ --resolve --expect-provider acme.example.com --format json',
  ],
  async run(context) {
    const { options, positionals, reader, print } = context
    const { 'expect-provider': provider, 'expect-id': id } = options
    if (provider !== undefined && !/^[a-z0-9.-]+(:\d+)?$/i.test(provider)) {
      const message = `--expect-provider: expected a domain, got "${provider}"`
      throw new UsageError('invalid-value', message, 'as in --expect-provider acme.example.com')
    }
    const keys = await readKeys(options.key, context)
    const approved = await readRecord(options.inventory, reader, parseInventory)
    const wanted = {
      expect: { ...given({ provider, id }), ...expected(keys) },
      selfAsserted: options['self-asserted'],
      ...resolving(options.resolve, context),
      ...given({ resolver: await readKnownKeys(options.keys, reader) }),
      // Loaded only for traces: other kinds need no DNS.
      ...(options.anchors && (await (await import('../discover/asking.ts')).anchorsOf(context, options.anchors))),
    }
    let link: ReturnType<typeof linking> | undefined
    const linked = async (document: Document) => {
      link ??= (await import('../runs/verify.ts')).linking(options, context)
      return (await link)(document)
    }
    const secret = await readAgentSecret(options.secret, context)
    const { source, index } = options
    const proofs: string[] = []
    let verified = 0
    const conclude = (file: string, kind: string | null, proof: Proof, others: readonly Diagnostic[] = []) => {
      proofs.push(describeProof(file, proof))
      const valid = proof.verdict === 'verified' && others.length === 0
      if (valid) verified++
      const diagnostics = [...proof.steps.flatMap(({ diagnostic }) => diagnostic ?? []), ...others]
      return { file, kind, valid, diagnostics, proof }
    }
    const streams: Result[] = []
    for (const name of positionals.filter(isRunFile)) {
      const { verifyRunFile } = await import('../runs/verify.ts')
      const proof = await orUnreadable(verifyRunFile(name, keys, options, context))
      streams.push(proof instanceof Unreadable ? proof.result : conclude(name, 'stream', proof))
    }
    const names = positionals.filter((name) => !isRunFile(name))
    const inputs = names.length === 0 && streams.length > 0 ? [] : await reader.inputs(names, { names: 'signed kinds' })
    const documents = await reader.results(inputs, async (read) => {
      const { file, kind, document } = read
      expectOptionsFor(read, options, OWN)
      const proof =
        kind === 'run'
          ? await linked(document)
          : kind === undefined && isGrowth(document.value)
            ? await (await import('../runs/verify.ts')).verifyGrowthFile(read, keys, options, context)
            : await verifyByKind(read, { ...wanted, ...(kind === 'container' && secret) })
      const isDefinition = kind === 'adl' && proof.steps[0]?.name !== 'document'
      const incidents = approved !== undefined && isDefinition ? checkInventory(approved, document, { proof }) : []
      const rebuilt =
        source === undefined
          ? []
          : await (await import('../agentlang/source.ts')).compareSource(document, { source, index, secret }, context)
      const result = conclude(file, kind ?? null, proof, rebuilt)
      return {
        ...result,
        valid: result.valid && incidents.length === 0,
        diagnostics: [...result.diagnostics, ...incidents],
      }
    })
    const results = [...streams, ...documents]
    print(proofs.join('\n'))
    if (verified === results.length) return { results }
    return { results, exit: EXIT.unverified, reason: `verified ${verified} of ${counted(results.length, 'document')}` }
  },
})

/** A trace has no signature: it is replayed, which needs all of the discovery code. */
async function verifyByKind({ document, kind }: Readable, options: VerifyOptions): Promise<Proof> {
  if (kind === 'trace') return (await import('../../bindings/discover/trace/verify.ts')).verify(document, options)
  const verifying = await specificationOf(kind ?? 'adl')?.load.verify?.()
  return verifyOpened(verifying, { document, kind, diagnostics: document.warnings }, options)
}
