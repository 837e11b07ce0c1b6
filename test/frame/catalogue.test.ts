import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as a2a from '../../bindings/a2a/findings.ts'
import * as adl from '../../bindings/adl/findings.ts'
import * as catalog from '../../bindings/ai-catalog/findings.ts'
import { CHECKED } from '../../bindings/all-specifications.ts'
import * as card from '../../bindings/card/findings.ts'
import { catalogue } from '../../bindings/catalogue.ts'
import * as settings from '../../bindings/claude-settings/findings.ts'
import { explained as coreFindings } from '../../bindings/core/findings.ts'
import { checkPattern, compileTemplate, type PatternKind } from '../../bindings/core/index.ts'
import { PATTERN_KINDS } from '../../bindings/core/pattern-faults.ts'
import * as trace from '../../bindings/discover/trace/findings.ts'
import { explained as readingFindings } from '../../bindings/document/findings.ts'
import { DocumentError, parse } from '../../bindings/document/index.ts'
import { explained as tomlFindings } from '../../bindings/document/toml/findings.ts'
import { parseToml } from '../../bindings/document/toml/parse.ts'
import { explained as yamlFindings } from '../../bindings/document/yaml/findings.ts'
import { parseYaml } from '../../bindings/document/yaml/parse.ts'
import { validateAs } from '../../bindings/frame/verbs.ts'
import { validate } from '../../bindings/index.ts'
import * as server from '../../bindings/mcp-server/findings.ts'
import * as wellknown from '../../bindings/wellknown/findings.ts'
import * as invite from '../../bindings/wellknown/invite/findings.ts'
import { explained as cliFindings } from '../../cli/findings.ts'
import { filesOf } from '../../scripts/files.mjs'

const rows = [...catalogue(), ...cliFindings()]
const codes = new Set(rows.map(({ code }) => code))

const sourcesOf = (folder: string) =>
  filesOf(folder)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(path, 'utf8'))

describe('the catalogue', () => {
  test('has one row for each code and id', () => {
    const names = rows.map(({ code, id }) => `${code} ${id}`)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  // The rules of profiles share the title of their code; their ids name them.
  test('has a title of its own for each rule of a code', () => {
    const others = rows.filter(({ code }) => code !== 'ADL-3001' && code !== 'BADL-150')
    const names = others.map(({ code, title }) => `${code} ${title}`)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  test('has every code that the sources name', () => {
    const named = ['bindings', 'cli', 'edge', 'browser-demo']
      .flatMap(sourcesOf)
      .flatMap((text) =>
        Array.from(
          text.matchAll(
            /'((?:DOC|KEY|ADL|AGP|AIP|AL|AMD|BADL|CARD|CAT|CCS|CDX|CTX|DNS|INV|MCP|PVS|RUN|SRV|WK)-\d{3,4})'/g,
          ),
          ([, code]) => code!,
        ),
      )
    expect([...new Set(named)].sort()).toEqual([...codes].sort())
  })

  test('explains every finding, with a bad and a good example', () => {
    for (const { code, why, bad, good } of rows) {
      expect(why.length, code).toBeGreaterThan(10)
      expect(bad, code).not.toBe(good)
    }
  })
})

describe('the pages', () => {
  const pages = ['docs/reference/diagnostics.md'].map((path) => readFileSync(path, 'utf8')).join('\n')
  const sections = [...pages.matchAll(/^### ([A-Z]+-\d+) (.+)\n\n(.+)\n/gm)]

  test('have a section for every finding of the readers, the keys and the command line', () => {
    const documented = new Set(sections.map(([, code]) => code))
    expect([...codes].filter((code) => /^(DOC|KEY)-/.test(code) && !documented.has(code))).toEqual([])
  })

  test.each(sections.map(([, code, title, line]) => [code!, title!, line!]))('%s: %s', (code, title, line) => {
    const own = rows.filter((row) => row.code === code)
    expect(own.length).toBeGreaterThan(0)
    for (const row of own) expect(row.title).toBe(title)
    const [, ids, , section] = /^(`.+`) · ([^·]+?)(?: · ([^·]+))?$/.exec(line)!
    // For advice of profiles, the page has one entry for all rules whose names begin alike.
    if (code !== 'BADL-150') for (const { id } of own) expect(ids).toContain(`\`${id}\``)
    if (code !== 'BADL-150' && section !== undefined) for (const row of own) expect(row.section).toContain(section)
  })
})

/** Findings whose examples describe a document in words. */
const TOLD = ['100', '104', '105', '106', '113', '114', '131', '132', '140', '141', '154', '155', '198']
const isShown = ({ code }: { readonly code: string }) => !TOLD.includes(code.slice(4))

describe('examples', () => {
  const READERS: Readonly<Record<string, typeof parse>> = { yaml: parseYaml, toml: parseToml }
  const shown = [...readingFindings(), ...yamlFindings(), ...tomlFindings()].filter(isShown)
  test.each(shown)('$code $title', ({ code, id, bad, good }) => {
    const found = (text: string) => (READERS[id.split('/')[0]!] ?? parse)(text).diagnostics
    expect(found(bad).map((diagnostic) => diagnostic.code)).toEqual([code])
    expect(found(good)).toEqual([])
  })

  const KINDS: readonly PatternKind[] = ['host', 'path', 'env', 'command', 'tag']
  const patterns = coreFindings().filter((row) => row.id.startsWith('pattern/') && isShown(row))
  test.each(patterns)('$code $title', ({ code, bad, good }) => {
    const found = (kind: PatternKind, text: string) =>
      checkPattern(kind, text).map(({ reason }) => PATTERN_KINDS[reason]!.code)
    const kinds = KINDS.filter((kind) => found(kind, bad).includes(code))
    expect(kinds).not.toEqual([])
    for (const kind of kinds) expect(found(kind, good)).not.toContain(code)
  })

  const templates = coreFindings().filter((row) => /^DOC-15[0-4]$/.test(row.code) && isShown(row))
  test.each(templates)('$code $title', ({ code, bad, good }) => {
    compileTemplate(good)
    const fault = (() => {
      try {
        return compileTemplate(bad)
      } catch (error) {
        return error
      }
    })()
    expect(fault).toBeInstanceOf(DocumentError)
    expect((fault as DocumentError).diagnostics[0]!.code).toBe(code)
  })
})

test('only the logo of a catalog may be a picture as data', () => {
  const found = (host: object) =>
    validate(JSON.stringify({ specVersion: '1.0', host: { displayName: 'Acme', ...host }, entries: [] }), {
      as: 'ai-catalog',
    }).diagnostics.filter(({ rule }) => rule === catalog.SCRIPT_URL.id)
  expect(found({ logoUrl: 'data:image/png;base64,AA==' })).toEqual([])
  expect(found({ logoUrl: 'data:image/svg+xml,AA' })).toHaveLength(1)
  expect(found({ documentationUrl: 'data:image/png;base64,AA==' })).toHaveLength(1)
})

test('an empty identifier of a catalog is empty, and not one of another form', () => {
  const { diagnostics } = validate('{"entries": [{"identifier": ""}]}', { as: 'ai-catalog' })
  const rules = diagnostics.filter(({ source }) => source?.pointer === '/entries/0/identifier').map(({ rule }) => rule)
  expect(rules).toEqual(['empty-value'])
})

test('an empty list and an empty text have words of their own', () => {
  const { diagnostics } = validate('{"name": "", "supportedInterfaces": []}', { as: 'a2a' })
  const toldAt = (at: string) => diagnostics.find(({ source }) => source?.pointer === at)?.detail
  expect(toldAt('/supportedInterfaces')).toContain('an array with an item at least')
  expect(toldAt('/name')).toContain('a string that is not empty')
})

describe.each([
  ['mcp-server', server],
  ['ai-catalog', catalog],
  ['claude-settings', settings],
] as const)('the rules of %s', (as, { explained }) => {
  test.each(explained())('$code $id: the bad example breaks it, the good one does not', ({ id, bad, good }) => {
    const broken = (text: string) => validate(text, { as }).diagnostics.map(({ rule }) => rule)
    expect([broken(bad).includes(id), broken(good).includes(id)]).toEqual([true, false])
  })
})

const FINDINGS = { adl, card, a2a, wellknown, invite, trace } as const

describe('rule names that a caller passes', () => {
  const off = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'off' as const]))

  test.each(Object.entries(FINDINGS))(
    '%s: accepts every rule of its verbs, and refuses those of other kinds',
    (kind, own) => {
      const specification = CHECKED.find((one) => one.kind === kind)!
      const names = own.explained().flatMap(({ id, code }) => [id, code])
      expect(() => validateAs(specification, '{}', { rules: off(names) })).not.toThrow()
      const other = kind === 'card' ? 'ADL-4002' : 'CARD-110'
      expect(() => validateAs(specification, '{}', { rules: off([other]) })).toThrow(RangeError)
    },
  )
})
