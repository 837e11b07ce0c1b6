// The directory's own card if it has several host names, and settings for its name and description.
import { expect, test } from 'vitest'
import { ask } from '../../support/ask.ts'
import type { Runtime } from '../../support/runtime.ts'
import { workersOf } from '../../support/workers.ts'
import { openapi } from '../contract.ts'

const workers = workersOf()

const askFor = async ({ origin }: Runtime, host: string, path: string, method = 'GET') =>
  (await ask(origin + path, { host, method })).text

test('openapi.json names no origin, so its paths are valid at each origin', () => {
  expect(openapi.servers).toEqual([{ url: '/' }])
  for (const origin of ['https://agents.example.com', 'https://www.example.org']) {
    for (const path of Object.keys(openapi.paths)) {
      const at = new URL(`.${path}`, new URL(openapi.servers[0]!.url, `${origin}/openapi.json`))
      expect(at.origin).toBe(origin)
    }
  }
  expect(JSON.stringify(openapi)).not.toMatch(/https?:\/\/(?:127\.0\.0\.1|localhost|agents\.example)/)
})

test('has the same card at each of its host names, with the texts of its settings', async () => {
  const hosts = ['agents.example.com', 'www.example.org']
  const settings = {
    PUBLIC_ORIGIN: hosts.map((host) => `https://${host}`).join(' '),
    DIRECTORY_NAME: 'Acme agents',
    DIRECTORY_DESCRIPTION: 'The agents of Acme.',
    DIRECTORY_CONTACT: 'mailto:agents@acme.example',
  }
  const runtime = await workers.start({ settings })
  const cards = []
  for (const host of [...hosts, ...hosts]) cards.push(await askFor(runtime, host, '/adp/describe', 'POST'))
  expect(new Set(cards).size).toBe(1)
  expect(JSON.parse(cards[0]!)).toMatchObject({ name: 'Acme agents', description: 'The agents of Acme.', seq: 1 })
  for (const host of hosts) {
    expect(await askFor(runtime, host, '/llms.txt')).toMatch(
      /^# Acme agents\n\n> The agents of Acme\.\n\nContact of the operator: <mailto:/,
    )
    const { service } = JSON.parse(await askFor(runtime, host, '/.well-known/did.json'))
    expect(service[0]).toMatchObject({ type: 'Contact', serviceEndpoint: 'mailto:agents@acme.example' })
    expect(await askFor(runtime, host, '/.well-known/ard.json')).toContain('"displayName":"Acme agents"')
    const { url, additionalInterfaces: others } = JSON.parse(
      await askFor(runtime, host, '/.well-known/agent-card.json'),
    )
    expect([url, ...others.map((one: { url: string }) => one.url)]).toEqual(hosts.map((own) => `https://${own}`))
  }
})
