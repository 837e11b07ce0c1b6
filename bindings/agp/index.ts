/**
 * Messages of the Agent Gateway Protocol (ADP/1.1 section 7.2): parse, build, sign, verify, and exchange them over
 * WebSockets.
 * @module
 */

export type { GuardedInit } from '../net/fetch.ts'
export { CLOSE_CODES } from '../net/frames.ts'
export { addressFault, sendRequest } from '../net/send.ts'
export { chatEndpoint, connect } from './connect.ts'
export { Link, type NumberedDraft, type OutgoingMessage, type Speaker } from './link.ts'
export { countOne, type LinkMemory, linkMemory, REMEMBERED_MS } from './memory.ts'
export { buildMessage, type Draft, type Message, type MessageDraft, type MessageFault } from './message.ts'
export type { MessageRate } from './outbox.ts'
export { type FindAgent, type FindPeer, type Peer, rememberPeers } from './peer.ts'
export { openReceiver } from './receiver.ts'
export { messageDigest, sign } from './sign.ts'
export {
  cancelTask,
  readTask,
  sendTask,
  signRequest,
  type TaskAnswer,
  type TaskOptions,
  verifyRequest,
} from './tasks.ts'
export { verify } from './verify.ts'
