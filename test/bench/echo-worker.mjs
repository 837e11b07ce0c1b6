// What a Worker costs that does nothing: a constant answer, and an object that sends back what it is told over WebSockets
// that hibernate.
import { DurableObject } from 'cloudflare:workers'

class Echo extends DurableObject {
  fetch() {
    const { 0: theirs, 1: ours } = new globalThis.WebSocketPair()
    this.ctx.acceptWebSocket(ours)
    return new Response(null, { status: 101, webSocket: theirs })
  }
  webSocketMessage(socket, text) {
    socket.send(text)
  }
  search() {
    return this.env.CONSTANT
  }
}

// The local runtime is told of all classes that the real Worker has.
export {
  Echo as Agent,
  Echo as DirectoryMap,
  Echo as DirectoryShard,
  Echo as Documents,
  Echo as Gateway,
  Echo as Moderation,
  Echo as Run,
  Echo as Sender,
  Echo as Tenant,
}

export default {
  async fetch(request, env) {
    if (request.headers.get('upgrade') === 'websocket')
      return env.GATEWAYS.get(env.GATEWAYS.idFromName('echo')).fetch(request)
    if (request.method === 'POST') {
      const shard = env.DIRECTORY_SHARDS.get(env.DIRECTORY_SHARDS.idFromName('echo'))
      return new Response(await shard.search(await request.text()), { headers: { 'content-type': 'application/json' } })
    }
    return new Response(env.CONSTANT, { headers: { 'content-type': 'application/vnd.adp+json' } })
  },
}
