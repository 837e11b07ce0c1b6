/**
 * Features that need Node: a fetch for URLs from strangers, which refuses private networks (browsers and Workers cannot
 * reach those); WebSockets with the same guard; DNS over UDP and TCP.
 * @module
 */

export type { GuardedFetch } from '../net/fetch.ts'
export { type UdpOptions, udpResolver } from './dns.ts'
export { FetchRefused, type GuardOptions, guardedFetch } from './fetch.ts'
export { type GuardedSocketClass, guardedWebSocket, type SocketOptions } from './socket.ts'
