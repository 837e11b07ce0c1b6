import { type Access, route } from '../access/route.ts'
import { type BodyRule, LINES_BODY } from '../http/body.ts'
import { PAGED } from '../http/query.ts'
import * as read from './read.ts'
import { addLines, findRun, openRun, takeTraces } from './write.ts'

const WRITE: Access = { scope: 'write' }
/** Holders of `write` see their own runs without sensitive content. */
const access: Access = { scope: 'audit', or: 'write' }
const RUN_BODY: BodyRule = { ...LINES_BODY, bytes: 4 << 20 }
const TRACES_BODY = {
  types: ['application/x-protobuf', 'application/json'],
  codings: ['identity', 'gzip'],
  bytes: 4 << 20,
}

export const ROUTES = [
  route('/runs', {
    GET: { access, query: { ...PAGED, ...read.RUN_FILTER }, answer: read.listRuns },
    POST: { access: WRITE, body: RUN_BODY, query: {}, answer: openRun },
  }),
  route('/runs/{id}', { GET: { access, query: {}, answer: read.readRun } }),
  route('/runs/{id}/records', {
    POST: { access: WRITE, before: findRun, body: RUN_BODY, query: {}, answer: addLines },
  }),
  route('/runs/{id}/checkpoint', { GET: { access, query: {}, answer: read.readCheckpoint } }),
  route('/runs/{id}/proof/{index}', { GET: { access, query: {}, answer: read.readProof } }),
  route('/runs/{id}/consistency', { GET: { access, query: { from: 'once' }, answer: read.readGrowth } }),
  route('/v1/traces', { POST: { access: WRITE, body: TRACES_BODY, query: {}, answer: takeTraces } }),
]
