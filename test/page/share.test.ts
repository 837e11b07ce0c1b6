// Links as text, without a page.
import { expect, test } from 'vitest'
import { linkHash, linkText } from '../../browser-demo/share.ts'
import { processorTime } from '../support/effort.ts'

test('marks behind a link are taken away, very many of them in no time, and so is what only begins with them', async () => {
  const marks = '%E2%80%9D.'.repeat(100_000)
  const link = await linkHash('[1]')
  const begin = processorTime()
  expect(await linkText(link + marks)).toBe('[1]')
  await expect(linkText(`${link}${marks}x`)).rejects.toThrow('of no form')
  expect(processorTime() - begin).toBeLessThan(1000)
})
