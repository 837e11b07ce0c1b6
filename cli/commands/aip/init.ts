import { exportKey } from '../../../bindings/keys/export.ts'
import { generateKey } from '../../../bindings/keys/generate.ts'
import { createAuthority } from '../../../bindings/runs/aip/issue.ts'
import { defineCommand } from '../../command.ts'
import { PRIVATE_FILE } from '../../keys.ts'
import { answer } from '../../outcome.ts'
import { save } from '../../save.ts'

/** `blazon aip init`: makes an authority for development. */
export const command = defineCommand({
  usage: '[--name NAME] [--key FILE] [--out FILE]',
  details: [
    'Makes an authority that issues certificates of agents (AIP-1): a P-256 key, and',
    'its certificate for a year. For development: in production, let your own',
    'authority issue them. Never overwrites a file.',
  ],
  options: {
    name: { value: 'NAME', about: 'the name of the authority' },
    key: { value: 'FILE', about: 'the file of its private key (default authority.key)' },
    out: { value: 'FILE', about: 'the file of its certificate (default authority.pem)' },
  },
  operands: [],
  examples: ['blazon aip init --name "Harbour development"'],
  async run({ options, host }) {
    const { name = 'Development authority', key: keyFile = 'authority.key', out = 'authority.pem' } = options
    const key = await generateKey('ES256')
    const certificate = await createAuthority({ key, name })
    await save(host, keyFile, String(await exportKey(key, 'pem')), PRIVATE_FILE)
    await save(host, out, certificate, { create: true })
    const notes = [`wrote the private key to ${keyFile}; only you can read it`, `wrote the certificate to ${out}`]
    return { results: [answer({ certificate })], notes }
  },
})
