/**
 * Messages of the Agent Gateway Protocol (ADP/1.1 section 7.2): parse, build, sign, verify, and exchange them over
 * WebSockets.
 * @module
 */

export type { Discovery } from '../discover/trust/discover.ts'
export type { ReachedLevel } from '../discover/trust/levels.ts'
export type { Document } from '../document/document.ts'
export type { FindingKind } from '../document/finding.ts'
export type { Diagnostic } from '../document/types.ts'
export type { Proof, Step, StepOutcome, Verdict } from '../frame/proof.ts'
export type { HeaderSource } from '../keys/http/components.ts'
export type { KeySource } from '../keys/read.ts'
export type { Signer } from '../keys/signer.ts'
export type { Verifier } from '../keys/verifier.ts'
export { CLOSE_CODES } from '../net/close-codes.ts'
export type { Connection, TlsVersion } from '../net/connection.ts'
export type { GuardedFetch, GuardedInit } from '../net/fetch.ts'
export { addressFault, type SendOptions, type SendOutcome, sendRequest } from '../net/send.ts'
export type { SocketEvent, SocketLike } from './carrier.ts'
export {
  type AgentError,
  type ConnectOptions,
  type ConnectResult,
  type Conversation,
  chatEndpoint,
  connect,
  type WebSocketClass,
} from './connect.ts'
export type { MessageFault } from './faults.ts'
export { Link } from './link.ts'
export type {
  LinkAct,
  LinkOptions,
  LinkState,
  NumberedDraft,
  Sending,
  Speaker,
} from './link-parts.ts'
export { type AgentRecord, countOne, type LinkMemory, linkMemory, REMEMBERED_MS } from './memory.ts'
export {
  type BuildMessageOptions,
  buildMessage,
  type ContentType,
  type Draft,
  type Message,
  type MessageBody,
  type MessageParts,
  type MessageType,
  type StrictMark,
} from './message.ts'
export type { MessageDraft, SendResult } from './outbox.ts'
export { type ParsedMessage, type ParseMessageOptions, parseMessage } from './parse.ts'
export { messageDigest, signingBytes, strictBytes } from './payload.ts'
export {
  type AskedAgent,
  type FindAgent,
  type FoundPeer,
  type Peer,
  peerOf,
} from './peer.ts'
export { type FindPeer, type FindPeerOptions, type PeerHints, rememberPeers } from './peers.ts'
export { type Bucket, type MessageRate, Pace } from './rate.ts'
export { openReceiver, type Receiver, type ReceiverOptions } from './receiver.ts'
export {
  type AgentRequest,
  type ReceivedRequest,
  type RequestSignature,
  type SignRequestOptions,
  signRequest,
  type VerifiedRequest,
  type VerifyRequestOptions,
  verifyRequest,
} from './request.ts'
export type { SpeakerOptions } from './self.ts'
export { type SignedMessage, type SignOptions, sign } from './sign.ts'
export {
  cancelTask,
  readTask,
  type SendTaskOptions,
  sendTask,
  type TaskAnswer,
  type TaskOptions,
  type TaskRequest,
  type TaskState,
  type TaskStatus,
} from './tasks.ts'
export { type MessageProof, type VerifyOptions, verify } from './verify.ts'
