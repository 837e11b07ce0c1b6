// Writes to a full device.
import { closeSync, openSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { outputTo } from '../../cli/host.ts'
import { hasFullDevice } from '../support/programs.ts'
import { blazon } from './terminal.ts'

const hasFull = hasFullDevice('writes to a full device')

describe.runIf(hasFull)('a device without room', () => {
  test('is not treated as a terminal, so that its fault is reported', () => {
    const file = openSync('/dev/full', 'w')
    const output = outputTo(file as 1, () => {
      throw new Error('a stream tells its faults later')
    })
    expect(() => output.write('x')).toThrow(expect.objectContaining({ code: 'ENOSPC', syscall: 'write' }))
    closeSync(file)
  })
})

test.each([['--version'], ['-V'], ['help']])('%s on a full disk is reported in words', async (word) => {
  const { code, stderr } = await blazon([word], { full: 'ENOSPC' })
  expect([code, stderr]).toEqual([2, 'blazon: stdout cannot be written: the disk is full\n  name another file\n'])
})
