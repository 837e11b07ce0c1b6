import { certificateFingerprint } from '../../bindings/keys/certificate.ts'
import { exportKey } from '../../bindings/keys/export.ts'
import { generateKey } from '../../bindings/keys/generate.ts'
import { pemOrDer } from '../../bindings/keys/read.ts'
import { createAuthority, issueCertificate } from '../../bindings/runs/identity/certificates.ts'
import { answer, compact, defineCommand, UsageError } from '../command.ts'
import { PRIVATE_FILE, readKey, usable } from '../keys.ts'
import { save } from '../save.ts'

export const init = defineCommand({
  options: {
    name: { value: 'NAME', about: 'the name of the authority' },
    key: { value: 'FILE', about: 'the file of its private key (default authority.key)' },
    out: { value: 'FILE', about: 'the file of its certificate (default authority.pem)' },
  },
  operands: [],
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

export const issue = defineCommand({
  options: {
    agent: { value: 'ID', needed: 'as in --agent coach', about: 'the id of the agent' },
    tenant: { value: 'UUID', needed: 'a UUID in small letters', about: 'the tenant' },
    capability: { value: 'NAME', many: true, about: 'a capability, as in perm:files:read' },
    role: { value: 'ROLE', about: 'the role of the agent' },
    environment: { value: 'NAME', about: 'the environment that the certificate is for' },
    audience: { value: 'NAME', about: 'the verifier that it is for' },
    minutes: { value: 'N', number: true, about: 'how long it is valid (default and limit 15)' },
    authority: { value: 'FILE', about: "the authority's certificate (default authority.pem)" },
    'authority-key': { value: 'KEY', about: "the authority's private key (default authority.key)" },
    key: { value: 'FILE', about: 'the file of the private key (default agent.key)' },
    out: { value: 'FILE', about: 'the file of the certificate (default agent.pem)' },
  },
  operands: [],
  async run(context) {
    const { options, host, reader, print } = context
    const { agent, tenant, capability, role, environment, audience, minutes } = options
    const { authority = 'authority.pem', 'authority-key': authorityKey = 'authority.key' } = options
    const { key: keyFile = 'agent.key', out = 'agent.pem' } = options
    const key = await generateKey('ES256')
    const parts = {
      authority: pemOrDer((await reader.bytes(authority)).bytes),
      authorityKey: await readKey(authorityKey, context),
      publicKey: key.publicKey,
      agent,
      tenant,
      capabilities: capability,
      ...compact({ role, environment, audience, minutes }),
    }
    const certificate = await usable(issueCertificate(parts)).catch((error: unknown) => {
      if (error instanceof RangeError)
        throw new UsageError('invalid-value', `--${error.message}`, 'see blazon aip issue --help')
      throw error
    })
    await save(host, keyFile, String(await exportKey(key, 'pem')), PRIVATE_FILE)
    await save(host, out, certificate, { create: true })
    const fingerprint = certificateFingerprint(certificate)
    print(`${fingerprint}\n`)
    return { results: [answer({ certificate, fingerprint })], notes: [`wrote ${keyFile} and ${out}`] }
  },
})
