import { describe, expect, test } from 'vitest'
import { negotiate, wholeAsk } from '../../bindings/agentlang/ask/ask.ts'
import { explained } from '../../bindings/agentlang/ask/findings.ts'
import {
  CAPABILITIES,
  CATEGORIES,
  HOSTS,
  type Host,
  MODES,
  type Mode,
  parseSchedule,
  permissionFaults,
  readHost,
} from '../../bindings/agentlang/ask/host.ts'
import { processorTime } from '../support/effort.ts'
import { random } from '../support/random.ts'

const preset = (name: string): Host => HOSTS.find((host) => host.name === name)!
const hostWith = (capabilities: object, more: object = {}): Host =>
  readHost({ name: 'test', capabilities, ...more }).host!
const askOf = (value: unknown, ...others: unknown[]) =>
  wholeAsk([{ path: 'agent.yaml', value }, ...others.map((other, i) => ({ path: `sub-${i}.yaml`, value: other }))])
const outcome = (value: unknown, host: Host) => negotiate(askOf(value), host)
const codesOf = (agent: unknown) => permissionFaults(agent).map(({ rule, pointer }) => `${rule.code} ${pointer}`)

/** The examples of the specification, Capability Declaration and Autonomous Operations. */
const DECLARED = {
  permissions: {
    required: ['network', 'storage'],
    optional: ['microphone', 'camera', 'screen_capture', 'filesystem', 'notifications', 'background', 'location'],
    microphone: { mode: 'on_demand', reason: 'Voice commands and meeting transcription' },
    camera: { mode: 'on_demand', reason: 'Security monitoring when requested' },
    background: { mode: 'scheduled', reason: 'Hourly inbox check' },
  },
}
const AUTONOMOUS = {
  permissions: {
    required: ['camera', 'background', 'notifications'],
    camera: { mode: 'scheduled', reason: 'Periodic security snapshots', schedule: '0 * * * *' },
    background: { mode: 'scheduled', wake_triggers: [{ schedule: '0 * * * *' }], max_runtime: 60 },
    notifications: { mode: 'on_demand', channels: ['push', 'email'] },
  },
}
const changed = (capability: string, settings: object) => ({
  permissions: { ...AUTONOMOUS.permissions, [capability]: settings },
})

test('there are 17 capabilities in five categories, with their risks [agentlang/permissions-1]', () => {
  expect(CAPABILITIES.length).toBe(17)
  expect(CATEGORIES.map(({ risk }) => risk)).toEqual(['low', 'medium', 'high', 'high', 'critical'])
})

describe('what an agent asks for', () => {
  const asked = (value: unknown) => askOf(value).capabilities.map(({ capability, mode }) => `${capability} ${mode}`)

  test('is what it declares, on demand unless it says otherwise', () => {
    expect(asked(DECLARED).slice(0, 3)).toEqual(['network on_demand', 'storage on_demand', 'microphone on_demand'])
    expect(asked({ permissions: { required: ['background'] } })).toEqual(['background continuous'])
  })

  test.each([
    [{ bash_tools: { convert: { command: 'ffmpeg' } } }, 'shell', '/bash_tools'],
    [{ mcp_servers: { Stripe: { command: 'npx' } } }, 'shell', '/mcp_servers'],
    [{ mcp_servers: { Stripe: { url: 'https://mcp.example' } } }, 'network', '/mcp_servers'],
    [{ http_tools: { post: { endpoint: '/api' } } }, 'network', '/http_tools'],
    [{ tools: [{ name: 'artifacts' }, { name: 'web_search' }] }, 'network', '/tools/1'],
  ])('includes what its parts need: %j [agentlang/permissions-2]', (value, capability, pointer) => {
    expect(askOf(value).capabilities).toMatchObject([
      { capability, isRequired: false, sources: [{ path: 'agent.yaml', pointer }] },
    ])
  })

  test('includes oauth for a tool with a token', () => {
    const asked = (token: unknown) => askOf({ http_tools: { post: { twitter_token: token } } }).capabilities
    expect(asked(true).map(({ capability }) => capability)).toEqual(['network', 'oauth'])
    expect(asked('yes').map(({ capability }) => capability)).toEqual(['network'])
  })

  test('is that of all agents, with the highest mode and the lowest limit', () => {
    const agent = (mode: string, max_runtime: number) => ({
      permissions: { optional: ['camera'], camera: { mode, max_runtime } },
    })
    const child = { permissions: { required: ['camera'], camera: { mode: 'user_triggered', max_runtime: 0 } } }
    expect(askOf(agent('on_demand', 60), agent('continuous', 30), child).capabilities).toMatchObject([
      {
        capability: 'camera',
        mode: 'continuous',
        isRequired: true,
        max_runtime: 30,
        sources: [
          { path: 'agent.yaml', pointer: '/permissions/optional/0' },
          { path: 'sub-0.yaml', pointer: '/permissions/optional/0' },
          { path: 'sub-1.yaml', pointer: '/permissions/required/0' },
        ],
      },
    ])
  })

  test('keeps a scheduled capability apart from the same one on demand', () => {
    const child = { permissions: { optional: ['camera'] } }
    const modes = askOf(AUTONOMOUS, child).capabilities.filter(({ capability }) => capability === 'camera')
    expect(modes.map(({ mode }) => mode)).toEqual(['scheduled', 'on_demand'])
  })

  test('is asked in the lowest mode if the mode is unknown', () => {
    expect(asked({ permissions: { optional: ['camera'], camera: { mode: 'always' } } })).toEqual([
      'camera user_triggered',
    ])
    expect(asked(changed('background', { mode: 'on_demand' }))).toContain('background scheduled')
  })
})

describe('negotiating with a host', () => {
  test('a missing required capability stops the agent, and all are named [agentlang/permissions-3]', () => {
    const { starts, missingRequired, degraded } = outcome(AUTONOMOUS, preset('replit'))
    expect({ starts, missingRequired, degraded }).toEqual({
      starts: false,
      missingRequired: ['camera', 'background', 'notifications'],
      degraded: false,
    })
  })

  test('a missing optional capability degrades the agent [agentlang/permissions-4]', () => {
    const { starts, denied, degraded } = outcome(DECLARED, preset('replit'))
    expect({ starts, degraded }).toEqual({ starts: true, degraded: true })
    expect(denied.map(({ capability }) => capability)).toEqual([
      'microphone',
      'camera',
      'screen_capture',
      'notifications',
      'background',
      'location',
    ])
  })

  test('a host may grant user_triggered for on_demand [agentlang/permissions-5]', () => {
    const { granted } = outcome(DECLARED, preset('claude-desktop'))
    expect(granted.find(({ capability }) => capability === 'camera')).toMatchObject({
      mode: 'user_triggered',
      downgradedFrom: 'on_demand',
      reason: 'Security monitoring when requested',
    })
  })

  test('the desktop grants the autonomous agent everything [agentlang/permissions-6]', () => {
    const { starts, granted, degraded, risks } = outcome(AUTONOMOUS, preset('desktop'))
    expect({ starts, degraded }).toEqual({ starts: true, degraded: false })
    expect(granted).toMatchObject([
      { capability: 'camera', mode: 'scheduled' },
      { capability: 'background', mode: 'scheduled', max_runtime: 60 },
      { capability: 'notifications', mode: 'on_demand', channels: ['push', 'email'] },
    ])
    expect(risks).toEqual([
      { name: 'system', risk: 'high', capabilities: ['background', 'notifications'] },
      { name: 'sensors', risk: 'high', capabilities: ['camera'] },
    ])
  })

  test('a mobile host prompts the user', () => {
    expect(outcome(AUTONOMOUS, preset('mobile')).granted.every(({ isPrompted }) => isPrompted)).toBe(true)
    expect(outcome(AUTONOMOUS, preset('desktop')).granted.some(({ isPrompted }) => isPrompted)).toBe(false)
  })

  test('no host file grants a higher mode than the agent asks for', () => {
    const next = random(7)
    const ordered = MODES.slice(0, 3)
    for (let i = 0; i < 2000; i++) {
      const modes = MODES.filter(() => next() < 0.5)
      const mode = MODES[Math.floor(next() * 4)]!
      const { granted, denied } = outcome(
        { permissions: { required: ['camera'], camera: { mode } } },
        hostWith({ camera: modes }),
      )
      // The naive reading: the highest allowed mode up to the one asked for; a schedule needs the background.
      const best = ordered.filter((one, rank) => modes.includes(one) && rank <= ordered.indexOf(mode)).at(-1)
      expect(
        granted.map((one) => one.mode),
        `${modes}: ${mode}`,
      ).toEqual(mode === 'scheduled' || !best ? [] : [best])
      expect(granted.length + denied.length).toBe(1)
    }
  })

  test('a schedule needs the background [agentlang/permissions-6]', () => {
    const alone = { permissions: { required: ['camera'], camera: AUTONOMOUS.permissions.camera } }
    expect(outcome(alone, preset('desktop'))).toMatchObject({ starts: false, missingRequired: ['camera'] })
    const host = hostWith({ camera: MODES, notifications: MODES, background: false })
    expect(outcome(AUTONOMOUS, host).missingRequired).toEqual(['camera', 'background'])
  })

  test('a schedule without a wake trigger is denied', () => {
    const late = changed('background', { mode: 'scheduled', wake_triggers: [{ schedule: '30 * * * *' }] })
    expect(outcome(late, preset('desktop'))).toMatchObject({ starts: false, missingRequired: ['camera'] })
  })

  test('the background goes down from continuous to a schedule', () => {
    const host = hostWith({ background: ['scheduled'] })
    expect(outcome({ permissions: { required: ['background'] } }, host).granted).toMatchObject([
      { mode: 'scheduled', downgradedFrom: 'continuous' },
    ])
  })

  test('the background cannot be on demand', () => {
    expect(codesOf(changed('background', { ...AUTONOMOUS.permissions.background, mode: 'on_demand' }))).toEqual([
      'AL-154 /permissions/background/mode',
    ])
    const host = hostWith({ background: ['user_triggered', 'on_demand'] })
    expect(outcome({ permissions: { required: ['background'] } }, host).starts).toBe(false)
  })

  test('a capability that the host does not list is denied', () => {
    const odd = { permissions: { required: ['__proto__', 'constructor', 'teleport'] } }
    expect(outcome(odd, preset('desktop')).missingRequired).toEqual(['__proto__', 'constructor', 'teleport'])
  })
})

describe('protocols', () => {
  const host = hostWith(
    {},
    {
      protocols: {
        a2a: { accepted: ['2.0.0', '2.1.0'], deprecated: ['1.0.0'], removed: ['0.3.0'] },
        mcp: { accepted: ['2024-11-05'] },
      },
    },
  )
  const judged = (protocol: object, by = host) => outcome({ protocols: [protocol] }, by)

  test.each([
    [{ name: 'a2a', version: '^2.0.0' }, 'accepted', "'a2a' 2.1.0"],
    [{ name: 'a2a', version: '^1.0.0' }, 'deprecated', "'a2a' 1.0.0 is deprecated, migrate to 2.1.0"],
    [{ name: 'a2a', version: '^0.3.0' }, 'refused', "'a2a' 0.3.0 was removed, migrate to 2.1.0"],
    [{ name: 'a2a', version: '^9.0.0' }, 'refused', "test has no such version of 'a2a', migrate to 2.1.0"],
    [{ name: 'mcp', version: '^2024.11' }, 'accepted', "'mcp' 2024-11-05"],
    [{ name: 'custom/acme-sync' }, 'refused', "test has no such version of 'custom/acme-sync'"],
    [{ name: 'a2a', version: 'new' }, 'refused', "'a2a' has an invalid range of versions"],
  ])('%j is %s [agentlang/permissions-7]', (protocol, state, detail) => {
    const { protocols, starts } = judged(protocol)
    expect(protocols).toEqual([{ name: protocol.name, state, detail }])
    expect(starts).toBe(state !== 'refused')
  })

  test('are not judged by a host that does not name its own', () => {
    expect(judged({ name: 'a2a' }, preset('desktop')).protocols).toMatchObject([{ state: 'unjudged' }])
  })
})

describe('host files', () => {
  test('the five presets follow the matrix of the specification [agentlang/permissions-8]', () => {
    expect(HOSTS.map(({ name }) => name)).toEqual([
      'claude-desktop',
      'replit',
      'desktop',
      'mobile',
      'browser-extension',
    ])
    const modesOf = (name: string) => new Set([...preset(name).capabilities.values()].flat())
    expect([...modesOf('claude-desktop')]).toEqual(['user_triggered'])
    expect(preset('claude-desktop').capabilities.has('background')).toBe(false)
    expect(CATEGORIES[2]!.capabilities.filter((one) => preset('replit').capabilities.has(one))).toEqual([])
    expect([...preset('desktop').capabilities.keys()]).toEqual(CAPABILITIES)
    expect(preset('mobile').asks).toEqual(new Set(CAPABILITIES))
    expect(preset('browser-extension').capabilities.has('filesystem')).toBe(false)
  })

  test.each([
    [null, ['/name', '/capabilities']],
    [{ name: 'a', capabilities: [] }, ['/capabilities']],
    [{ name: '', capabilities: {} }, ['/name']],
    [{ name: 'a', capabilities: { camra: [] } }, ['/capabilities/camra']],
    [{ name: 'a', capabilities: { camera: true } }, ['/capabilities/camera']],
    [{ name: 'a', capabilities: { camera: ['always'] } }, ['/capabilities/camera']],
    [{ name: 'a', capabilities: {}, asks: ['camra'] }, ['/asks']],
    [{ name: 'a', capabilities: {}, asks: 'all' }, ['/asks']],
    [{ name: 'a', capabilities: {}, protocols: [] }, ['/protocols']],
    [
      { name: 'a', capabilities: {}, protocols: { 'custom/x': { accepted: ['^1'] } } },
      ['/protocols/custom~1x/accepted'],
    ],
    [JSON.parse('{"name": "a", "capabilities": {"__proto__": ["on_demand"]}}'), ['/capabilities/__proto__']],
  ])('%j is refused at %j', (value, pointers) => {
    const { host, faults } = readHost(value)
    expect(host).toBe(undefined)
    expect(faults.map(({ pointer }) => pointer)).toEqual(pointers)
  })
})

describe('schedules', () => {
  test.each([
    ['* * * * *', true],
    ['0 * * * *', true],
    ['*/15 9-17 * * mon-fri', true],
    ['0 0 1,15 jan-mar/2 7', true],
    ['59 23 31 12 6', true],
    ['0 0 29 2 *', true],
    // Either field counts, so Mondays in February remain.
    ['0 0 31 2 1', true],
    ['0 0 31 2 *', false],
    ['0 0 30 2 *', false],
    ['0 0 31 4,6,9,11 *', false],
    ['0 0 31 2 */2', false],
  ])('%s fires: %s', (text, fires) => expect(parseSchedule(text)?.fires).toBe(fires))

  test.each([
    undefined,
    null,
    5,
    '',
    'hourly',
    '@hourly',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 13 *',
    '* * * * 8',
    '5-1 * * * *',
    '*/0 * * * *',
    '5/2 * * * *',
    '*-5 * * * *',
    '1, * * * *',
    '-1 * * * *',
    '1.5 * * * *',
    '* * * mon *',
    '1-2-3 * * * *',
    '* * L * *',
    `${'1,'.repeat(200)}1 * * * *`,
  ])('%j is not a schedule', (text) => expect(parseSchedule(text)).toBe(undefined))

  test('a schedule has a day exactly when a calendar has it', () => {
    const next = random(3)
    const two = (most: number) => Math.floor(next() * most) + 1
    for (let i = 0; i < 300; i++) {
      const [day, month] = [two(31), two(12)]
      // 2024 is a leap year.
      const date = new Date(Date.UTC(2024, month - 1, day))
      expect(parseSchedule(`0 0 ${day} ${month} *`)?.fires, `${day} ${month}`).toBe(date.getUTCMonth() === month - 1)
    }
  })
})

describe('findings', () => {
  test('the examples of the specification have none', () => {
    expect(codesOf(DECLARED)).toEqual([])
    expect(codesOf(AUTONOMOUS)).toEqual([])
    const protocols = [
      { name: 'a2a', version: '^1.0.0' },
      { name: 'mcp', version: '^2024.11' },
      { name: 'custom/acme-sync', version: '^1.0.0' },
    ]
    expect(codesOf({ protocols, 'x-protocols': { 'acme-sync': { version: '1.0.0' } } })).toEqual([])
  })

  test('the bad examples of the catalogue have the finding that they explain, the good ones have none', () => {
    for (const { code, bad, good } of explained()) {
      const found = (text: string) =>
        code === 'AL-150' ? readHost(JSON.parse(text)).faults.map(() => code) : codesOf(JSON.parse(text))
      expect(
        found(bad).some((one) => one.startsWith(code)),
        `${code} bad`,
      ).toBe(true)
      expect(found(good), `${code} good`).toEqual([])
    }
  })

  test.each([
    [
      changed('background', { wake_triggers: [{ schedule: '0 0 31 2 *' }] }),
      ['AL-158 /permissions/background/wake_triggers/0/schedule', 'AL-156 /permissions/camera/schedule'],
    ],
    [changed('background', { wake_triggers: [{ schedule: '0  *  *  *  *' }] }), []],
    [changed('storage', {}), ['AL-153 /permissions/storage']],
    [changed('stroage', {}), ['AL-151 /permissions/stroage']],
    [{ protocols: [{ name: 'custom/__proto__' }], 'x-protocols': {} }, ['AL-160 /protocols/0/name']],
  ])('%j: %j', (agent, expected) => expect(codesOf(agent)).toEqual(expected))

  test.each([
    undefined,
    null,
    1,
    'x',
    [],
    { permissions: [] },
    { permissions: { required: 'camera', optional: [1, null, {}] } },
    { protocols: {} },
    { protocols: [null, 1, {}, { name: 1 }] },
    { tools: {}, http_tools: [1], mcp_servers: [null] },
    { permissions: { required: ['background'], background: { wake_triggers: [null, 1, { schedule: 1 }] } } },
  ])('an agent of any shape does not throw: %j', (agent) => {
    expect(permissionFaults(agent)).toEqual([])
    expect(negotiate(askOf(agent), preset('desktop')).starts).toBe(true)
  })

  test('a document full of schedules and names takes time in proportion to its size', () => {
    const agent = (count: number) => {
      const names = Array.from({ length: count }, (_, i) => `cap-${i}`)
      const settings = Object.fromEntries(
        names.map((name, i) => [name, { mode: 'scheduled' as Mode, schedule: `${i % 60} * * * *` }]),
      )
      const wake_triggers = names.map((_, i) => ({ schedule: `0 ${i % 24} * * *` }))
      const permissions = {
        required: [...names, 'background'],
        optional: names,
        ...settings,
        background: { wake_triggers },
      }
      return { permissions, http_tools: settings, tools: names.map((name) => ({ name: `web_${name}` })) }
    }
    const effort = (count: number) => {
      const value = agent(count)
      const start = processorTime()
      permissionFaults(value)
      negotiate(wholeAsk(Array(10).fill({ path: 'a', value })), preset('desktop'))
      return processorTime() - start
    }
    effort(1000)
    expect(effort(8000)).toBeLessThan(40 * Math.max(effort(1000), 5))
  })
})
