import { type Access, route } from '../access/route.ts'
import { idOf } from '../directory/service.ts'
import { DOCUMENT_BODY, JSON_BODY } from '../http/body.ts'
import { canonicalize, healthz } from './core.ts'
import { invoke, readRanking, search } from './directory.ts'
import { CONVERSION, convert, decide, validate, verify } from './documents.ts'

/** Signed cards need no token; the holder of one vouches for an unsigned card. */
const VOUCH: Access = { scope: 'publish', optional: true, of: ({ body }) => idOf(body) }

const CHECK = { limit: 'CHECKS', body: JSON_BODY } as const
const CHECK_DOCUMENT = { ...CHECK, body: DOCUMENT_BODY } as const
const SEARCH = { limit: 'QUERIES', body: JSON_BODY, query: {} } as const

export const ROUTES = [
  route('/healthz', { GET: { answer: healthz } }),
  route('/v1/canonicalize', {
    POST: { ...CHECK, query: { hash: 'once', without: 'often', maxDepth: 'once' }, answer: canonicalize },
  }),
  route('/v1/validate', { POST: { ...CHECK_DOCUMENT, query: { as: 'once', ruleset: 'once' }, answer: validate } }),
  route('/v1/verify', { POST: { ...CHECK_DOCUMENT, query: { publicKey: 'once', provider: 'once' }, answer: verify } }),
  route('/v1/convert', { POST: { ...CHECK, query: CONVERSION, answer: convert } }),
  route('/v1/decide', { POST: { ...CHECK, query: {}, answer: decide } }),
  route('/adp/describe', { POST: { ...SEARCH, answer: invoke('adp.describe') } }),
  route('/adp/advertise', { POST: { access: VOUCH, body: JSON_BODY, query: {}, answer: invoke('adp.advertise') } }),
  route('/adp/discover', { POST: { ...SEARCH, answer: invoke('adp.discover') } }),
  route('/adp/ranking', { GET: { answer: readRanking } }),
  route('/search', { POST: { ...SEARCH, answer: search } }),
]
