import { expect, test } from 'vitest'
import { generateKey } from '../../bindings/keys/index.ts'
import { nextMetadata } from '../../bindings/wellknown/build.ts'
import { build, sign } from '../../bindings/wellknown/index.ts'

const made = async (key: Awaited<ReturnType<typeof generateKey>>) =>
  (await build({ domain: 'alice.example.com', key }, { name: 'Alice' })).metadata!

test('the next metadata has no old proof, and has the new key if there is one', async () => {
  const [old, next] = [await generateKey(), await generateKey()]
  const { bytes } = await sign(JSON.stringify(await made(old)), old)
  const published = JSON.parse(new TextDecoder().decode(bytes))
  expect(published.identity.publicKey.proof).toMatch(/^ed25519:/)
  expect(await nextMetadata(published, undefined)).toEqual(await made(old))
  expect(await nextMetadata(published, next)).toEqual(await made(next))
})

test('a key of another type is refused', async () => {
  const other = await generateKey('ES256')
  await expect(nextMetadata(await made(await generateKey()), other)).rejects.toMatchObject({ name: 'KeyError' })
})
