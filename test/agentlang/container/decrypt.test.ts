// A decryptor from the words of docs/guide/agentlang.md alone, with the cryptography of Node.
import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readArchive } from '../../../bindings/agentlang/container/archive.ts'
import { writeSecret } from '../../../bindings/agentlang/container/secret.ts'
import { buildContainer, load } from '../../../bindings/agentlang/index.ts'
import { generateKey } from '../../../bindings/keys/index.ts'
import { filesIn, RESEARCH_ASSISTANT } from '../files.ts'

const GUIDE = readFileSync('docs/guide/agentlang.md', 'utf8')
const SECRET = writeSecret(Uint8Array.from({ length: 32 }, (_, i) => 255 - i))

test('the guide describes the encryption so that others can decrypt [agentlang/container-3]', async () => {
  const index = {
    tools: { web_search: { '1.2.0': {} }, web_fetch: { '1.0.0': {} }, gmail_modify_labels: { '1.0.0': {} } },
    models: { 'claude-sonnet-4': {} },
  }
  const plain = filesIn(RESEARCH_ASSISTANT)
  const built = await buildContainer(load(plain), {
    key: await generateKey('Ed25519'),
    secret: SECRET,
    epoch: 0,
    index,
  })
  expect(built.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  const archive = readArchive(built.bytes!) as Map<string, Uint8Array>
  const files = new Map([...archive].map(([path, bytes]) => [path, Buffer.from(bytes)]))
  const manifest = JSON.parse(files.get('manifest.json')!.toString())
  const agent = `${manifest.name}@${manifest.version}`

  const secret = Buffer.from(SECRET.slice('agentlang-key-1'.length), 'base64url')
  const derive = (label: string, ...names: string[]) => {
    expect(GUIDE).toContain(`\`${label}\``)
    return Buffer.from(hkdfSync('sha256', secret, '', [label, ...names].join('\0'), 32))
  }
  const hmac = (key: Buffer, ...parts: (string | Buffer)[]) => {
    const sum = createHmac('sha256', key)
    for (const part of parts) sum.update(part)
    return sum.digest()
  }
  const sealed = [...files].filter(([path]) => path.endsWith('.enc'))
  expect(sealed.length).toBeGreaterThan(0)
  for (const [name, bytes] of sealed) {
    const path = name.slice(0, -'.enc'.length)
    const nonce = bytes.subarray(0, 12)
    const decipher = createDecipheriv('aes-256-gcm', derive('agentlang/prompt-key/v1', agent, path), nonce)
    decipher.setAAD(Buffer.from(`${agent}\0${path}`)).setAuthTag(bytes.subarray(-16))
    const text = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
    expect(text).toEqual(Buffer.from(plain.get(path)!))
    expect(hmac(derive('agentlang/prompt-nonce/v1', agent, path), text).subarray(0, 12)).toEqual(nonce)
    const entry = hmac(derive('agentlang/lock/v1', agent), path, '\0', text).toString('hex')
    expect(files.get('agent.lock')!.toString()).toContain(`hmac-sha256:${entry}`)
  }
  const id = derive('agentlang/key-id/v1').toString('hex').slice(0, 8)
  expect(JSON.stringify(manifest)).toContain(`"key_id":"${id}"`)
})
