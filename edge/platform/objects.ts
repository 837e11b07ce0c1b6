import { DurableObject } from 'cloudflare:workers'
import type { ObjectState } from './types.ts'

/** Lets callers of an object call the methods of a value that it returns. */
export { RpcTarget } from 'cloudflare:workers'

/** An object with a name and a storage. There is one of each name, which handles one event at a time. */
export abstract class StoredObject<Env> extends DurableObject<ObjectState, Env> {
  protected readonly store = this.ctx.storage
}
