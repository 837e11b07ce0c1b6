// What the object of an agent does for requests over HTTP, as the Worker calls it.
import { RpcTarget } from 'cloudflare:workers'
import { type Answered, answered } from '../http/answered.ts'
import { agentOf, type Proving, type SentRequest } from './callers.ts'

export class Desk extends RpcTarget {
  readonly #proving: Proving

  constructor(proving: Proving) {
    super()
    this.#proving = proving
  }

  /** The agent that has signed a request, whether it may speak here or not. */
  prove(sent: SentRequest): Promise<Answered<string>> {
    return answered(async () => (await agentOf(sent, { ...this.#proving, admit: () => undefined })).name)
  }
}
