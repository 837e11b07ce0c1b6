// What shows that a run, or the list of a tenant's runs, was not changed: signed heads of trees, and proofs.
import { encodeBase64 } from 'blazon/keys'
import { type Hash, writeProof } from 'blazon/runs'
import { toHex } from '../../bindings/text/bytes.ts'
import { isDomain } from '../../bindings/text/host-name.ts'
import type { Call } from '../access/route.ts'
import type { Proven } from '../contracts/runs.ts'
import { directoryMap } from '../env.ts'
import { apiHeaders, json } from '../http/answer.ts'
import { publicOrigins } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import { sha256 } from '../http/published.ts'
import { integer } from '../http/query.ts'
import { findTree, tenantOf } from './read.ts'

/** A proof, and the signed checkpoint that it leads to. */
async function prove(call: Call<'id'>, what: Proven) {
  const { tree, row } = await findTree(call)
  const proof = await tree.prove(what)
  if (proof === undefined) throw new Problem('not-found', 'The tree does not have that many lines.')
  const tenant = await sha256(new TextEncoder().encode(tenantOf(call)))
  const { hostname } = new URL(publicOrigins(call.env)[0]!)
  const domain = isDomain(hostname) ? hostname : 'blazon.invalid'
  const origin = `${domain}/adp/${row?.id ?? `tenants/${toHex(tenant)}`}`
  const { size, root } = proof
  const checkpoint = await directoryMap(call.env).signCheckpoint({ origin, size, root: root as Hash })
  return { size, hashes: proof.hashes as Hash[], checkpoint }
}

const text = (bytes: BodyInit) =>
  new Response(bytes, { headers: apiHeaders({ 'content-type': 'text/plain; charset=utf-8' }) })

/** `GET /runs/{id}/checkpoint`: the signed head of the tree (C2SP tlog-checkpoint). */
export async function readCheckpoint(call: Call<'id'>): Promise<Response> {
  return text((await prove(call, {})).checkpoint)
}

/** `GET /runs/{id}/proof/{index}`: that a line is in the tree (C2SP tlog-proof). */
export async function readProof(call: Call<'id' | 'index'>): Promise<Response> {
  const index = Number(/^\d{1,9}$/.exec(call.parts.index)?.[0])
  const { hashes, checkpoint } = await prove(call, { index })
  return text(writeProof({ index, hashes, checkpoint }))
}

/** `GET /runs/{id}/consistency?from=N`: that the tree grew from its first N lines (RFC 6962 section 2.1.2). */
export async function readGrowth(call: Call<'id'>): Promise<Response> {
  const from = integer(call.url.searchParams, 'from', 0, 999_999_999) ?? 0
  const { size, hashes, checkpoint } = await prove(call, { from })
  return json({ from, size, proof: hashes.map(encodeBase64), checkpoint: new TextDecoder().decode(checkpoint) })
}
