import { describe, expect, test } from 'vitest'
import type { CheckResult } from '../../cli/validate/checker.ts'
import { applyFixes } from '../../cli/validate/mend.ts'
import { blazon } from './terminal.ts'
import { AGENT, agent, validate } from './validating.ts'

describe('fixes', () => {
  const broken = agent()
    .replace('"description"', '"descripton"')
    .replace('  "$schema": "https://adl-spec.org/0.1/schema.json",\n', '')

  test('--fix writes the file and reports the remaining findings', async () => {
    const { code, stderr, saved } = await validate(['a.adl.json', '--fix'], { 'a.adl.json': broken })
    const text = Buffer.from(saved.get('a.adl.json')!).toString()
    expect(JSON.parse(text)).toEqual(AGENT)
    expect(code).toBe(0)
    expect(stderr).toContain('a.adl.json: 2 fixes written')
  })

  test('names --fix when an error has a fix, and the document is a file', async () => {
    const files = { 'a.adl.json': broken }
    expect((await validate(['a.adl.json'], files)).stderr).toMatch(/\n1 error has a fix: add --fix\n$/)
    for (const argv of [
      ['a.adl.json', '--fix'],
      ['a.adl.json', '--fix-dry-run'],
    ])
      expect((await validate(argv, files)).stderr).not.toContain('add --fix')
    expect((await blazon(['validate'], { stdin: broken })).stderr).not.toContain('add --fix')
  })

  test('--fix-dry-run writes nothing, and a second --fix has nothing to do', async () => {
    const dry = await validate(['a.adl.json', '--fix-dry-run'], { 'a.adl.json': broken })
    expect(dry.saved.size).toBe(0)
    expect(dry.stderr).toContain('2 fixes not written')
    // The file is unchanged, so nothing is valid yet.
    expect([dry.code, dry.stderr]).toEqual([0, expect.stringMatching(/\na\.adl\.json would be valid \(adl\)\n$/)])
    const two = await validate(['a.adl.json', 'b.adl.json', '--fix-dry-run'], {
      'a.adl.json': broken,
      'b.adl.json': agent(),
    })
    expect(two.stderr).toMatch(/\n2 of 2 documents would be valid\n$/)
    expect((await validate(['b.adl.json', '--fix-dry-run'], { 'b.adl.json': agent() })).stderr).toContain('is valid')
    // Like `diff -u`: the changed lines and three around them.
    expect(dry.stdout).toBe(`--- a.adl.json
+++ a.adl.json
@@ -1,7 +1,8 @@
 {
+  "$schema": "https://adl-spec.org/0.1/schema.json",
   "adl_spec": "0.1.0",
   "name": "Scout",
-  "descripton": "Looks for things in a test, and finds some of them.",
+  "description": "Looks for things in a test, and finds some of them.",
   "version": "1.0.0",
   "data_classification": {
     "sensitivity": "internal"
`)
    expect((await validate(['a.adl.json', '--fix'], { 'a.adl.json': agent() })).saved.size).toBe(0)
  })

  test('a dry run shows no prompts of confidential definitions [adl/18.9-2]', async () => {
    const prompt = '"system_prompt": "The plan is secret."'
    const source = agent({ data_classification: { sensitivity: 'confidential' } })
    const files = { 'a.adl.json': source.replace('"version"', `${prompt},\n  "verson"`) }
    const { stdout } = await validate(['a.adl.json', '--fix-dry-run'], files)
    expect(stdout).toContain('+  "version": "1.0.0"')
    expect(stdout).toContain('"system_prompt": ****')
    expect(stdout).not.toContain('plan')
  })

  test('a definition in YAML may be indented as a whole', async () => {
    const lines = ['adl_spec: "0.1.0"', 'name: Scout', 'descripton: Looks for things in a test.', 'version: 1.0.0']
    const more = ['data_classification:', '  sensitivity: public', 'lifecycle: { status: active }']
    const text = [...lines, ...more].map((line) => `  ${line}\n`).join('')
    const { saved } = await validate(['a.adl.yaml', '--fix'], { 'a.adl.yaml': text })
    const fixed = text.replace('descripton', 'description')
    expect(Buffer.from(saved.get('a.adl.yaml')!).toString()).toBe(
      `  $schema: https://adl-spec.org/0.1/schema.json\n${fixed}`,
    )
  })

  test('an edit that makes the document worse does not keep the others out', async () => {
    const edit = (offset: number, text: string) => ({ hint: '', edits: [{ offset, endOffset: offset + 1, text }] })
    // A check that reports each `x`, would replace the first by `!`, and cannot read a text with a `!`.
    const check = async (bytes: Uint8Array) => {
      const text = new TextDecoder().decode(bytes)
      const found = [...text].flatMap((letter, at) =>
        letter === 'x' ? [{ severity: 'error', fix: edit(at, at === 0 ? '!' : 'o') }] : [],
      )
      return { result: { diagnostics: found }, document: text.includes('!') ? undefined : {} } as unknown as CheckResult
    }
    let checks = 0
    const counted = (bytes: Uint8Array) => {
      checks++
      return check(bytes)
    }
    const { bytes, fixes } = await applyFixes(new TextEncoder().encode('x x x'), counted)
    expect([new TextDecoder().decode(bytes), fixes]).toEqual(['x o o', 2])
    checks = 0
    const many = await applyFixes(new TextEncoder().encode('x '.repeat(1000)), counted)
    expect([many.fixes, new TextDecoder().decode(many.bytes)]).toEqual([999, `x ${'o '.repeat(999)}`])
    expect(checks).toBeLessThan(100)
  })

  test('--fix refuses stdin, whatever its name', async () => {
    const files = { 'a.adl.json': 'mine' }
    const argv = ['-', '--fix', '--stdin-filepath', 'a.adl.json']
    const { code, saved, stderr } = await validate(argv, files, { stdin: broken })
    expect([code, saved.size]).toEqual([2, 0])
    expect(stderr).toContain('- cannot be written')
    expect((await validate(['-', '--fix-dry-run'], {}, { stdin: broken })).stdout).toContain('+  "description"')
  })

  test('reports a file that cannot be written, and exits 3', async () => {
    const { code, stderr } = await validate(
      ['a.adl.json', '--fix'],
      { 'a.adl.json': broken },
      { readOnly: ['a.adl.json'] },
    )
    expect(code).toBe(3)
    expect(stderr).toContain('a.adl.json:1:1 error DOC-124')
    expect(stderr).toContain("did you mean 'description'")
    expect(stderr).not.toContain('fixes written')
  })

  test('YAML keeps its comments', async () => {
    const yaml =
      '# mine\nadl_spec: 0.1.0\nname: Scout\ndescripton: Looks for things in a test. # why\nversion: 1.0.0\ndata_classification:\n  sensitivity: internl\n'
    const { saved } = await validate(['a.adl.yaml', '--fix'], { 'a.adl.yaml': yaml })
    const text = Buffer.from(saved.get('a.adl.yaml') ?? []).toString()
    expect(text).toContain('# mine')
    expect(text).toContain('description: Looks for things in a test. # why')
    expect(text).toMatch(/sensitivity: "?internal"?\n/)
  })

  const PROFILE = { profiles: ['urn:adl:profile:financial:1.0'] }
  const scope = { pci_scope: { in_scpoe: false, inscope: false } }
  test.each([
    ['a missing member', 'a.adl.json', agent().replace('"name"', '"nmae": "b",\n  "naem"'), ['nmae', 'naem'], 'name'],
    [
      'the same in YAML',
      'a.adl.yaml',
      'adl_spec: 0.1.0\nnmae: a\nnamee: b\nversion: 1.0.0\n',
      ['nmae', 'namee'],
      'name',
    ],
    ['one that may be there', 'a.adl.json', agent({ metadta: {}, metdata: {} }), ['metadta', 'metdata'], 'metadata'],
    [
      'one of a profile',
      'a.adl.json',
      agent({ ...PROFILE, financial_data_handling: scope }),
      ['in_scpoe', 'inscope'],
      'in_scope',
    ],
    [
      'one in other spellings',
      'a.card.json',
      '{"id": "agent://a", "name": "a", "tools": [{"name": "b", "inputSchema": {}, "input-schema": {}}]}',
      ['inputSchema', 'input-schema'],
      'input_schema',
    ],
  ])('one of two misspelled members gets the name: %s', async (_, file, text, wrong, right) => {
    const { saved } = await validate([file, '--fix'], { [file]: text })
    const fixed = Buffer.from(saved.get(file) ?? []).toString()
    const count = (name: string) => fixed.match(new RegExp(`\\b${name}\\b"?:`, 'g'))?.length ?? 0
    expect([count(right), wrong.map(count).sort()]).toEqual([1, [0, 1]])
  })

  test('an error that becomes a warning is an improvement: a template text in a misspelled member', async () => {
    const { saved: made } = await blazon(['init', 'a.adl.json'])
    const source = Buffer.from(made.get('a.adl.json')!).toString().replace('"description"', '"descripton"')
    const fixed = await validate(['a.adl.json', '--fix'], { 'a.adl.json': source })
    expect([fixed.code, fixed.stderr]).toEqual([0, expect.stringContaining('1 fix written')])
    expect(Buffer.from(fixed.saved.get('a.adl.json')!).toString()).toContain('"description"')
  })

  test('fixes that together make a document unreadable are not applied', async () => {
    const files = { 'a.card.json': '{"id": "agent://a", "nmae": "a", "Name": "b"}' }
    const { stderr, saved } = await validate(['a.card.json', '--fix'], files)
    expect(saved.size).toBe(0)
    expect(stderr).toContain('a.card.json: the fixes would not improve the document')
  })
})
