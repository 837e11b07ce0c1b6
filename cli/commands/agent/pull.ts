import { openContainer } from '../../../bindings/agentlang/container/open.ts'
import { isBelow } from '../../../bindings/agentlang/container/verify.ts'
import { parseReference } from '../../../bindings/host/registry/reference.ts'
import { pullContainer } from '../../../bindings/host/registry/transfer.ts'
import { openLayout, parseLayout } from '../../agentlang/layout.ts'
import { LOGIN } from '../../agentlang/options.ts'
import { placeOf } from '../../agentlang/place.ts'
import { faultResult, registryAt } from '../../agentlang/registry.ts'
import { readSeen, remember, seenFile } from '../../agentlang/seen.ts'
import { defineCommand } from '../../command.ts'
import { EXIT } from '../../exit.ts'
import { expected, readKeys, TRUSTED_KEYS } from '../../keys.ts'
import { describeProof } from '../../proof.ts'
import { save } from '../../save.ts'
import { UsageError } from '../../usage.ts'

/** `blazon agent pull`: gets the container of an agent from a registry. */
export const command = defineCommand({
  usage: 'REF [--key KEY]... [--out FOLDER]',
  details: [
    'Gets a container from a registry (HOST/DEVELOPER/NAME:VERSION, or @DIGEST), or',
    'from an OCI layout folder (oci:FOLDER:VERSION). Writes NAME@VERSION.agent if it',
    'is verified. --accept signer takes a container whose signer you do not know. A',
    'container with other bytes is never overwritten. A version below one that you',
    'pulled before, from the same signer, needs --accept downgrade.',
  ],
  options: {
    key: TRUSTED_KEYS,
    ...LOGIN,
    accept: {
      value: 'WHAT',
      choices: ['signer', 'downgrade'],
      many: true,
      about: 'accept an unknown signer, or an older version',
    },
    out: { value: 'FOLDER', about: 'the folder for the container (default .)' },
  },
  examples: ['blazon agent pull registry.example.com/acme/coach:1.0.0 --key developer.pub'],
  async run(context) {
    const { options, positionals, host, print } = context
    const [name, more] = positionals
    const named = name !== undefined && more === undefined ? name : ''
    const layout = parseLayout(named)
    const reference = parseReference(named)
    if (name === undefined || (layout === undefined && reference === undefined))
      throw new UsageError('wrong-arguments', 'agent pull takes one REF', 'as in registry.example.com/acme/coach:1.0.0')
    const keys = await readKeys(options.key, context)
    const store = layout
      ? openLayout(layout.folder, context)
      : (await registryAt(reference!.origin, options, context))(reference!.repository)
    const pulled = await pullContainer(layout ?? reference!, store, expected(keys))
    if (pulled.fault !== undefined) return { results: [faultResult(name, pulled.fault)], exit: EXIT.unreadable }
    const bytes = pulled.bytes!
    const accepted: readonly string[] = options.accept
    const { manifest } = pulled.opened!
    const memory = manifest && (await seenFile(manifest, context))
    const seen = await readSeen(memory, context)
    const isOlder = manifest !== undefined && seen !== undefined && isBelow(manifest.version, seen)
    const { proof } =
      isOlder && !accepted.includes('downgrade')
        ? await openContainer(bytes, { ...expected(keys), seen: [`${manifest.name}@${seen}`] })
        : pulled.opened!
    const isAccepted = proof.steps.every(
      ({ name: step, outcome }) => outcome !== 'failed' && (outcome !== 'unknown' || accepted.includes(step)),
    )
    const diagnostics = proof.steps.flatMap(({ diagnostic }) => diagnostic ?? [])
    const result = { file: name, kind: 'container', valid: proof.verdict === 'verified', diagnostics, proof }
    if (!isAccepted || manifest === undefined) {
      print(describeProof(name, proof))
      const isUnknown = proof.steps.every(({ outcome }) => outcome !== 'failed')
      const next = 'the signer is not known: give its key with --key, or --accept signer; nothing was written'
      const reason = isUnknown ? next : 'not verified: nothing was written'
      return { results: [result], exit: EXIT.unverified, reason }
    }
    const { out, isWritten } = await placeOf(`${manifest.name}@${manifest.version}.agent`, bytes, options, context)
    if (!isWritten) await save(host, out, bytes, { create: true })
    print(`${out}\n`)
    const failed = memory && (await remember(manifest.version, memory, seen, context))
    const notes = failed ? [`the version is not remembered: ${failed}`] : []
    return { results: [result], notes: [`${isWritten ? 'unchanged:' : 'wrote'} ${out}`, ...notes] }
  },
})
