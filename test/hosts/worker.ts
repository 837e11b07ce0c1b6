// workerd: a job in a request, its answer in the response; to a request without one, what the self-test says. It refuses to compile bytes, so the builds are imported.

import simd from 'blazon/core.wasm'
import baseline from 'blazon/core-baseline.wasm'
import { answer, selftest } from './answer.ts'

export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method === 'GET') return Response.json(await selftest())
    return new Response(await answer(new Uint8Array(await request.arrayBuffer()), { simd, baseline }))
  },
}
