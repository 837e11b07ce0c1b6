// Links as text, without a page.
import { expect, test } from 'vitest'
import { linkHash, linkText } from '../../browser-demo/share.ts'
import { processorTime } from '../support/effort.ts'

test('removes the marks after a link, in linear time also for very many of them', async () => {
  const marks = '%E2%80%9D.'.repeat(100_000)
  const link = await linkHash('[1]')
  const begin = processorTime()
  expect(await linkText(link + marks)).toBe('[1]')
  await expect(linkText(`${link}${marks}x`)).rejects.toThrow('form of this link is unknown')
  expect(processorTime() - begin).toBeLessThan(1000)
})
