/**
 * Messages of the Agent Gateway Protocol (ADP/1.1 section 7.2): parse, build, sign, verify, and exchange them over
 * WebSockets.
 * @module
 */

export type { GuardedInit } from '../net/fetch.ts'
export { CLOSE_CODES } from '../net/frames.ts'
export { addressFault, type SendOptions, type SendOutcome, sendRequest } from '../net/send.ts'
export { type ConnectOptions, type ConnectResult, chatEndpoint, connect } from './connect.ts'
export type { LinkAct, LinkOptions, LinkState, NumberedDraft, OutgoingMessage, Speaker } from './link.ts'
export { Link } from './link.ts'
export { type AgentRecord, countOne, type LinkMemory, linkMemory, REMEMBERED_MS } from './memory.ts'
export type { MessageFault } from './message.ts'
export {
  type BuildMessageOptions,
  buildMessage,
  type ContentType,
  type Draft,
  type Message,
  type MessageDraft,
  type MessageParts,
  type MessageType,
} from './message.ts'
export type { MessageRate } from './outbox.ts'
export type { FindAgent, Peer } from './peer.ts'
export { type FindPeer, type FindPeerOptions, rememberPeers } from './peer.ts'
export { openReceiver, type Receiver, type ReceiverOptions } from './receiver.ts'
export { messageDigest, type SignedMessage, type SignOptions, sign } from './sign.ts'
export {
  type AgentRequest,
  cancelTask,
  type ReceivedRequest,
  type RequestSignature,
  readTask,
  type SendTaskOptions,
  type SignRequestOptions,
  sendTask,
  signRequest,
  type TaskAnswer,
  type TaskOptions,
  type TaskRequest,
  type VerifiedRequest,
  type VerifyRequestOptions,
  verifyRequest,
} from './tasks.ts'
export { type MessageProof, type VerifyOptions, verify } from './verify.ts'
