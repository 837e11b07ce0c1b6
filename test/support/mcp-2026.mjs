// A server of MCP 2026-07-28, with one tool that asks the user first: without a handshake, and with input requests.
import { createInterface } from 'node:readline'

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const asks = {
  resultType: 'input_required',
  requestState: 's1',
  inputRequests: { sure: { method: 'elicitation/create', params: { message: 'Sure?' } } },
}
const done = { resultType: 'complete', content: [{ type: 'text', text: 'removed' }] }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (method === 'server/discover')
    say({ id, result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } })
  else if (method === 'tools/call') say({ id, result: params.inputResponses === undefined ? asks : done })
  else if (method === 'hang') process.exit(7)
  else if (id !== undefined) say({ id, error: { code: -32601, message: 'Method not found' } })
}
