/**
 * Features that need Node: a fetch for URLs from strangers, which refuses private networks (browsers and Workers cannot
 * reach those); WebSockets with the same guard; DNS over UDP and TCP; recorded runs in files; programs that a run starts.
 * @module
 */

export { udpResolver } from './dns.ts'
export { FetchRefused, guardedFetch } from './fetch.ts'
export { fileSink } from './file-sink.ts'
export { bashTool, canIsolate, startMcpServer } from './mcp-process.ts'
export { guardedWebSocket } from './socket.ts'
