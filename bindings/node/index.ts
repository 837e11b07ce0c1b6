/**
 * The features that need Node: fetching from strangers with a guard that browsers and Workers do not need, for it connects
 * to no address of a private network; WebSockets with the same guard; asking the DNS over UDP and TCP.
 * @module
 */

export type { GuardedFetch } from '../net/fetch.ts'
export { type UdpOptions, udpResolver } from './dns.ts'
export { FetchRefused, type GuardOptions, guardedFetch } from './fetch.ts'
export { type GuardedSocketClass, guardedWebSocket, type SocketOptions } from './socket.ts'
