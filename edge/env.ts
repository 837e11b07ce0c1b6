import type { Documents } from './objects/documents.ts'

/** What wrangler.jsonc binds. */
export interface Env {
  readonly DOCUMENTS: DurableObjectNamespace<Documents>
  /** A secret: `npx wrangler secret put PUBLISH_TOKEN`. */
  readonly PUBLISH_TOKEN?: string
}

/** The one object that has the documents. */
export function documents(env: Env): DurableObjectStub<Documents> {
  return env.DOCUMENTS.get(env.DOCUMENTS.idFromName('documents'))
}
