import { agentRoute, route } from '../access/route.ts'
import { READ } from '../agents/find.ts'
import { adlAgents, aiCatalog, apiCatalog, llmsText } from './catalogs.ts'
import { ownA2aCard, ownDid, ownKeys } from './identity.ts'

export const ROUTES = [
  route('/.well-known/adl-agents', { GET: { answer: adlAgents } }),
  agentRoute('/.well-known/agent-card.json', { GET: { access: READ, answer: ownA2aCard } }),
  route('/.well-known/ai-catalog.json', { GET: { answer: aiCatalog } }),
  route('/.well-known/ard.json', { GET: { answer: aiCatalog } }),
  route('/.well-known/api-catalog', { GET: { answer: apiCatalog } }),
  agentRoute('/.well-known/did.json', { GET: { access: READ, answer: ownDid } }),
  agentRoute('/.well-known/jwks.json', { GET: { access: READ, answer: ownKeys } }),
  route('/llms.txt', { GET: { answer: llmsText } }),
]
