// The methods of A2A over HTTP+JSON (1.0 section 11, 0.3 section 3.2.3). Every message is a search of the directory.
import { handleInvocation } from 'blazon/directory'
import type { Call } from '../access/route.ts'
import type { A2aVersion } from '../contracts/directory.ts'
import { shardedDirectory } from '../directory/service.ts'
import { apiHeaders } from '../http/answer.ts'
import { Problem } from '../http/problem.ts'
import { A2A_TYPES, Fault, versionOf } from './binding.ts'
import { messageOf, noPush, noTask, readMessage } from './message.ts'

/** `POST /message:send`. */
export async function sendMessage(call: Call): Promise<Response> {
  const version = spoken(call)
  return answered({ message: await search(call, version) }, version)
}

/** `POST /message:stream`: a stream of a single event, because the answer is ready at once (1.0 section 3.1.2). */
export async function streamMessage(call: Call): Promise<Response> {
  const message = await search(call, spoken(call))
  const headers = apiHeaders({ 'content-type': 'text/event-stream' })
  return new Response(`data: ${JSON.stringify({ message })}\n\n`, { headers })
}

async function search({ body, env }: Call, version: A2aVersion) {
  const asked = readMessage(body, version)
  const invocation = { method: 'adp.discover', body: JSON.stringify(asked.query) }
  const { status, body: found } = await handleInvocation(shardedDirectory(env), invocation)
  if (status === 'OK') return messageOf(found, asked, version)
  const [first] = (found['diagnostics'] ?? []) as readonly { readonly detail: string }[]
  if (status === 'INVALID_REQUEST') throw new Fault('INVALID_PARAMS', first?.detail ?? 'The search is invalid.')
  throw new Problem('unavailable', 'The directory does not answer right now.')
}

/** `GET /tasks`: always empty. */
export function listTasks(call: Call): Response {
  return answered({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 }, spoken(call))
}

/** Refuses to read, cancel or follow a task, because there are no tasks. */
export function refuseTask(call: Call<'name'>): never {
  spoken(call)
  throw noTask()
}

export function refusePush(call: Call<'name'>): never {
  spoken(call)
  throw noPush()
}

/** Refuses the extended card for authenticated clients. */
export function refuseExtendedCard(call: Call): never {
  spoken(call)
  throw new Fault('UNSUPPORTED_OPERATION', 'There is only one card, at /.well-known/agent-card.json.')
}

function spoken(call: Pick<Call, 'request' | 'url'>): A2aVersion {
  const version = versionOf(call)
  if (version !== undefined) return version
  throw new Fault('VERSION_NOT_SUPPORTED', `This server supports A2A-Version ${Object.keys(A2A_TYPES).join(' and ')}.`)
}

function answered(content: object, version: A2aVersion): Response {
  return new Response(JSON.stringify(content), { headers: apiHeaders({ 'content-type': A2A_TYPES[version] }) })
}
