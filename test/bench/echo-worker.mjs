// What a Worker costs that does nothing: a constant answer, an object that sends back what it gets over WebSockets that
// hibernate, and one that inserts lines and does not look at them.
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
  insert(text) {
    const { sql } = this.ctx.storage
    sql.exec('CREATE TABLE IF NOT EXISTS lines (seq INTEGER PRIMARY KEY, text TEXT NOT NULL)')
    for (const line of text.split('\n')) if (line !== '') sql.exec('INSERT INTO lines (text) VALUES (?)', line)
    return sql.exec('SELECT MAX(seq) AS size FROM lines').one().size
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
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/runs')) {
      const run = env.RUNS.get(env.RUNS.idFromName(pathname))
      return Response.json({ size: await run.insert(await request.text()) })
    }
    if (request.method === 'POST') {
      const shard = env.DIRECTORY_SHARDS.get(env.DIRECTORY_SHARDS.idFromName('echo'))
      return new Response(await shard.search(await request.text()), { headers: { 'content-type': 'application/json' } })
    }
    return new Response(env.CONSTANT, { headers: { 'content-type': 'application/vnd.adp+json' } })
  },
}
