import { LOGIN } from '../../agentlang/options.ts'
import { placeOf } from '../../agentlang/place.ts'
import { judgeContainer, pullAgent } from '../../agentlang/pull.ts'
import { defineCommand } from '../../command.ts'
import { readKeys, TRUSTED_KEYS } from '../../keys.ts'
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
    if (name === undefined || more !== undefined)
      throw new UsageError('wrong-arguments', 'agent pull takes one REF', 'as in registry.example.com/acme/coach:1.0.0')
    const pulled = await pullAgent(name, { ...options, keys: await readKeys(options.key, context) }, context)
    const { manifest, proof } = pulled.opened
    const { result, refusal } = judgeContainer(name, proof, options.accept)
    if (refusal !== undefined || manifest === undefined) {
      print(describeProof(name, proof))
      return refusal!
    }
    const file = `${manifest.name}@${manifest.version}.agent`
    const { out, isWritten } = await placeOf(file, pulled.bytes, options, context)
    if (!isWritten) await save(host, out, pulled.bytes, { create: true })
    print(`${out}\n`)
    const failed = await pulled.remember()
    const notes = failed ? [`the version is not remembered: ${failed}`] : []
    return { results: [result], notes: [`${isWritten ? 'unchanged:' : 'wrote'} ${out}`, ...notes] }
  },
})
