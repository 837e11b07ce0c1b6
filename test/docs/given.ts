// The names that examples of the pages use and do not make, and what each is.

const text = (path: string) => `(await import('node:fs')).readFileSync('${path}', 'utf8')`
const parsed = (source: string) => `(await import('blazon')).parse(${source}).document!`

export const GIVEN: Readonly<Record<string, string>> = {
  definition: text('fixtures/adl/invoice-processor.json'),
  source: 'definition',
  document: parsed('definition'),
  card: `JSON.parse(${text('fixtures/card/translator-zh-en.json')}) as import('blazon/card').AgentCard`,
  a2aCard: "(await import('blazon')).convert(definition, { to: 'a2a-1.0', url: 'https://example.com/a2a' }).document!",
  cardBytes: text('fixtures/card/translator-zh-en.json'),
  cardDocument: parsed('cardBytes'),
  privateKey: "await (await import('blazon/keys')).generateKey()",
  publicKey: 'privateKey.publicKey',
  publicKeys: "{ 'agent://scout': [publicKey] } as Record<string, (typeof publicKey)[]>",
  messages: '[new Uint8Array(3)]',
  signedCard: "(await (await import('blazon')).sign(card, privateKey)).bytes!",
  directory:
    "(await import('blazon/directory')).createDirectory({ store: (await import('blazon/directory')).createMemoryStore() })",
  query: "{ tags: ['nlp'], limit: 10 }",
  shards: '[directory, directory]',
  toolAnswer: '[] as unknown',
  invoke: "async () => ({ status: 'OK' })",
  invitation: "{ protocol: 'ADP/1.1', invite: {} }",
  token: "'blazon1.read-one.0.x.y'",
  now: "new Date('2026-03-01')",
  proof: "await (await import('blazon')).verify(document)",
  request: "new Request('https://agents.example.com/agent/tasks')",
  response: 'new Response()',
  userText: "'hello'",
  api: "{ openapi: '3.1.0', info: { title: 'API', version: '1' }, paths: {} }",
  trust: "{ version: 1, providers: ['acme.example'] } as const",
  inventory: '{ version: 1, agents: [] } as const',
}

/** Those that ask a network: their types are checked, and they do not run. */
export const ASK = ["'https://example.com/agent.json'", 'await probe(']
