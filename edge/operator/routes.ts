import { type Access, route } from '../access/route.ts'
import { JSON_BODY, LINES_BODY } from '../http/body.ts'
import { PAGED } from '../http/query.ts'
import { growShards, readState, sendSignals } from './directory.ts'
import { changeRules, dropWaiting, readQueue, readRules } from './moderation.ts'
import { giveTokens, withdrawTokens } from './tokens.ts'
import { exportCards, importCards } from './transfer.ts'

const EXPORT: Access = { scope: 'export' }
const OPERATE: Access = { scope: 'operate' }
const GRANT: Access = { scope: 'grant' }

export const ROUTES = [
  route('/v1/directory/state', { GET: { access: EXPORT, query: {}, answer: readState } }),
  route('/v1/directory/shards', { POST: { access: OPERATE, body: JSON_BODY, query: {}, answer: growShards } }),
  route('/v1/directory/signals', { POST: { access: OPERATE, body: JSON_BODY, query: {}, answer: sendSignals } }),
  route('/v1/directory/rules', {
    GET: { access: EXPORT, query: { from: 'once', limit: 'once' }, answer: readRules },
    POST: { access: OPERATE, body: JSON_BODY, query: {}, answer: changeRules },
  }),
  route('/v1/directory/queue', {
    GET: { access: EXPORT, query: PAGED, answer: readQueue },
    DELETE: { access: OPERATE, query: { id: 'often' }, answer: dropWaiting },
  }),
  route('/v1/tokens', {
    POST: { access: GRANT, body: JSON_BODY, query: {}, answer: giveTokens },
    DELETE: { access: GRANT, query: { holder: 'often' }, answer: withdrawTokens },
  }),
  route('/v1/directory/export', { GET: { access: EXPORT, query: PAGED, answer: exportCards } }),
  route('/v1/directory/import', { POST: { access: OPERATE, body: LINES_BODY, query: {}, answer: importCards } }),
]
