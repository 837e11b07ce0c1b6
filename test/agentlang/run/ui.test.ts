import { describe, expect, test } from 'vitest'
import {
  hintsOf,
  labelsOf,
  renderTools,
  renderToolUI,
  routeAction,
  routeResult,
} from '../../../bindings/agentlang/run/components.ts'
import { functionFaults } from '../../../bindings/agentlang/run/faults.ts'
import { ALL } from '../../../bindings/agentlang/run/findings.ts'
import { processorTime } from '../../support/effort.ts'

/** The components and the tool of the text. */
const AGENT = {
  tools: [{ name: 'gmail_modify_labels' }],
  ui_components: {
    email_card: {
      sync_actions: {
        archive: { tool: 'gmail_modify_labels', params: { message_id: '{{messageId}}', remove_labels: 'INBOX' } },
        steal: { tool: 'other_tool', params: {} },
        odd: { tool: { toString: 1 } },
      },
      agent_actions: {
        reply: { params: { messageId: '{{messageId}}', threadId: '{{threadId}}' } },
        summarize: { params: { threadId: '{{threadId}}' } },
      },
    },
    video_player: {},
    metric_card: {},
  },
  http_tools: {
    generate_headshot: {
      endpoint: '/api/v1/proxy',
      method: 'POST',
      params: { input_image: { type: 'string', required: true } },
      ui_component: {
        completed: {
          component: 'headshot_gallery',
          props: { images: '{{json.messages[0].images}}', cost: '{{json.usage.cost_usd}}' },
          actions: {
            sync_actions: { download: { tool: 'system://download_file', params: { url: '{{selectedImage}}' } } },
            agent_actions: ['regenerate'],
          },
        },
        failed: { component: 'error_card', props: { message: '{{error}}' } },
      },
    },
  },
}
const MAIL = { component: 'email_card', props: { messageId: 'm1', threadId: 't1' } }

describe('components', () => {
  test('[agentlang/functions-20] each component gives a render tool with the schema of its props', () => {
    const schema = { type: 'object', required: ['messageId'] }
    expect(renderTools(AGENT, { email_card: schema }).map(({ name, input_schema }) => [name, input_schema])).toEqual([
      ['render_email_card', schema],
      ['render_video_player', { type: 'object' }],
      ['render_metric_card', { type: 'object' }],
    ])
  })

  test('[agentlang/functions-21] an action with a tool is called at once, others go to the model', () => {
    expect(routeAction(AGENT, { ...MAIL, action: 'archive' })).toEqual({
      path: 'sync',
      tool: 'gmail_modify_labels',
      params: { message_id: 'm1', remove_labels: 'INBOX' },
    })
    expect(routeAction(AGENT, { ...MAIL, action: 'reply' })).toEqual({
      path: 'agent',
      message: "The user chose 'reply' on 'email_card'.",
      context: { messageId: 'm1', threadId: 't1' },
    })
  })

  test.each([
    ['an unknown action', { ...MAIL, action: 'delete' }],
    ['an inherited action', { ...MAIL, action: 'toString' }],
    ['an unknown component', { component: 'other', action: 'archive' }],
    ['a template without a value', { component: 'email_card', action: 'archive', props: {} }],
    ['a tool that the agent does not have', { ...MAIL, action: 'steal' }],
    ['a tool that is not a text', { ...MAIL, action: 'odd' }],
  ])('[agentlang/functions-21] refuses %s', (_, action) => {
    expect(routeAction(AGENT, action)).toMatchObject({ path: 'fault' })
  })

  test('[agentlang/functions-21] accepts a tool that the host names', () => {
    expect(routeAction(AGENT, { ...MAIL, action: 'steal' }, ['other_tool'])).toMatchObject({ path: 'sync' })
  })

  test('an agent action with a tool does nothing', () => {
    const agent = { tools: [{ name: 'mail' }], ui_components: { card: { agent_actions: { send: { tool: 'mail' } } } } }
    expect(routeAction(agent, { component: 'card', action: 'send' })).toMatchObject({ path: 'fault' })
  })

  test('an action in both lists does nothing', () => {
    const both = { ui_components: { c: { sync_actions: { a: { tool: 'system://x' } }, agent_actions: ['a'] } } }
    expect(routeAction(both, { component: 'c', action: 'a' })).toMatchObject({ path: 'fault' })
  })

  test('what the user chose replaces props, and no value is read as a template', () => {
    const props = { messageId: '{{threadId}}', threadId: 't1' }
    expect(routeAction(AGENT, { component: 'email_card', action: 'archive', props })).toMatchObject({
      params: { message_id: '{{threadId}}' },
    })
    expect(routeAction(AGENT, { ...MAIL, action: 'archive', state: { messageId: 'm2' } })).toMatchObject({
      params: { message_id: 'm2' },
    })
  })

  test('[agentlang/functions-22] a result goes to the component whose props it fits best', () => {
    const components = {
      any: true,
      card: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
      video: { type: 'object', properties: { title: {}, url: { type: 'string' } }, required: ['url'] },
      broken: { type: 'tpyo' },
    }
    expect(routeResult({ title: 'a', url: 'b' }, components)).toBe('video')
    expect(routeResult({ title: 'a' }, components)).toBe('card')
    expect(routeResult(7, components)).toBe('any')
    expect(routeResult(7, { card: components.card })).toBeUndefined()
  })
})

describe('tools', () => {
  const tool = 'generate_headshot'

  test('[agentlang/functions-23] a completed tool shows its component with values of the response', () => {
    const json = { messages: [{ images: ['i1', 'i2'] }], usage: { cost_usd: 0.04 } }
    expect(renderToolUI(AGENT, { tool, status: 'completed' }, { json })).toEqual({
      component: 'headshot_gallery',
      props: { images: ['i1', 'i2'], cost: 0.04 },
      actions: { sync: ['download'], agent: ['regenerate'] },
    })
    expect(renderToolUI(AGENT, { tool, status: 'completed' }, { json: {} })).toHaveProperty('fault')
  })

  test('[agentlang/functions-23] a failed tool shows its error, and others nothing', () => {
    expect(renderToolUI(AGENT, { tool, status: 'failed' }, { error: 'no credit' })).toMatchObject({
      component: 'error_card',
      props: { message: 'no credit' },
    })
    expect(renderToolUI(AGENT, { tool, status: 'running' }, {})).toBeUndefined()
    expect(renderToolUI(AGENT, { tool: 'toString', status: 'failed' }, {})).toBeUndefined()
  })

  test('[agentlang/functions-23] their actions take what the user chose', () => {
    expect(routeAction(AGENT, { tool, action: 'download', state: { selectedImage: 'https://x/1' } })).toEqual({
      path: 'sync',
      tool: 'system://download_file',
      params: { url: 'https://x/1' },
    })
    expect(routeAction(AGENT, { tool, action: 'regenerate' })).toMatchObject({ path: 'agent', context: {} })
    expect(routeAction(AGENT, { tool, action: 'download' })).toMatchObject({ path: 'fault' })
  })
})

describe('hints', () => {
  const ux = {
    integrations: [{ name: 'Gmail', website: 'https://gmail.com' }, { name: 'x', website: 'javascript:alert(1)' }, 7],
    suggestions: ['Help me catch up on emails', 7],
    tools: { gmail_list_messages: { labels: { running: 'Loading inbox' }, suggestions: ['Show my unread emails'] } },
    mcp_tools: {
      'playwright-web': { web_navigate: { labels: { running: 'Navigating', finished: 'Navigation complete' } } },
    },
  }

  test('[agentlang/functions-24] labels come from ux.yaml, then the tool, then the name', () => {
    const tool = { labels: { running: 'Listing', finished: 'Listed' } }
    expect(labelsOf('gmail_list_messages', { ux, tool })).toEqual({ running: 'Loading inbox', finished: 'Listed' })
    expect(labelsOf('gmail_list_messages')).toEqual({ running: 'Gmail list messages', finished: 'Gmail list messages' })
    expect(labelsOf('web_navigate', { ux, server: 'playwright-web' })).toEqual({
      running: 'Navigating',
      finished: 'Navigation complete',
    })
    expect(labelsOf('a', { tool: { labels: { running: 'x\u202ey' } } }).running).toBe('x\ufffdy')
  })

  test('[agentlang/functions-24] suggestions and integrations are data, without scripts', () => {
    expect(hintsOf(ux)).toEqual({
      suggestions: ['Help me catch up on emails'],
      toolSuggestions: { gmail_list_messages: ['Show my unread emails'] },
      integrations: [{ name: 'Gmail', website: 'https://gmail.com' }, { name: 'x' }],
    })
  })
})

describe('faults of documents', () => {
  const found = (agent: object) =>
    functionFaults({ pointer: '', value: agent as Record<string, unknown> }).map(({ rule, pointer }) => [rule, pointer])

  test('the agent of the text has the one that was put into it', () => {
    expect(found(AGENT)).toEqual([['action-tool', '/ui_components/email_card/sync_actions/steal/tool']])
  })

  test.each([
    ['template-tag', '/http_tools/t/body_template', { http_tools: { t: { body_template: '{"a": "{{a}"}' } } }],
    ['template-tag', '/mcp_servers/s/env/A~1B', { mcp_servers: { s: { env: { 'A/B': '{{if x}}' } } } }],
    ['template-name', '/mcp_servers/s/env/A', { mcp_servers: { s: { env: { A: '{{home}}' } } } }],
    [
      'template-name',
      '/http_tools/t/body_template',
      { http_tools: { t: { params: { text: {} }, body_template: '{{if txet}}{{end}}' } } },
    ],
    [
      'template-name',
      '/http_tools/t/ui_component/failed/props/a/0',
      { http_tools: { t: { ui_component: { failed: { props: { a: ['{{err}}'] } } } } } },
    ],
    ['bash-command', '/bash_tools/t/command', { bash_tools: { t: { command: 'a | b' } } }],
    [
      'action-both',
      '/ui_components/c/sync_actions/a',
      { ui_components: { c: { sync_actions: { a: {} }, agent_actions: { a: {} } } } },
    ],
    [
      'action-tool',
      '/ui_components/c/sync_actions/a/tool',
      { ui_components: { c: { sync_actions: { a: { tool: 'x' } } } } },
    ],
    ['delegate-cycle', '/delegate/agents', { delegate: { agents: [{ path: 'a.yaml', depends_on: ['a'] }] } }],
    [
      'delegate-unknown',
      '/delegate/agents/0/depends_on',
      { delegate: { agents: [{ path: 'a.yaml', depends_on: ['b'] }] } },
    ],
    ['budget-price', '/constraints/budget/max_cost_usd', { constraints: { budget: { max_cost_usd: 1 } } }],
  ])('%s at %s', (rule, pointer, agent) => {
    expect(found(agent)).toEqual([[rule, pointer]])
    expect(ALL.map(({ id }) => id)).toContain(rule)
  })

  test('a tool of a server without a list may exist', () => {
    const ui_components = { c: { sync_actions: { a: { tool: 'x' } } } }
    expect(found({ ui_components, mcp_servers: { s: { command: 'npx' } } })).toEqual([])
    expect(found({ ui_components, mcp_servers: { s: { command: 'npx', tools: ['x'] } } })).toEqual([])
    expect(found({ ui_components, mcp_servers: { s: { command: 'npx', tools: ['y'] } } })).toHaveLength(1)
  })

  test('reads thousands of actions and names in linear time', () => {
    const list = Array.from({ length: 20_000 }, (_, i) => `n${i}`)
    const many = (value: unknown) => Object.fromEntries(list.map((name) => [name, value]))
    const tool = { params: many({}), body_template: list.map((name) => `{{${name}}}`).join('') }
    const before = processorTime()
    expect(found({ tools: list.map((name) => ({ name })), ui_components: many({}), http_tools: { tool } })).toEqual([])
    expect(processorTime() - before).toBeLessThan(2_000)
  })

  test('tolerates any shape', () => {
    for (const value of [null, 1, 'x', [], [null], { a: null }, { a: [1] }, { a: { a: { a: [[]] } } }]) {
      const names = ['tools', 'http_tools', 'bash_tools', 'mcp_servers', 'ui_components', 'delegate', 'constraints']
      const agent = Object.fromEntries(names.map((name) => [name, value]))
      expect(() => functionFaults({ pointer: '', value: agent })).not.toThrow()
      expect(() => renderTools(agent)).not.toThrow()
    }
  })
})
