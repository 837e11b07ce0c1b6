// Lines of a byte stream, compared with the split of the whole text.
import { expect, test } from 'vitest'
import { byteLines } from '../../bindings/text/bytes.ts'
import { passLines } from '../../cli/commands/runs/tap.ts'

async function* inChunks(text: string, size: number) {
  // One buffer for all chunks, as a stream may have.
  const buffer = new Uint8Array(size)
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.subarray(at, at + size)
    buffer.set(chunk)
    yield buffer.subarray(0, chunk.length)
  }
}

async function linesOf(text: string, size: number, longest = 1000) {
  const lines: string[] = []
  for await (const line of byteLines(inChunks(text, size), longest)) lines.push(new TextDecoder().decode(line))
  return lines
}

const TEXTS = ['', '\n', '\n\n\n', 'a', 'a\n', '\na', 'one\ntwo\r\n\nthr€e\nfour', `${'x'.repeat(300)}\n`.repeat(3)]

test('lines do not depend on the size of the chunks', async () => {
  for (const text of TEXTS)
    for (const size of [1, 2, 3, 7, 64, 4096])
      expect(await linesOf(text, size)).toEqual(text.split(/(?<=\n)/).filter((line) => line !== ''))
})

test('a line that is too long comes in parts that the limit and one chunk bound', async () => {
  const text = `${'y'.repeat(5000)}\nz`
  const parts = await linesOf(text, 10, 100)
  expect(parts.join('')).toBe(text)
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(110)
})

test('a tap passes every byte, and takes each line without its end', async () => {
  for (const text of TEXTS) {
    const passed: number[] = []
    const taken: string[] = []
    const to = { write: (bytes: Uint8Array) => passed.push(...bytes) > 0 }
    const take = async (line: Uint8Array) => void taken.push(new TextDecoder().decode(line))
    await passLines(inChunks(text, 5), to as never, take, 'after')
    expect(new TextDecoder().decode(new Uint8Array(passed))).toBe(text)
    // A line of one byte is empty, or the end of an unfinished stream.
    expect(taken).toEqual(
      text
        .split(/(?<=\n)/)
        .filter((line) => line.length > 1)
        .map((line) => line.replace(/\n$/, '')),
    )
  }
})
