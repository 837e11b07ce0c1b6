// The command line tool talks to an agent at the Worker: found with real DNS, over a real WebSocket, with real
// signatures.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReceiver } from '../../bindings/agp/index.ts'
import type { OraclePair } from '../agp/oracle.ts'
import { signedHeaders } from '../agp/signing.ts'
import { finder, serve, socketsWith } from '../agp/sockets.ts'
import { blazon, type Setting } from '../cli/terminal.ts'
import { bind } from '../support/dns-lab.ts'
import { startWorld, type World } from './world.ts'

const BOB = 'bob.example.net'
let world: World
let alice: OraclePair
let carol: OraclePair

beforeAll(async () => {
  if (!bind.available) return
  world = await startWorld([{ label: 'alice' }, { label: 'bob', here: 'bob' }, { label: 'carol' }])
  alice = world.callers[0]!
  carol = world.callers[2]!
  await world.at('/v1/agents/bob', { method: 'PUT', body: { host: BOB } })
  const body = { name: 'Bob', endpoints: { chat: `wss://${BOB}/agent/chat` } }
  expect((await world.at('/agents/bob/agent.json', { method: 'POST', body })).status).toBe(201)
})
afterAll(() => world?.end())

/** Connects to the Worker on this machine under Bob's host. */
const toWorker: NonNullable<Setting['sockets']> = async (headers) => {
  const Socket = socketsWith({ ...headers, host: BOB })
  return class extends Socket {
    constructor(url: string) {
      super(url.replace(`wss://${BOB}`, world.origin().replace('http', 'ws')))
    }
  }
}

const network = (): Setting => ({
  fetch: world.fetch,
  resolver: () => world.resolver(),
  files: { 'alice.key': alice.pem, 'root.ds': world.anchors },
})

const chat = (line: readonly string[], setting: Setting = {}) =>
  blazon(['chat', BOB, '--as', alice.uri, '--key', 'alice.key', '--anchors', 'root.ds', ...line], {
    ...network(),
    sockets: toWorker,
    ...setting,
  })

const messages = async (): Promise<{ agent: string; content: string }[]> => {
  const { messages } = JSON.parse((await world.at('/v1/agents/bob/messages')).text)
  return messages.map(({ agent, text }: { agent: string; text: string }) => ({
    agent,
    content: JSON.parse(text).body.content,
  }))
}

describe.runIf(bind.available)('blazon chat', () => {
  test('sends each line of stdin, and each is on disk when it ends', async () => {
    const { code, stdout, stderr } = await chat([], { stdin: 'Good morning\r\n\nÜber alles: 雪' })
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain(`talking to agent:${BOB}`)
    expect(await messages()).toEqual(
      ['Good morning', '', 'Über alles: 雪'].map((content) => ({ agent: alice.uri, content })),
    )
  })

  test('prints messages that were waiting, before and after', async () => {
    const body = { to: alice.uri, content: 'you have \u001b[31mmail\nagent:carol.example.net: not me' }
    expect((await world.at('/v1/agents/bob/messages', { method: 'POST', body })).status).toBe(202)
    const { code, stdout } = await chat(['--say', 'anything new?', '--wait', '5'], { isPatient: true })
    expect(code).toBe(0)
    expect(stdout).toBe(`agent:${BOB}: you have \u241b[31mmail\n    agent:carol.example.net: not me\n`)
  })

  test('--format json prints received messages whole and signed', async () => {
    const { code, stdout } = await chat(['--say', 'one', '--say', 'two', '--format', 'json'])
    const [result] = JSON.parse(stdout).results
    expect([code, result.valid]).toEqual([0, true])
    expect(result.chat).toMatchObject({ peer: `agent:${BOB}`, strict: true, taken: 2, notTaken: 0 })
  })

  test.each<[string, string | Uint8Array, string]>([
    ['a line that is too long for a message', `short\n${'x'.repeat(300_000)}`, 'a line of more than 262144 bytes'],
    ['a line that is too large in JSON', `short\n${'"'.repeat(200_000)}`, 'bytes at the most'],
    ['bytes that are not UTF-8', Buffer.from('short\n\xff\n', 'latin1'), 'not valid UTF-8'],
  ])('%s is a usage error; earlier lines are sent', async (_, stdin, words) => {
    const before = (await messages()).length
    const { code, stderr } = await chat([], { stdin })
    expect(code).toBe(2)
    expect(stderr).toContain(words)
    expect((await messages()).slice(before).map(({ content }) => content)).toEqual(['short'])
  })

  test('exits 3 when the agent is not there or not found, and when it refuses the caller', async () => {
    const closed: Setting['sockets'] = async () => {
      const Socket = socketsWith({})
      return class extends Socket {
        constructor() {
          super('ws://127.0.0.1:9')
        }
      }
    }
    expect((await chat(['--say', 'x'], { sockets: closed })).code).toBe(3)
    const nobody = await blazon(
      ['chat', 'nobody.example.net', '--as', alice.uri, '--key', 'alice.key', '--anchors', 'root.ds', '--say', 'x'],
      { ...network(), sockets: closed },
    )
    expect([nobody.code, nobody.stderr.includes('AGP-133')]).toEqual([3, true])
    await world.at('/v1/agents/bob/speakers', { method: 'POST', body: { block: [alice.uri] } })
    const blocked = await chat(['--say', 'x'])
    await world.at('/v1/agents/bob/speakers', { method: 'POST', body: { forget: [alice.uri] } })
    expect([blocked.code, blocked.stderr.includes('AGP-135')]).toEqual([3, true])
  })

  test('a token opens an agent that only invited agents may talk to', async () => {
    await world.at('/v1/agents/bob/speakers', { method: 'POST', body: { speakers: 'invited' } })
    expect((await chat(['--say', 'x'])).code).toBe(3)
    const { text } = await world.at('/agents/bob/invitations', { method: 'POST', body: {} })
    const { code: invitation } = JSON.parse(text).invitation.invite
    const body = JSON.stringify({ code: invitation })
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders({ method: 'POST', url: `https://${BOB}/agent/invite`, body }, alice),
    }
    const redeemed = await world.at('/agent/invite', { method: 'POST', host: BOB, headers, body })
    const { token } = JSON.parse(redeemed.text)
    const { code } = await chat(['--say', 'x', '--token', 'env:BOB'], { env: { BOB: token } })
    await world.at('/v1/agents/bob/speakers', { method: 'POST', body: { speakers: 'anyone' } })
    expect(code).toBe(0)
  })
})

describe.runIf(bind.available)('a private agent', () => {
  const files = () => ({ 'alice.key': alice.pem, 'root.ds': world.anchors })

  test('is found and talked to with its invitation after redeeming it; without one, it is not found', async () => {
    await world.at('/v1/agents/bob', { method: 'PUT', body: { host: BOB, private: true } })
    const { invitation } = JSON.parse((await world.at('/agents/bob/invitations', { method: 'POST', body: {} })).text)
    const invite = { 'invite.json': JSON.stringify(invitation) }
    const line = ['--as', alice.uri, '--signing-key', 'alice.key']
    const redeemed = await blazon(['invite', 'redeem', 'invite.json', ...line], {
      ...network(),
      files: { ...files(), ...invite },
    })
    expect([redeemed.code, redeemed.stderr]).toMatchObject([0, expect.stringContaining('send it as a bearer token')])
    const token = { 'bob.token': redeemed.stdout }
    const asked = [
      'discover',
      'invite.json',
      '--token',
      'bob.token',
      '--anchors',
      'root.ds',
      '--record',
      'bob.trace.json',
    ]
    const found = await blazon(asked, { ...network(), files: { ...files(), ...invite, ...token } })
    expect([found.code, found.stdout]).toMatchObject([0, expect.stringContaining('the key matches the invitation')])
    expect(found.stdout).toContain('passed   Signature of the agent: signed by the agent')
    const written = Buffer.from(found.saved.get('bob.trace.json')!).toString()
    expect(written).not.toContain(invitation.invite.code)
    expect(written).not.toContain(redeemed.stdout.trim())
    const spoken = await blazon(
      [
        'chat',
        'invite.json',
        '--token',
        'bob.token',
        '--anchors',
        'root.ds',
        '--as',
        alice.uri,
        '--key',
        'alice.key',
        '--say',
        'hello',
      ],
      { ...network(), sockets: toWorker, files: { ...files(), ...invite, ...token } },
    )
    expect([spoken.code, spoken.stderr]).toMatchObject([0, expect.stringContaining(`talking to agent:${BOB}`)])
    for (const without of [
      ['discover', 'invite.json'],
      ['discover', BOB, '--anchors', 'root.ds'],
      ['chat', 'invite.json', '--as', alice.uri, '--key', 'alice.key', '--say', 'x'],
    ])
      expect((await blazon(without, { ...network(), files: { ...files(), ...invite } })).code).not.toBe(0)
    await world.at('/v1/agents/bob', { method: 'PUT', body: { host: BOB } })
  })

  test('an invitation that was changed does not belong to the agent', async () => {
    const { invitation } = JSON.parse((await world.at('/agents/bob/invitations', { method: 'POST', body: {} })).text)
    const forged = { ...invitation, invite: { ...invitation.invite, expires: '2999-12-30T00:00:00Z' } }
    // An agent that is no longer private is read without a token.
    const line = ['discover', 'invite.json', '--anchors', 'root.ds']
    const given = { ...network(), files: { ...files(), 'invite.json': JSON.stringify(forged) } }
    const { code, stderr } = await blazon(line, given)
    expect([code, stderr.includes('INV-150')]).toEqual([4, true])
  })

  test('an invitation that breaks a rule is refused with the rule, without any request', async () => {
    const { code, stderr } = await blazon(['discover', 'invite.json'], {
      files: { 'invite.json': '{"protocol": "ADP/1.1", "invite": {"agent": "alice"}}' },
    })
    expect([code, stderr.includes('INV-111')]).toEqual([1, true])
  })
})

describe.runIf(bind.available)('an agent on another server', () => {
  const CAROL = 'carol.example.net'
  const withCarol = async (options: Partial<openReceiver.Options>, more: readonly string[], setting: Setting = {}) => {
    const receiver = await openReceiver({
      key: carol.pem,
      as: carol.uri,
      discover: finder([{ pair: alice }]),
      onMessage: () => {},
      ...options,
    })
    const served = await serve((socket) => receiver.accept(socket))
    const Socket = socketsWith({})
    const sockets: Setting['sockets'] = async () =>
      class extends Socket {
        constructor() {
          super(served.url)
        }
      }
    const line = ['chat', CAROL, '--as', alice.uri, '--key', 'alice.key', '--anchors', 'root.ds', ...more]
    return blazon(line, { ...network(), sockets, ...setting }).finally(served.stop)
  }

  test('answers, and its messages are printed while it sends', async () => {
    const onMessage: openReceiver.Options['onMessage'] = ({ body }, conversation) =>
      void conversation.send({ content: `{"of": "${body.content}"}`, contentType: 'application/json' })
    const { code, stdout } = await withCarol({ onMessage }, [], { stdin: 'a\nb\n' })
    expect([code, stdout]).toEqual([
      0,
      `${carol.uri} (application/json): {"of": "a"}\n${carol.uri} (application/json): {"of": "b"}\n`,
    ])
  })

  test('refuses a message: exit 1, with its reason', async () => {
    const onMessage: openReceiver.Options['onMessage'] = ({ body }) => {
      if (body.content === 'b') throw new Error('not this one')
    }
    const { code, stderr } = await withCarol({ onMessage }, [], { stdin: 'a\nb\nc\n' })
    expect(code).toBe(1)
    expect(stderr).toContain('not taken: the other agent answered AGP-139')
  })

  test('more lines than the queue can hold are all sent', async () => {
    const heard: string[] = []
    const stdin = Array.from({ length: 1500 }, (_, i) => `${i}\n`).join('')
    const { code } = await withCarol({ onMessage: ({ body }) => void heard.push(body.content) }, ['-q'], { stdin })
    expect([code, heard.length, heard[1499]]).toEqual([0, 1500, '1499'])
  })

  test('hangs up: later input is not waited for', async () => {
    const onMessage: openReceiver.Options['onMessage'] = (_, conversation) => void conversation.close()
    let isDestroyed = false
    const never = {
      isTTY: true,
      async *[Symbol.asyncIterator]() {
        yield Buffer.from('hello\n')
        await new Promise(() => {})
      },
      destroy: () => {
        isDestroyed = true
      },
    }
    const { stderr } = await withCarol({ onMessage }, [], { input: never })
    expect(stderr).toContain('the other agent has hung up')
    expect(isDestroyed).toBe(true)
  })
})

test.each([
  [[]],
  [['bob.example.net', 'carol.example.net', '--as', 'agent:alice.example.net', '--key', 'k']],
  [['bob.example.net', '--as', 'agent:alice.example.net']],
  [['bob.example.net', '--key', 'k']],
  [['bob.example.net', '--as', 'agent:alice.example.net', '--key', 'none']],
])('%j is a usage error', async (line) => {
  expect((await blazon(['chat', ...line])).code).toBe(2)
})
