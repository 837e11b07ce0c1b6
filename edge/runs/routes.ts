import { type Access, route } from '../access/route.ts'
import { type BodyRule, LINES_BODY } from '../http/body.ts'
import { PAGED } from '../http/query.ts'
import { readCheckpoint, readGrowth, readProof } from './proofs.ts'
import { listRuns, readRun } from './read.ts'
import { addLines, openRun } from './write.ts'

const WRITE: Access = { scope: 'write' }
/** Holders of `write` see their own runs without sensitive content. */
const AUDIT: Access = { scope: 'audit', or: 'write' }
const RUN_BODY: BodyRule = { ...LINES_BODY, bytes: 4 << 20 }
const FILTER = { agent: 'once', status: 'once', label: 'once', since: 'once', until: 'once', linkage: 'once' } as const

export const ROUTES = [
  route('/runs', {
    GET: { access: AUDIT, query: { ...PAGED, ...FILTER }, answer: listRuns },
    POST: { access: WRITE, body: RUN_BODY, query: {}, answer: openRun },
  }),
  route('/runs/{id}', { GET: { access: AUDIT, query: {}, answer: readRun } }),
  route('/runs/{id}/records', { POST: { access: WRITE, body: RUN_BODY, query: {}, answer: addLines } }),
  route('/runs/{id}/checkpoint', { GET: { access: AUDIT, query: {}, answer: readCheckpoint } }),
  route('/runs/{id}/proof/{index}', { GET: { access: AUDIT, query: {}, answer: readProof } }),
  route('/runs/{id}/consistency', { GET: { access: AUDIT, query: { from: 'once' }, answer: readGrowth } }),
]
