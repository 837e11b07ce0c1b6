import { expect, test } from 'vitest'
import { blazon } from './terminal.ts'

const SECRETS = ['ada.lovelace@acme.example.com', 'The plan is']

/** What is reported stands on one line with what nobody may see. */
const document = (sensitivity: string) =>
  JSON.stringify({
    provider: { name: 'Acme', contact: SECRETS[0] },
    big: 'NUMBER',
    system_prompt: SECRETS[1],
    data_classification: { sensitivity },
    adl_spec: '0.1.0',
  }).replace('"NUMBER"', '12345678901234567890')

const COMMANDS = [
  ['gate', 'a.adl.json'],
  ['review', 'a.adl.json'],
  ['grants', 'a.adl.json'],
  ['verify', 'a.adl.json'],
  ['decide', 'a.adl.json', 'tool', 'name=a'],
  ['diff', 'a.adl.json', 'b.adl.json'],
]

test.each(COMMANDS)('[adl/18.9-2] blazon %s shows nothing confidential', async (...argv) => {
  for (const format of ['pretty', 'json']) {
    const run = async (sensitivity: string) => {
      const text = document(sensitivity)
      const files = { 'a.adl.json': text, 'b.adl.json': text.replace('Acme', 'Acme Corp') }
      const { stdout, stderr } = await blazon([...argv, '--format', format], { files, columns: 4000 })
      return stdout + stderr
    }
    const shown = await run('confidential')
    expect(shown).toContain('DOC-120')
    for (const word of SECRETS) expect(shown).not.toContain(word)
    if (format === 'pretty') expect(await run('internal')).toContain(SECRETS[1])
  }
})

test('[adl/18.9-2] nor does blazon fmt beside the document itself', async () => {
  const { stdout, stderr } = await blazon(['fmt', 'a.adl.json'], { files: { 'a.adl.json': document('restricted') } })
  expect(stdout).toContain(SECRETS[0])
  expect(stderr).toContain('DOC-120')
  for (const word of SECRETS) expect(stderr).not.toContain(word)
})
