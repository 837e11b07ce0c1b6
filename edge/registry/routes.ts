// An OCI registry for agents (distribution-spec 1.1), without a catalog, mounts and referrers.
import { MANIFEST_TYPE } from '../../bindings/host/registry/names.ts'
import { type Access, route } from '../access/route.ts'
import { json } from '../http/answer.ts'
import type { BodyRule } from '../http/body.ts'
import { readAgent } from './agent.ts'
import { tellOci } from './repository.ts'
import { addChunk, finishUpload, LARGEST_BLOB, readUpload, startUpload } from './uploads.ts'
import { listTags, publish, readBlob, readManifest, yank } from './versions.ts'

const access: Access = { scope: 'push', basic: true, of: ({ parts }) => parts['developer']! }
const ANY: Access = { ...access, of: ({ bearer }) => bearer!.holder }
const BLOB: BodyRule = {
  types: ['application/octet-stream'],
  codings: ['identity'],
  bytes: LARGEST_BLOB,
  isStreamed: true,
}
const MANIFEST: BodyRule = { types: [MANIFEST_TYPE], codings: ['identity'], bytes: 1 << 16 }
const limit = 'QUERIES'

const REPOSITORY = '/v2/{developer}/{name}'
const UPLOAD = {
  GET: { access, answer: readUpload },
  PATCH: { access, body: BLOB, answer: addChunk },
  PUT: { access, body: BLOB, answer: finishUpload },
}
const VERSION = {
  GET: { limit, answer: readManifest },
  PUT: { access, body: MANIFEST, answer: publish },
  DELETE: { access, answer: yank },
} as const
const TAGS = { GET: { limit, query: { n: 'once', last: 'once' }, answer: listTags } } as const

export const ROUTES = [
  // Clients ask this first. After a 401 they send their password with every request.
  route('/v2/', { GET: { access: ANY, query: {}, answer: () => json({}) } }, tellOci),
  route(REPOSITORY, { GET: { limit, query: { reference: 'once' }, answer: readAgent } }, tellOci),
  route(`${REPOSITORY}/blobs/uploads/`, { POST: { access, body: BLOB, answer: startUpload } }, tellOci),
  route(`${REPOSITORY}/blobs/uploads/{id}`, UPLOAD, tellOci),
  route(`${REPOSITORY}/blobs/{digest}`, { GET: { limit, answer: readBlob } }, tellOci),
  route(`${REPOSITORY}/manifests/{reference}`, VERSION, tellOci),
  route(`${REPOSITORY}/tags/list`, TAGS, tellOci),
]
