// `npm start -- --samples`: sample agents for the directory on this machine, so that a search has something to rank.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const SAMPLES = new URL('../fixtures/directory/samples.json', import.meta.url)
const SEARCH = new URLSearchParams({ query: 'translate contracts', tags: 'nlp/translation' })

/** Publishes the cards, and the operator's signals for these agents. Repeating it changes only the timestamps. */
export async function publishSamples({ origin, token }) {
  const post = async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(origin + path, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`the samples were not published: ${await response.text()}`)
  }
  const signals = {}
  for (const sample of JSON.parse(await readFile(SAMPLES, 'utf8'))) {
    const { id, bytes } = await signSample(sample.card)
    await post('/adp/advertise', bytes)
    signals[id] = sample.signals
  }
  await post('/v1/directory/signals', JSON.stringify(signals))
  return Object.keys(signals).length
}

/**
 * The key is derived from the name, so each start publishes the same card. It protects nothing: anyone can derive it.
 */
async function signSample(card) {
  const { agentIdOf, sign } = await import('blazon/card')
  const { importKey } = await import('blazon/keys')
  const seed = createHash('sha256').update(`sample agent ${card.name}`).digest()
  const key = await importKey(seed, { algorithm: 'Ed25519', format: 'raw-private' })
  const id = await agentIdOf(key)
  const { bytes, diagnostics } = await sign({ id, ...card }, key)
  if (bytes === undefined) throw new Error(`${card.name}: ${diagnostics[0].detail}`)
  return { id, bytes }
}

export const describeSamples = (
  count,
  origin,
) => `blazon: the directory has ${count} sample agents, for a day; a search among them:

  ${origin}/directory/?${SEARCH}
`
