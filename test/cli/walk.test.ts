// What `validate FOLDER` finds: every kind, by name or by the beginning of the file, and nothing that .gitignore names.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fits } from '../../bindings/frame/detect.ts'
import type { KindRow } from '../../bindings/kinds.ts'
import { KINDS } from '../../bindings/tables/kinds.ts'
import { processHost } from '../../cli/host.ts'
import { glanceAtRoot } from '../../cli/walk/glance.ts'
import { walkFolder } from '../../cli/walk/walk.ts'
import { processorTime } from '../support/effort.ts'
import { blazon } from './terminal.ts'

const bytes = (text: string) => Buffer.from(text)
const DEFINITION =
  '{"adl_spec": "0.1.0", "name": "Scout", "description": "Finds papers.", "version": "1.0.0", "data_classification": {"sensitivity": "public"}}'
const BROKEN_CARD = '{"name": "Scout", "skills": [], "supportedInterfaces": 7'

/** The files that `validate` reads, in order, with their kinds. */
async function found(files: Readonly<Record<string, string>>, ...argv: string[]) {
  const { stdout } = await blazon(['validate', ...(argv.length > 0 ? argv : ['.']), '--format', 'json'], { files })
  const { results } = JSON.parse(stdout) as { results: { file: string; kind: string | null }[] }
  return results.map(({ file, kind }) => [file, kind])
}

describe('a repository', () => {
  test('fails for a broken A2A card next to a good definition, and counts both', async () => {
    const files = { 'a.adl.json': DEFINITION, '.well-known/agent-card.json': '{"name": "Scout"}' }
    const { code, stderr } = await blazon(['validate', '.'], { files })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^\.well-known\/agent-card\.json:1:1 error CARD-180/m)
    expect(stderr).toContain('1 of 2 documents are valid')
    expect(stderr).toContain('found 1 A2A card, 1 agent definition\n')
  })

  test('a document that cannot be parsed is found by what its beginning shows', async () => {
    expect(await found({ 'cards/x.json': BROKEN_CARD, 'y.json': '{"name": "y"' })).toEqual([['cards/x.json', null]])
  })

  test('every kind is found, also in hidden folders', async () => {
    const files = {
      '.claude/settings.json': '{}',
      '.claude/skills/sum/SKILL.md': '---\nname: sum\ndescription: Sums.\n---\n',
      '.codex/config.toml': 'model = "x"\n',
      '.github/agents/a.json': DEFINITION,
      '.mcp.json': '{"a": {"command": "x"}}',
      '.well-known/ai-catalog.json': '{"specVersion": "1.0", "entries": []}',
      'AGENTS.md': '',
      'agent/agent.yaml': 'name: x\nversion: 1.0.0\nmodels: []\n',
      'agent/prompt.yaml': 'sections: []\n',
      'agent/skills/z/SKILL.md': '---\nname: z\n---\n',
      'b.yml': 'adl_spec: 0.1.0\n',
      'c.json': '{"id": "agent:x", "name": "c"}',
      'd.json': '{"run_id": "1", "version": "ADP-1"}',
      'e.json': '{"protocol": "ADP/1.1", "identity": {}}',
      'f.ndjson': '{"run":{},"run_id":"1","seq":0,"type":"run_started"}\n',
      'g/agent.lock': 'resolved_at: now\n',
      'g/my-prompt.yaml': 'version: 2\nsections:\n  - name: x\n',
      'g/server.json': '{"name": "com.example/x", "packages": []}',
      'g/x.json': '{"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"}',
      'g0/agent-card.json': '{}',
      'h.agent': 'PK',
      'i.json': '{"adl_discovery": "1.0", "agents": []}',
      'j.events.json': '{"events": []}',
      'k.json': '{"trace": "blazon/1"}',
      'l.json': '{"version": "pvs-1"}',
      'm.json': '{"protocol": "ADP/1.1", "invite": {}}',
    }
    const all = await found(files)
    const owned = ['agent/prompt.yaml', 'agent/skills/z/SKILL.md']
    expect(all.map(([file]) => file)).toEqual(Object.keys(files).filter((name) => !owned.includes(name)))
    const kinds = new Set(all.map(([, kind]) => kind))
    // Interface hints have a meaning in the folder of an agent only.
    const missing = KINDS.map(({ kind }) => kind).filter((kind) => !kinds.has(kind) && kind !== 'ux')
    expect(missing).toEqual([])
  })

  test('other JSON and YAML files are not documents', async () => {
    const files = {
      'a.adl.json': DEFINITION,
      'package.json': '{"name": "x", "version": "1.0.0", "tools": {}, "skills": []}',
      'package-lock.json': '{"name": "x", "version": "1.0.0", "packages": {"": {}}}',
      'agent.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n  version: y\n',
      'git/agent.yaml': 'spec_version: "0.1.0"\nname: x\nversion: 1.0.0\n',
      'list.json': '[{"adl_spec": "0.1.0"}]',
      'deep.json': '{"x": {"adl_spec": "0.1.0"}, "y": "adl_spec"}',
      'data.ndjson': '{"type": "x"}\n',
      'prompt.yaml': 'name: x\n',
    }
    expect(await found(files)).toEqual([['a.adl.json', 'adl']])
  })

  test('.gitignore, packages and caches are left out, and named with the reason', async () => {
    const files = {
      '.git/x.adl.json': DEFINITION,
      '.gitignore': 'build/\n*.tmp.json\n!keep.tmp.json\n',
      'a.adl.json': DEFINITION,
      'a.tmp.json': DEFINITION,
      'build/b.adl.json': DEFINITION,
      'in/.gitignore': '/x.adl.json\n!build/\n',
      'in/build/x.adl.json': DEFINITION,
      'in/x.adl.json': DEFINITION,
      'keep.tmp.json': DEFINITION,
      'node_modules/n/x.adl.json': DEFINITION,
    }
    const { stderr } = await blazon(['validate', '.', '--format', 'json:report.json'], { files })
    const left =
      'left out (.gitignore): a.tmp.json, build/, in/x.adl.json\nleft out (packages and caches): node_modules/\n'
    expect(stderr).toContain(left)
    expect((await found(files)).map(([file]) => file)).toEqual(['a.adl.json', 'in/build/x.adl.json', 'keep.tmp.json'])
    expect((await found(files, 'build')).map(([file]) => file)).toEqual(['build/b.adl.json'])
  })

  test('a folder without a document says so', async () => {
    const { code, stderr } = await blazon(['validate', 'x'], { files: { 'x/package.json': '{}' } })
    expect(code).toBe(3)
    expect(stderr).toContain('cannot read x: the folder has no document that Blazon can check')
  })
})

describe('the beginning of a file', () => {
  test.each([
    [
      '{"a": "x", "b": {"c": "d"}, "e": [1, {"f": 1}, {"g": 2}], "h": 1, "i": null, "j": "\\"k\\""}',
      '{"a":"x","b":{},"e":[{"f":null,"g":null}],"h":null,"i":null,"j":"\\\\\\"k\\\\\\""}',
    ],
    ['\uFEFF// x {"z": 1}\n{"a": "x", /* "y": 1 */ "b"', '{"a":"x"}'],
    ['{"a": "unclosed\n "b": 1}', '{"a":"unclosed","b":null}'],
    ['{"__proto__": "x"}', '{"__proto__":"x"}'],
    ['adl_spec: 0.1.0\nid: "agent:x"\nentries:\n  - a\n', '{"adl_spec":"0.1.0","id":"agent:x","entries":[]}'],
  ])('%j shows %s', (text, root) => {
    expect(JSON.stringify(glanceAtRoot(bytes(text)))).toBe(root)
  })

  test('of a hostile file is read in linear time', () => {
    for (const part of ['"\\"', '/*', '{"a":', '[', '"', '\\', '// ', 'a:\n']) {
      const begin = processorTime()
      glanceAtRoot(bytes(`{${part.repeat(16_000)}`))
      expect(processorTime() - begin).toBeLessThan(5000)
    }
  })

  test('shows the marks of each kind that its published example has', () => {
    // Members of members are not looked at: such kinds have a file name.
    for (const { tells } of KINDS as readonly KindRow[])
      for (const tell of tells.filter(({ any }) => any === undefined)) {
        const members = Object.fromEntries([
          ...(tell.has ?? []).map((name) => [name, 'x']),
          ...Object.entries(tell.starts ?? {}),
          ...Object.entries(tell.is ?? {}).map(([name, type]) => [
            name,
            type === 'array' ? [] : type === 'object' ? {} : 'x',
          ]),
          ...(tell.each === undefined ? [] : [[tell.each[0], [{ [tell.each[1]]: 1 }]]]),
        ])
        expect(fits([tell], glanceAtRoot(bytes(JSON.stringify(members))) as object as never)).toBe(true)
      }
  })
})

describe('a folder on disk', () => {
  const inFolder = async (files: Readonly<Record<string, string>>, look: (root: string) => Promise<void>) => {
    const root = mkdtempSync(join(tmpdir(), 'blazon-walk-'))
    try {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, name)), { recursive: true })
        writeFileSync(join(root, name), text)
      }
      await look(root)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  }
  const { list, isWithin, open, stamp } = processHost(new URL(import.meta.url))
  const walk = async (cwd: string, folder = '.') => {
    const host = { cwd, list, isWithin, open, stamp }
    return (await walkFolder(folder, 'every kind', host)).map(
      ({ name, problem = '' }) => `${name}${problem && ': '}${problem}`,
    )
  }

  test('with links in circles, to other folders and to files elsewhere is read once', () =>
    inFolder({ 'a/x.adl.json': '{}', 'out/secret.json': '{"adl_spec": 1}' }, async (root) => {
      symlinkSync('..', join(root, 'a/circle'))
      symlinkSync('self', join(root, 'a/self'))
      symlinkSync('../out', join(root, 'a/folder'))
      symlinkSync('../out/secret.json', join(root, 'a/secret.json'))
      symlinkSync('../out/secret.json', join(root, 'a/y.adl.json'))
      symlinkSync('x.adl.json', join(root, 'a/z.adl.json'))
      symlinkSync('nowhere', join(root, 'a/zz.adl.json'))
      const why = 'it is a link to nothing or to a place outside a; name the target itself to read it'
      expect(await walk(root, 'a')).toEqual([
        'a/x.adl.json',
        `a/y.adl.json: ${why}`,
        'a/z.adl.json',
        `a/zz.adl.json: ${why}`,
      ])
    }))

  test('takes the rules of folders above it, up to the root of the repository', () =>
    inFolder(
      {
        '.gitignore': 'x.adl.json',
        'r/.git/HEAD': '',
        'r/.gitignore': '/in/a/y.adl.json\nz.*\n',
        'r/in/.gitignore': '!z.adl.json',
      },
      async (root) => {
        for (const name of ['x', 'y', 'z', 'z.b']) {
          mkdirSync(join(root, 'r/in/a'), { recursive: true })
          writeFileSync(join(root, `r/in/a/${name}.adl.json`), '{}')
        }
        expect(await walk(join(root, 'r/in'), 'a')).toEqual(['a/x.adl.json', 'a/z.adl.json'])
        expect(await walk(join(root, 'r'))).toEqual(['in/a/x.adl.json', 'in/a/z.adl.json'])
      },
    ))

  test('with a large file reads its beginning, and with deep folders ends', () =>
    inFolder({ 'large.json': `{"adl_spec": "0.1.0", "x": "${'x'.repeat(1 << 22)}"}` }, async (root) => {
      let deep = root
      for (let i = 0; i < 300; i++) {
        deep = join(deep, 'd')
        mkdirSync(deep)
      }
      writeFileSync(join(deep, 'x.adl.json'), '{}')
      expect(await walk(root)).toEqual([`${'d/'.repeat(300)}x.adl.json`, 'large.json'])
    }))
})
