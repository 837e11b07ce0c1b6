import { type Access, agentRoute, route } from '../access/route.ts'
import { JSON_BODY } from '../http/body.ts'
import { PAGED } from '../http/query.ts'
import { LIST, listAgents, readCard, removeAgent } from './cards.ts'
import { readAgent, readDefinition } from './definitions.ts'
import { readDidDocument, readKeyDirectory } from './did.ts'
import { PUBLISH, READ } from './find.ts'
import { CODE_BODY, listInvitations, makeInvitation, redeemInvitation, revokeInvitation } from './invitations.ts'
import { CONNECT_BODY, connect, readLanding } from './landing.ts'
import { readCapabilities, readMetadata, readMetadataOf } from './metadata.ts'
import { forgetAgent, placeAgent, readTable, rotateKey } from './operator.ts'
import {
  METADATA_BODY,
  makeMetadata,
  publishDefinition,
  publishMetadata,
  removeDefinition,
  removeMetadata,
} from './publish.ts'

const OPERATE: Access = { scope: 'operate' }
const REVIEW = { reviewed: 'once', acknowledge: 'often', replace: 'once' } as const

export const ROUTES = [
  route('/agents', { GET: { limit: 'QUERIES', query: LIST, answer: listAgents } }),
  route('/agents/{name}', {
    GET: { access: READ, answer: readAgent },
    DELETE: { access: OPERATE, query: { reason: 'once' }, answer: removeAgent },
  }),
  route('/agents/{name}/card.json', { GET: { answer: readCard } }),
  route('/agents/{name}/adl.json', {
    GET: { access: READ, answer: readDefinition },
    PUT: { access: PUBLISH, body: JSON_BODY, query: REVIEW, answer: publishDefinition },
    DELETE: { access: PUBLISH, answer: removeDefinition },
  }),
  route('/agents/{name}/did.json', { GET: { access: READ, answer: readDidDocument } }),
  agentRoute('/', { GET: { access: READ, answer: readLanding } }),
  agentRoute('/.well-known/agent.json', { GET: { access: READ, answer: readMetadata } }),
  agentRoute('/.well-known/http-message-signatures-directory', { GET: { access: READ, answer: readKeyDirectory } }),
  agentRoute('/capabilities/a2a.json', { GET: { access: READ, answer: readCapabilities } }),
  agentRoute('/agent/connect', { POST: { access: READ, limit: 'QUERIES', body: CONNECT_BODY, answer: connect } }),
  agentRoute('/agent/invite', { POST: { limit: 'QUERIES', body: CODE_BODY, query: {}, answer: redeemInvitation } }),
  route('/agents/{name}/invitations', {
    GET: { access: PUBLISH, answer: listInvitations },
    POST: { access: PUBLISH, body: JSON_BODY, query: {}, answer: makeInvitation },
    DELETE: { access: PUBLISH, query: { id: 'once' }, answer: revokeInvitation },
  }),
  route('/.well-known/agents/{name}/agent.json', { GET: { access: READ, answer: readMetadataOf } }),
  route('/agents/{name}/capabilities.json', { GET: { access: READ, answer: readCapabilities } }),
  route('/agents/{name}/agent.json', {
    GET: { access: READ, answer: readMetadataOf },
    PUT: { access: PUBLISH, body: METADATA_BODY, query: {}, answer: publishMetadata },
    POST: { access: PUBLISH, body: METADATA_BODY, query: {}, answer: makeMetadata },
    DELETE: { access: PUBLISH, answer: removeMetadata },
  }),
  route('/v1/agents', { GET: { access: { scope: 'export' }, query: PAGED, answer: readTable } }),
  route('/v1/agents/{name}', {
    PUT: { access: OPERATE, body: JSON_BODY, query: {}, answer: placeAgent },
    DELETE: { access: OPERATE, answer: forgetAgent },
  }),
  route('/v1/agents/{name}/keys', { POST: { access: OPERATE, body: JSON_BODY, query: {}, answer: rotateKey } }),
]
