import { holderOfDefinition } from '../access/holders.ts'
import { type Access, route } from '../access/route.ts'
import { JSON_BODY } from '../http/body.ts'
import { readAgent } from './agent.ts'
import { readCard } from './card.ts'
import { readDidDocument } from './did.ts'
import { readAgentDocument, removeAgentDocument } from './document.ts'
import { listAgents } from './list.ts'
import { publishAgentDocument } from './publish.ts'
import { removeAgent } from './remove.ts'

const PUBLISH: Access<'name'> = { scope: 'publish', of: ({ parts: { name } }) => holderOfDefinition(name) }

/** Open to everyone; a token also opens private agents. */
const READ: Access<'name'> = { scope: 'read', optional: true, of: ({ parts: { name } }) => holderOfDefinition(name) }

export const ROUTES = [
  route('/agents', { GET: { limit: 'QUERIES', answer: listAgents } }),
  route('/agents/{name}', {
    GET: { access: READ, answer: readAgent },
    DELETE: { access: { scope: 'operate' }, answer: removeAgent },
  }),
  route('/agents/{name}/card.json', { GET: { answer: readCard } }),
  route('/agents/{name}/adl.json', {
    GET: { access: READ, answer: readAgentDocument },
    PUT: { access: PUBLISH, body: JSON_BODY, answer: publishAgentDocument },
    DELETE: { access: PUBLISH, answer: removeAgentDocument },
  }),
  route('/agents/{name}/did.json', { GET: { access: READ, answer: readDidDocument } }),
]
