// The Worker, with a documents object that reports which reads it has served: `GET /reads`.
import { documents, type Env } from '../../edge/env.ts'
import { Documents as Kept } from '../../edge/objects/documents.ts'
import worker from '../../edge/worker.ts'

export * from '../../edge/worker.ts'

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
