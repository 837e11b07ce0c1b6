// Rules of agent.yaml, prompts, skills and ux.yaml, each with the example that its finding explains.
import { describe, expect, test } from 'vitest'
import { explained } from '../../bindings/agentlang/findings.ts'
import { validate } from '../../bindings/verbs.ts'
import { processorTime } from '../support/effort.ts'
import { filesIn, filesOf, RESEARCH_ASSISTANT } from './files.ts'

/** The codes of a report, except notes. */
const codesOf = (source: Parameters<typeof validate>[0], options = {}) =>
  validate(source, options)
    .diagnostics.filter(({ severity }) => severity !== 'info')
    .map(({ code }) => code)

const AGENT = 'name: scout\nversion: 1.0.0\n'

describe('the examples of the specification', () => {
  test('are one agent without findings in its folder [agentlang/agent-1] [agentlang/agent-2] [agentlang/prompt-1] [agentlang/mcp-1] [agentlang/http-1] [agentlang/bash-1] [agentlang/context-1] [agentlang/constraints-1] [agentlang/ui-1] [agentlang/ux-1]', () => {
    const report = validate(filesIn(RESEARCH_ASSISTANT))
    expect([report.kind, report.valid, report.diagnostics]).toEqual(['agentlang', true, []])
  })

  test('the first one has the key tools twice, which is an error', () => {
    expect(codesOf(`${AGENT}tools:\n  - name: a\ntools:\n  - name: a\n  - name: b\n`, { file: 'agent.yaml' })).toEqual([
      'DOC-107',
    ])
  })

  test('a sub-agent needs no version [agentlang/crew-1]', () => {
    const files = filesIn(RESEARCH_ASSISTANT)
    const source = files.get('specialists/academic-researcher.yaml')!
    expect(codesOf(source, { as: 'agentlang', file: 'academic-researcher.yaml' })).toEqual([])
    expect(codesOf(source, { as: 'agentlang', file: 'agent.yaml' })).toEqual(['AL-110'])
  })
})

describe('the names of tools and servers', () => {
  test.each(['\u001b', '\n', '\t', '\u0085', '\u202e', '\u200b', '\u2028'])('with %j are errors', (character) => {
    const name = JSON.stringify(`a${character}b`)
    const maps = [
      `http_tools: { ${name}: { endpoint: "https://a.example/" } }`,
      `bash_tools: { ${name}: { command: ls } }`,
      `mcp_servers: { ${name}: { url: "https://a.example/" } }`,
    ]
    for (const map of maps) expect(codesOf(`${AGENT}${map}\n`, { file: 'agent.yaml' })).toContain('AL-106')
  })
})

describe('many skills', () => {
  const folder = (n: number, kind: string) => {
    const named = Array.from({ length: n }, (_, i) => `  - { name: ${kind === 'missing' ? 'm' : 's'}${i} }`)
    const files: Record<string, string> = { 'agent.yaml': `${AGENT}skills:\n${named.join('\n')}\n` }
    const allowed = kind === 'limited' ? 'allowed-tools: a b c\n' : ''
    for (let i = 0; i < n; i++)
      files[`skills/s${i}/SKILL.md`] = `---\nname: s${i}\ndescription: Does it.\n${allowed}---\nText\n`
    return filesOf(files)
  }
  test.each(['used', 'missing', 'limited'])('that are %s are checked in linear time', (kind) => {
    const costOf = (n: number) => {
      const files = folder(n, kind)
      const before = processorTime()
      validate(files)
      return processorTime() - before
    }
    costOf(200)
    const few = Math.max(costOf(500), 20)
    expect(costOf(4000)).toBeLessThan(20 * few)
  })
})

describe('a document by itself', () => {
  const rows = explained().filter(({ bad, good }) => [bad, good].every((text) => text.startsWith('{')))

  test.each(rows.map((row) => [row.code, row] as const))(
    '%s: its bad example has only this finding, its good one none',
    (code, row) => {
      const as = /^AL-14/.test(code) ? 'skill' : /^AL-13/.test(code) ? 'prompt' : 'agentlang'
      const file = as === 'skill' ? 'SKILL.md' : 'agent.yaml'
      const source = (text: string) => (as === 'skill' ? `---\n${text}\n---\n` : text)
      const options = { as, file } as const
      expect(new Set(codesOf(source(row.bad), options))).toEqual(new Set([code]))
      expect(codesOf(source(row.good), options)).toEqual([])
    },
  )

  test.each([
    ['version: 1.0', 'AL-103', 'put it in quotes: "1.0.0"'],
    ['title: {{title}}', 'DOC-194', 'put the template in quotes: "{{...}}"'],
    ['titel: Scout', 'AL-108', "did you mean 'title'?"],
    ['limits: {max_turns: 5}', 'AL-128', 'write it as constraints.limits'],
    ['constraints: {max_cost: 2}', 'AL-128', 'write it as constraints.budget.max_cost_usd'],
    ['tools:\n  - nmae: a', 'AL-102', "rename 'nmae' to 'name'"],
  ])('%s: %s, and the fix says %s', (line, code, hint) => {
    const text = line.startsWith('version') ? `name: scout\n${line}\n` : `${AGENT}${line}\n`
    const [found] = validate(text, { file: 'agent.yaml' }).diagnostics
    expect([found?.code, found?.fix?.hint]).toEqual([code, hint])
  })

  test.each([
    ['asks for an unknown capability', 'permissions: {required: [netwrok]}', 'AL-151'],
    ['sets a capability that it does not ask for', 'permissions: {camera: {mode: on_demand}}', 'AL-153'],
    [
      'has a schedule that never comes',
      'permissions: {required: [background], background: {mode: scheduled, wake_triggers: [{schedule: "0 0 31 2 *"}]}}',
      'AL-158',
    ],
    ['speaks an unknown protocol', 'protocols: [{name: mpc}]', 'AL-159'],
    ['has a range that is not one', 'tools: [{name: a, version: latest!}]', 'AL-182'],
    [
      'has an unclosed template',
      'ui_components: {a: {sync_actions: {b: {tool: "system://x", params: {c: "{{d"}}}}}',
      'AL-220',
    ],
    ['has a command that needs a shell', 'bash_tools: {a: {command: "ls | wc"}}', 'AL-222'],
    ['has a cap without prices', 'constraints: {budget: {max_cost_usd: 1}}', 'AL-230'],
  ])('an agent that %s has one finding: %s', (_, line, code) => {
    expect(codesOf(`${AGENT}${line}\n`, { file: 'agent.yaml' })).toEqual([code])
  })

  test.each([
    ['models: {m: {options: {temperature: hot}}}', 'AL-103 /models/m/options/temperature'],
    ['models: {m: {options: {max_tokens: 1.5}}}', 'AL-103 /models/m/options/max_tokens'],
    ['models: {m: {options: {max_tokens: 0}}}', 'AL-107 /models/m/options/max_tokens'],
    ['tools: [{name: a, input_schema: {type: text}}]', 'AL-126 /tools/0/input_schema/type'],
    [
      'tools: [{name: a, output_schema: {properties: {b: {pattern: "("}}}}]',
      'AL-126 /tools/0/output_schema/properties/b/pattern',
    ],
    ['bash_tools: {a: {command: ls, output_schema: {required: b}}}', 'AL-126 /bash_tools/a/output_schema/required'],
    ['http_tools: {a: {endpoint: /b, output_schema: {minimum: "1"}}}', 'AL-126 /http_tools/a/output_schema/minimum'],
    ['ui_components: {card: {props: {type: text}}}', 'AL-126 /ui_components/card/props/type'],
    ['tools: [{name: delegate, config: {mode: guess}}]', 'AL-105 /tools/0/config/mode'],
    ['tools: [{name: delegate, config: {discovery: everywhere}}]', 'AL-105 /tools/0/config/discovery'],
    ['tools: [{name: delegate, config: {max_depth: -1}}]', 'AL-107 /tools/0/config/max_depth'],
    ['tools: [{name: delegate, config: {max_depth: "3"}}]', 'AL-103 /tools/0/config/max_depth'],
    ['tools: [{name: delegate, config: {maxdepth: 3}}]', 'AL-108 /tools/0/config/maxdepth'],
    [
      'tools: [{name: sqlite, config: {tables: {t: {columns: {id: {type: number}}}}}}]',
      'AL-231 /tools/0/config/tables/t/columns/id',
    ],
    [
      'tools: [{name: storage, config: {schema: {tables: {t: {columns: {id: {type: text, required: "yes"}}}}}}}]',
      'AL-231 /tools/0/config/schema/tables/t/columns/id',
    ],
    ['http_tools: {a: {endpoint: /b, method: FETCH}}', 'AL-106 /http_tools/a/method'],
    ['http_tools: {a: {endpoint: "ftp://a.example/"}}', 'AL-232 /http_tools/a/endpoint'],
    ['http_tools: {a: {endpoint: "/b/{id}"}}', 'AL-232 /http_tools/a/endpoint'],
    ['http_tools: {a: {endpoint: "/../b"}}', 'AL-232 /http_tools/a/endpoint'],
    ['constraints: {budget: {tolerance: 20}}', 'AL-107 /constraints/budget/tolerance'],
    ...['/etc', '../other', 'a/..', 'C:/data', '~/notes', 'a\\b'].map((path) => [
      `constraints: {sandbox: {allowed_paths: ['${path}']}}`,
      'AL-106 /constraints/sandbox/allowed_paths/0',
    ]),
    ...[
      'api.example.com',
      'https://*',
      'https://a.*.example',
      'ftp://a.example',
      'https://a.example/?b',
      'https://u@a.example',
    ].map((url) => [
      `constraints: {sandbox: {allowed_urls: ['${url}']}}`,
      'AL-106 /constraints/sandbox/allowed_urls/0',
    ]),
    ['ui_components: {a: {agent_actions: {b: {tool: "system://c"}}}}', 'AL-223 /ui_components/a/agent_actions/b/tool'],
    ['ui_components: {a: {agent_actions: [1]}}', 'AL-103 /ui_components/a/agent_actions/0'],
    ['ui_components: {a: {agent_actions: {b: {params: 1}}}}', 'AL-103 /ui_components/a/agent_actions/b/params'],
    ['permissions: {required: [network, network]}', 'AL-127 /permissions/required/1'],
    ['skills: [{name: a}, {name: a}]', 'AL-127 /skills/1/name'],
    ['protocols: [{name: a2a, version: ^1.0.0}, {name: a2a, version: ^2.0.0}]', 'AL-127 /protocols/1/name'],
    ['context: {inject: [time, time]}', 'AL-127 /context/inject/1'],
    ['mcp_servers: {a: {url: "https://a.example/", tools: [b, b]}}', 'AL-127 /mcp_servers/a/tools/1'],
  ])('%s has one finding: %s', (line, expected) => {
    const { diagnostics } = validate(`${AGENT}${line}\n`, { file: 'agent.yaml' })
    expect(diagnostics.map(({ code, source }) => `${code} ${source.pointer}`)).toEqual([expected])
  })

  test.each([
    'models: {m: {options: {temperature: 0, max_tokens: 1, other: [1]}}}',
    'tools: [{name: a, input_schema: {$ref: "https://a.example/schema"}, output_schema: true}]',
    'tools: [{name: delegate, config: {mode: dynamic, discovery: directory, max_depth: 0}}]',
    'tools: [{name: other, config: {max_depth: -1}}]',
    'http_tools: {a: {endpoint: "https://a.example/{id}", method: post, params: {id: {type: string}}}}',
    'constraints: {budget: {tolerance: 1}, sandbox: {allowed_paths: [., ./a, a..b], allowed_urls: ["http://[::1]:80/a"]}}',
    'ui_components: {a: {agent_actions: [b, c]}}',
  ])('%s has no finding', (line) => {
    expect(codesOf(`${AGENT}${line}\n`, { file: 'agent.yaml' })).toEqual([])
  })

  test('a custom protocol may be published separately, which is a note', () => {
    const text = `${AGENT}protocols: [{name: custom/acme-sync, version: ^1.0.0}]\n`
    const { valid, diagnostics } = validate(text, { file: 'agent.yaml' })
    expect([valid, diagnostics.map(({ code, severity }) => [code, severity])]).toEqual([true, [['AL-160', 'info']]])
  })

  test('a skill whose front matter has no end is an error', () => {
    const text = '---\nname: a\ndescription: Does it.\n'
    const file = 'skills/a/SKILL.md'
    expect([text, `${text}---`, `${text}---\nDo it.\n`].map((one) => codesOf(one, { file }))).toEqual([
      ['AL-144'],
      [],
      [],
    ])
  })

  test('keys that begin with x- are free [agentlang/agent-3]', () => {
    expect(codesOf(`${AGENT}x-team: {any: [1]}\n`, { file: 'agent.yaml' })).toEqual([])
  })

  test('an agent is known by its name agent.yaml, a prompt, a skill and ux.yaml by theirs', () => {
    for (const [file, kind, text] of [
      ['agent.yaml', 'agentlang', 'name: scout'],
      ['a/prompt.yaml', 'prompt', 'version: 2'],
      ['writer-prompt.yaml', 'prompt', 'version: 2'],
      ['skills/a/SKILL.md', 'skill', '---\nname: a\n---\n'],
      ['ux.yaml', 'ux', 'suggestions: []'],
    ] as const)
      expect(validate(text, { file }).kind).toBe(kind)
  })
})

describe('a launcher that fetches what nobody pinned', () => {
  test.each([
    ['npx', ['-y', '@stripe/mcp', '--tools=all'], ['@stripe/mcp']],
    ['npx', ['-y', 'a@latest', 'a@1.0.0'], ['a@latest']],
    ['npx', ['-y', 'a@1.0.0', 'a@latest'], []],
    ['npx', ['-y', '@a/b@1'], ['@a/b@1']],
    ['npx', ['--package=a@1.0.0', '-p', 'b', 'run'], ['b']],
    ['npx', ['--registry', 'https://r.example', 'a'], ['a']],
    ['npx.cmd', ['-y', 'a'], ['a']],
    ['NPX.BAT', ['-y', 'a'], ['a']],
    ['C:\\Program Files\\nodejs\\npx.cmd', ['-y', 'a'], ['a']],
    ['/opt/my tools/npx', ['a'], ['a']],
    ['/opt/my tools/server', ['a'], []],
    ['cmd', ['/c', 'npx', '-y', 'a'], ['a']],
    ['env', ['A=1', 'npx', 'a'], ['a']],
    ['sh', ['-c', 'npx -y a'], ['a']],
    ['npx ./server', [], []],
    ['npm', ['exec', '--', 'a'], ['a']],
    ['pnpm', ['dlx', 'a@2.0.0-beta.1'], []],
    ['bunx', ['a@^1.0.0'], ['a@^1.0.0']],
    ['uvx', ['a'], ['a']],
    ['uvx', ['a==1.2.3'], []],
    ['uvx', ['--from', 'a@1.2.3', 'cmd'], []],
    ['uv', ['tool', 'run', 'a@latest'], ['a@latest']],
    ['pipx', ['run', '--spec', 'a==1.0', 'cmd'], []],
    ['docker', ['run', '-i', '--rm', '-e', 'KEY', 'acme/mail:1.0'], ['acme/mail:1.0']],
    ['docker', ['run', '-i', `acme/mail@sha256:${'a'.repeat(64)}`], []],
    ['node', ['server.js'], []],
    ['mail-server', [], []],
  ])('%s %j: %j', (command, args, expected) => {
    const source = { name: 'scout', version: '1.0.0', mcp_servers: { s: { command, args } } }
    const found = validate(source, { as: 'agentlang' }).diagnostics
    expect(found.map(({ code }) => code)).toEqual(expected.map(() => 'AL-113'))
    for (const [i, name] of expected.entries()) expect(found[i]?.detail).toContain(`'${name}'`)
  })
})

describe('a folder [agentlang/crew-2] [agentlang/skill-1] [agentlang/skill-2] [agentlang/cli-1]', () => {
  const base = { 'agent.yaml': AGENT }
  const skill = (name: string, tools = '') => `---\nname: ${name}\ndescription: Tests\n${tools}---\n`
  const chooser = `${AGENT}tools: [{name: delegate}]\n`
  const sub = (name: string, more = '') => `name: ${name}\ndescription: Works\n${more}`

  test.each<[string, Record<string, string>, string[]]>([
    ['has only agent.yaml', base, []],
    [
      'has a skill that agent.yaml names',
      { 'agent.yaml': `${AGENT}skills: [{name: a}]`, 'skills/a/SKILL.md': skill('a') },
      [],
    ],
    ['lacks that skill', { 'agent.yaml': `${AGENT}skills: [{name: a}]` }, ['agent.yaml AL-117']],
    [
      'has the skill in a folder of another name',
      { ...base, 'skills/b/SKILL.md': skill('a') },
      ['skills/b/SKILL.md AL-140'],
    ],
    [
      'has a skill with a capital letter, which is one fault',
      { ...base, 'skills/b/SKILL.md': skill('B') },
      ['skills/b/SKILL.md AL-140'],
    ],
    [
      'has a static sequence',
      { 'agent.yaml': `${AGENT}delegate: {mode: static, agents: [{path: ./w.yaml}]}`, 'w.yaml': sub('w') },
      [],
    ],
    [
      'lacks an agent of it',
      { 'agent.yaml': `${AGENT}delegate: {mode: static, agents: [{path: ./w.yaml}]}` },
      ['agent.yaml AL-118'],
    ],
    [
      'names one outside of it',
      { 'agent.yaml': `${AGENT}delegate: {mode: static, agents: [{path: ../w.yaml}]}` },
      ['agent.yaml AL-118'],
    ],
    [
      'has two sub-agents of one name',
      { 'agent.yaml': chooser, 'w.yaml': sub('w'), 'specialists/w.yaml': sub('w') },
      ['w.yaml AL-119'],
    ],
    ['has a sub-agent without description', { 'agent.yaml': chooser, 'w.yaml': 'name: w\n' }, ['w.yaml AL-120']],
    [
      'has a looser sub-agent',
      {
        'agent.yaml': `${chooser}constraints: {limits: {timeout: 300}}`,
        'w.yaml': sub('w', 'constraints: {limits: {timeout: 600}}'),
      },
      ['w.yaml AL-121'],
    ],
    [
      'has an equal sub-agent',
      {
        'agent.yaml': `${chooser}constraints: {limits: {timeout: 300}}`,
        'w.yaml': sub('w', 'constraints: {limits: {timeout: 300}}'),
      },
      [],
    ],
    ['has a name that Windows reserves', { ...base, 'context/CON.txt': '' }, ['agent.yaml AL-122']],
    ['has two names that only differ in case', { ...base, 'context/a': '', 'context/A': '' }, ['agent.yaml AL-122']],
    [
      'has a skill with a tool that the agent lacks',
      { ...base, 'skills/a/SKILL.md': skill('a', 'allowed-tools: [sqlite]\n') },
      ['skills/a/SKILL.md AL-142'],
    ],
    [
      'has skills that leave no tool',
      {
        'agent.yaml': `${AGENT}tools: [{name: t}]\nskills: [{name: a}]`,
        'skills/a/SKILL.md': skill('a', 'allowed-tools: []\n'),
      },
      ['agent.yaml AL-143'],
    ],
    ['has hints for a tool that the agent lacks', { ...base, 'ux.yaml': 'tools: {gmail: {}}' }, ['ux.yaml AL-145']],
    [
      'has a wrong lockfile',
      { ...base, 'agent.lock': 'version: "2"\nresolved_at: "2026-01-01T00:00:00Z"\nfiles: {}' },
      ['agent.lock AL-173'],
    ],
    [
      'has a wrong prompt',
      { ...base, 'prompt.yaml': 'version: 1\nsections: [{name: a, content: x}]' },
      ['prompt.yaml AL-130'],
    ],
    ['has a prompt that cannot be read', { ...base, 'prompt.yaml': 'version: [' }, ['prompt.yaml DOC-190']],
  ])('that %s: %j -> %j', (_, texts, expected) => {
    const report = validate(filesOf(texts), { file: '.' })
    const found = report.diagnostics.filter(({ severity }) => severity !== 'info')
    expect(found.map(({ code, source }) => `${source.file} ${code}`)).toEqual(expected)
  })

  test('with other files names them as left out', () => {
    const { diagnostics } = validate(filesOf({ ...base, 'notes.txt': 'x', 'b.yaml': 'a: 1' }), { file: 'my-agent' })
    expect(diagnostics.map(({ code, source, detail }) => [code, source.file, detail])).toEqual([
      ['AL-124', 'my-agent/agent.yaml', "Not part of the agent: 'b.yaml', 'notes.txt'"],
    ])
  })

  test('with line ends of Windows names the files, except those that are no text', () => {
    const files = { 'agent.yaml': `${AGENT}description: A.\r\n`, 'context/a.md': 'a\r\nb\r\n', 'context/b.bin': '\r\n' }
    const { diagnostics } = validate(filesOf({ ...base, ...files }), { file: 'my-agent' })
    expect(diagnostics.map(({ code, detail }) => [code, detail])).toEqual([
      ['AL-129', "Lines end with CR and LF: 'context/a.md'"],
    ])
  })

  test('without agent.yaml is refused', () => {
    expect(codesOf(filesOf({ 'prompt.yaml': 'version: 2' }))).toEqual(['DOC-119'])
  })

  test('of 10,000 sub-agents, or with a loop of them, is bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`s${i}.yaml`, sub(`s${i}`)]))
    expect(codesOf(filesOf({ ...many, 'agent.yaml': chooser }))).toEqual(['AL-123', 'AL-123'])
    const loop = (next: string) => sub(next, `delegate: {agents: [{path: ./${next}.yaml}]}\n`)
    const texts = {
      'agent.yaml': `${AGENT}delegate: {agents: [{path: ./a.yaml}]}`,
      'a.yaml': loop('b'),
      'b.yaml': loop('a'),
    }
    expect(codesOf(filesOf(texts))).toEqual([])
  })
})
