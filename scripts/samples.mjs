// `npm start -- --samples`: sample agents for the directory on this machine, so that a search has something to rank.
import { createHash } from 'node:crypto'
import { send } from './address.mjs'
import { readJson } from './files.mjs'

const SAMPLES = new URL('../fixtures/directory/samples.json', import.meta.url)
/** The files of the agent that the page shows as its example. */
const AGENT = new URL('../browser-demo/agent/example.json', import.meta.url)
const SEARCH = new URLSearchParams({ query: 'translate contracts', tags: 'nlp/translation' })

/** Publishes the cards, and the operator's signals for these agents. Repeating it changes only the timestamps. */
export async function publishSamples({ origin, token }) {
  const post = async (path, body) => {
    const response = await send(path, body, { origin, token })
    if (!response.ok) throw new Error(`the samples were not published: ${await response.text()}`)
  }
  const signals = {}
  for (const sample of readJson(SAMPLES)) {
    const { id, bytes } = await signSample(sample.card)
    await post('/adp/advertise', bytes)
    signals[id] = sample.signals
  }
  await post('/v1/directory/signals', JSON.stringify(signals))
  return Object.keys(signals).length
}

async function signSample(card) {
  const { agentIdOf, sign } = await import('blazon/card')
  const key = await keyOf(card.name)
  const id = await agentIdOf(key)
  const { bytes, diagnostics } = await sign({ id, ...card }, key)
  if (bytes === undefined) throw new Error(`${card.name}: ${diagnostics[0].detail}`)
  return { id, bytes }
}

/** The key is derived from the name, so each start publishes the same. It protects nothing: anyone can derive it. */
async function keyOf(name) {
  const { importKey } = await import('blazon/keys')
  const seed = createHash('sha256').update(`sample agent ${name}`).digest()
  return importKey(seed, { algorithm: 'Ed25519', format: 'raw-private' })
}

/** Publishes an agent in the registry. Returns the address of its page. Repeating it changes nothing. */
export async function publishSampleAgent({ origin, token }) {
  const { load, openRegistry, publishContainer, sealContainer } = await import('blazon/agentlang')
  const texts = Object.entries(readJson(AGENT))
  const files = new Map(texts.map(([path, text]) => [path, new TextEncoder().encode(text)]))
  const { name, version, developer } = load(files).agent.root.value
  const secret = new Uint8Array(createHash('sha256').update('sample secret').digest())
  const container = await sealContainer({ name, version, developer, files, secret, key: await keyOf(name) })
  const login = { user: 'sample', password: token }
  const open = (repository) => openRegistry({ origin, repository }, { login })
  const { fault, repository } = await publishContainer(container, { open })
  if (fault !== undefined) throw new Error(`the sample agent was not published: ${fault.message}`)
  return `${origin}/v2/${repository}`
}

export const describeSamples = (
  count,
  { origin, page },
) => `blazon: the directory has ${count} sample agents, for a day; a search among them:

  ${origin}/directory/?${SEARCH}

  ${page}   the page of a sample agent in the registry
`
