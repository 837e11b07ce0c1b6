import { expect, test } from 'vitest'
import { generateKey } from '../../bindings/keys/index.ts'
import { sign, validate, verify } from '../../bindings/wellknown/index.ts'
import { newMetadata, nextMetadata } from '../../bindings/wellknown/templates.ts'

const codes = (document: object) => validate(JSON.stringify(document)).diagnostics.map(({ code }) => code)

test('what is new is valid, and can be signed', async () => {
  const key = await generateKey('Ed25519')
  const made = await newMetadata('Alice', key)
  expect(codes(made)).toEqual([])
  const { bytes = '' } = await sign(JSON.stringify(made), key)
  expect((await verify(bytes, { expect: { keys: [key.publicKey] } })).verdict).toBe('verified')
})

test('what goes on has no proof of what was before, and the new key where there is one', async () => {
  const [old, next] = [await generateKey('Ed25519'), await generateKey('Ed25519')]
  const { bytes = '' } = await sign(JSON.stringify(await newMetadata('Alice', old)), old)
  const published = JSON.parse(new TextDecoder().decode(bytes as Uint8Array))
  expect(published.identity.publicKey.proof).toMatch(/^ed25519:/)
  const kept = await nextMetadata(published, undefined)
  expect(kept).toEqual(await newMetadata('Alice', old))
  expect(await nextMetadata(published, next)).toEqual(await newMetadata('Alice', next))
})

test('a key of another kind is refused', async () => {
  await expect(newMetadata('Alice', await generateKey('ES256'))).rejects.toMatchObject({ name: 'KeyError' })
})
