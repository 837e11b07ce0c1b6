// The Worker, with a documents object that reports which reads it has served: `GET /reads`.
import { documents, type Env } from '../../edge/env.ts'
import { Documents as Kept } from '../../edge/objects/documents.ts'
import worker from '../../edge/worker.ts'

export { Agent } from '../../edge/objects/agent.ts'
export { DirectoryMap } from '../../edge/objects/directory-map.ts'
export { DirectoryShard } from '../../edge/objects/directory-shard.ts'
export { Gateway } from '../../edge/objects/gateway.ts'
export { Moderation, Sender } from '../../edge/objects/moderation.ts'
export { Registry } from '../../edge/objects/registry.ts'
export { Run, Tenant } from '../../edge/objects/runs.ts'

export class Documents extends Kept {
  #reads: string[] = []

  /** The reads since the last call. */
  reads(): string[] {
    return this.#reads.splice(0)
  }

  override agentOn(host: string) {
    this.#reads.push('agentOn')
    return super.agentOn(host)
  }

  override identity(name: string) {
    this.#reads.push('identity')
    return super.identity(name)
  }

  override read(name: string) {
    this.#reads.push('read')
    return super.read(name)
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (new URL(request.url).pathname !== '/reads') return worker.fetch(request, env)
    const stub: unknown = documents(env)
    return Response.json(await (stub as { reads(): Promise<string[]> }).reads())
  },
}
