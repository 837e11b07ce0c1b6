import { type Access, route } from '../access/route.ts'
import { idOf } from '../directory/service.ts'
import { JSON_BODY } from '../http/body.ts'
import { canonicalize, healthz } from './core.ts'
import { invoke, readRanking, search } from './directory.ts'
import { convert, decide, validate, verify } from './documents.ts'

/** Signed cards need no token; the holder of one vouches for an unsigned card. */
const VOUCH: Access = { scope: 'publish', optional: true, of: ({ body }) => idOf(body) }

export const ROUTES = [
  route('/healthz', { GET: { answer: healthz } }),
  route('/v1/canonicalize', { POST: { limit: 'CHECKS', body: JSON_BODY, answer: canonicalize } }),
  route('/v1/validate', { POST: { limit: 'CHECKS', body: JSON_BODY, answer: validate } }),
  route('/v1/verify', { POST: { limit: 'CHECKS', body: JSON_BODY, answer: verify } }),
  route('/v1/convert', { POST: { limit: 'CHECKS', body: JSON_BODY, answer: convert } }),
  route('/v1/decide', { POST: { limit: 'CHECKS', body: JSON_BODY, answer: decide } }),
  route('/adp/describe', { POST: { limit: 'QUERIES', body: JSON_BODY, answer: invoke('adp.describe') } }),
  route('/adp/advertise', { POST: { access: VOUCH, body: JSON_BODY, answer: invoke('adp.advertise') } }),
  route('/adp/discover', { POST: { limit: 'QUERIES', body: JSON_BODY, answer: invoke('adp.discover') } }),
  route('/adp/ranking', { GET: { answer: readRanking } }),
  route('/search', { POST: { limit: 'QUERIES', body: JSON_BODY, answer: search } }),
]
