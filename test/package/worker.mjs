// A Worker that uses the installed package, found under the `workerd` condition.
import { canonicalize } from 'blazon'

export default {
  async fetch(request) {
    return new Response(canonicalize(new Uint8Array(await request.arrayBuffer())))
  },
}
