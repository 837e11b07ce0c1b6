/**
 * Features that need Node: a fetch for URLs from strangers, which refuses private networks (browsers and Workers cannot
 * reach those); WebSockets with the same guard; DNS over UDP and TCP; recorded runs in files; programs that a run starts.
 * @module
 */

export type { GuardedFetch } from '../net/fetch.ts'
export type { RunSink } from '../runs/record/sink.ts'
export { type UdpOptions, udpResolver } from './dns.ts'
export { FetchRefused, type GuardOptions, guardedFetch } from './fetch.ts'
export { fileSink } from './file-sink.ts'
export {
  type BashToolOptions,
  bashTool,
  canIsolate,
  type McpProcess,
  type McpServerCommand,
  startMcpServer,
} from './mcp-process.ts'
export { type GuardedSocketClass, guardedWebSocket, type SocketOptions } from './socket.ts'
