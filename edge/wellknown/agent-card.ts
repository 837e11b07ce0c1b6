import { convert } from 'blazon/convert'
import { directoryMap } from '../env.ts'
import { Problem } from '../http/problem.ts'
import type { Call } from '../http/route.ts'
import { madeAnswer } from './own.ts'

/** By `A2A-Version`; 1.0 when the client does not say. */
const VERSIONS: Readonly<Record<string, 'a2a-1.0' | 'a2a-0.3'>> = { '1.0': 'a2a-1.0', '0.3': 'a2a-0.3' }

/** `GET /.well-known/agent-card.json`: the card of the directory for A2A, made from its Agent Card. */
export async function ownA2aCard({ request, env }: Call): Promise<Response> {
  const version = request.headers.get('a2a-version')?.trim() || '1.0'
  const to = Object.hasOwn(VERSIONS, version) ? VERSIONS[version] : undefined
  if (to === undefined) throw new Problem('bad-request', `A2A-Version is ${Object.keys(VERSIONS).join(' or ')} here.`)
  const card = await directoryMap(env).card()
  const { document, diagnostics } = convert(new Uint8Array(card), { from: 'card', to })
  if (document === undefined) throw new Error(`the directory's own card for A2A: ${diagnostics[0]!.detail}`)
  return madeAnswer(request, document.value, 'application/json', { vary: 'a2a-version' })
}
