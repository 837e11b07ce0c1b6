import { route } from '../http/route.ts'
import { adlAgents } from './adl-agents.ts'
import { ownA2aCard } from './agent-card.ts'
import { aiCatalog, apiCatalog, llmsText } from './catalogs.ts'
import { ownDid, ownKeys } from './identity.ts'

export const ROUTES = [
  route('/.well-known/adl-agents', { GET: { answer: adlAgents } }),
  route('/.well-known/agent-card.json', { GET: { answer: ownA2aCard } }),
  route('/.well-known/ai-catalog.json', { GET: { answer: aiCatalog } }),
  route('/.well-known/ard.json', { GET: { answer: aiCatalog } }),
  route('/.well-known/api-catalog', { GET: { answer: apiCatalog } }),
  route('/.well-known/did.json', { GET: { answer: ownDid } }),
  route('/.well-known/jwks.json', { GET: { answer: ownKeys } }),
  route('/llms.txt', { GET: { answer: llmsText } }),
]
