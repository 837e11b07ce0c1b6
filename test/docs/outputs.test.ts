// docs/reference/outputs.md has what commands really print. This runs them in one made-up folder, one after the other.
// `npx vitest run test/docs/outputs.test.ts -u` writes the page.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesOf } from '../../scripts/files.mjs'
import { blazon } from '../cli/terminal.ts'

const SCOUT = `adl_spec: 0.1.0
name: Scout
description: Finds papers and summarizes them.
version: 1.0.0
data_classification:
  sensitivity: public
tools:
  - name: fetch
    description: Fetches a paper.
permissions:
  network:
    allowed_hosts: [papers.example.com]
  filesystem:
    allowed_paths:
      - path: /data/**
        access: read
system_prompt:
  template: You find papers about {{topic}}.
  variables:
    topic: everything
`
const card = (name: string, skill: string, description: string) =>
  JSON.stringify({ id: `agent://${name.toLowerCase()}`, name, description, skills: [skill] })

const AGENT = 'fixtures/agentlang/research-assistant'
const KEYS = JSON.parse(readFileSync('fixtures/vectors/api/signatures.json', 'utf8'))
const files: Record<string, string | Uint8Array> = {
  'scout.adl.yaml': SCOUT,
  'wider.adl.yaml': SCOUT.replace('papers.example.com', "'*.example.com'").replace('1.0.0\ndata', '1.1.0\ndata'),
  'broken.adl.yaml': SCOUT.replace('description: Finds', 'descripton: Finds').replace(
    'access: read',
    'access: readonly',
  ),
  'a.json': '{\n  "b": [1, 2.50],\n  "a": "x"\n}\n',
  'cards/translator.json': card('Translator', 'nlp/translation', 'Translates contracts.'),
  'cards/weather.json': card('Weather', 'data/weather', 'Tells the weather.'),
  'scout.key': KEYS.vectors.find(({ id }: { id: string }) => id === 'openssl-Ed25519-derive').key,
  'run.json': readFileSync('fixtures/runs/review.json', 'utf8'),
}

for (const path of filesOf(AGENT)) files[`coach/${path.slice(AGENT.length + 1)}`] = readFileSync(path)

/** Each command with its line; lines of one command stand together. */
const LINES: readonly (readonly [command: string, line: string])[] = [
  ['validate', 'validate broken.adl.yaml'],
  ['explain', 'explain ADL-1005'],
  ['fmt', 'fmt --check a.json'],
  ['fmt', 'fmt a.json'],
  ['canonicalize', 'canonicalize a.json'],
  ['canonicalize', 'canonicalize a.json --hash sha256'],
  ['diff', 'diff scout.adl.yaml wider.adl.yaml'],
  ['grants', 'grants scout.adl.yaml'],
  ['decide', 'decide scout.adl.yaml network host=papers.example.com port=443 protocol=https'],
  ['decide', 'decide scout.adl.yaml filesystem path=/data/a.txt access=write'],
  ['gate', 'gate scout.adl.yaml --environment production'],
  ['review', 'review scout.adl.yaml'],
  ['render', 'render scout.adl.yaml --var topic=birds'],
  ['convert', 'convert scout.adl.yaml --to card --id agent://scout'],
  ['match', "match --kind host '*.example.com' -- api.example.com example.com"],
  ['search', 'search contracts --from cards'],
  ['tags list', 'tags list'],
  ['tags normalize', 'tags normalize NLP/Translate'],
  ['tags suggest', 'tags suggest translate'],
  ['tags match', 'tags match nlp -- nlp/translation data/weather'],
  ['runs show', 'runs show run.json'],
  ['init', 'init trusty.adl.yaml --dry-run'],
  ['agent inspect', 'agent inspect coach'],
  ['agent lock', 'agent lock coach'],
  ['sign', 'sign scout.adl.yaml --key scout.key --embed-key --out signed.adl.json'],
  ['verify', 'verify signed.adl.json'],
]

/** The words of a line; single quotes hold one together. */
const wordsOf = (line: string) => Array.from(line.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word)

test('docs/reference/outputs.md shows what commands print', async () => {
  const sections = new Map<string, string[]>()
  for (const [command, line] of LINES) {
    const { stdout, stderr, saved } = await blazon(wordsOf(line), { files })
    for (const [path, bytes] of saved) files[path] = bytes
    sections.set(command, [...(sections.get(command) ?? []), `$ blazon ${line}\n${stdout}${stderr}`])
  }
  const parts = [...sections].map(([command, shown]) => {
    return `### ${command}\n\n${shown.map((text) => `\`\`\`console\n${text.trimEnd()}\n\`\`\``).join('\n\n')}\n`
  })
  const head = '# What commands print\n\nWritten by test/docs/outputs.test.ts; do not edit.\n'
  await expect([head, ...parts].join('\n')).toMatchFileSnapshot('../../docs/reference/outputs.md')
})
