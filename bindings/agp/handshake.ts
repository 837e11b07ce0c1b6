// Checks of a message in a conversation, after its form: hellos, terms, limits.

import { quoted } from '../text/words.ts'
import { type Hello, versionOf } from './contents.ts'
import type { MessageFault } from './faults.ts'
import * as FINDINGS from './findings.ts'
import { senderFault, signatureFault } from './judge.ts'
import { isSameAgent, type Message } from './message.ts'
import type { Peer } from './peer.ts'

/** Compares a hello with the metadata of its sender. */
export async function helloFault(
  message: Message,
  { fingerprint }: Hello,
  peer: Peer,
): Promise<MessageFault | undefined> {
  if (!isSameAgent(message.from, peer.uri)) return senderFault(message, peer.uri)
  if (fingerprint !== peer.fingerprint) {
    const detail = `expected ${peer.fingerprint}, found ${quoted(fingerprint)}`
    return { kind: FINDINGS.AGP_OTHER_KEY, pointer: '/body/content', detail }
  }
  return signatureFault(message, peer.verifier)
}

interface Terms {
  /** The lowest version that this side accepts. */
  readonly least: string | undefined
  /** Strict messages are required: this side supports them, and the sender announces them or has used them before. */
  readonly isStrict: boolean
}

/** Returns the requirement of this side that a hello does not meet. */
export function termsFault({ protocol, strict }: Hello, { least, isStrict }: Terms): MessageFault | undefined {
  const pointer = '/body/content'
  if (least !== undefined && versionOf(protocol)! < (versionOf(least) ?? 0))
    return { kind: FINDINGS.AGP_VERSION, pointer, detail: `expected ${least} at least, found ${protocol}` }
  if (!isStrict || strict !== undefined) return undefined
  return {
    kind: FINDINGS.AGP_NOT_STRICT,
    pointer,
    detail: 'it speaks strict by its metadata, or did, and its hello does not',
  }
}

export const TOO_OFTEN: MessageFault = {
  kind: FINDINGS.AGP_RATE,
  pointer: '',
  detail: 'more messages than the metadata of this agent allows',
}
export const TOO_MANY: MessageFault = {
  kind: FINDINGS.AGP_RATE,
  pointer: '/id',
  detail: 'more messages than can be remembered',
}

export const noHello = ({ type }: Message): MessageFault => ({
  kind: FINDINGS.AGP_HELLO,
  pointer: '/body/content',
  detail: `expected the hello that is next in the handshake, found another message of type ${type}`,
})

export const REPEATED_HELLO: MessageFault = {
  kind: FINDINGS.AGP_HELLO,
  pointer: '/body/content',
  detail: 'the hellos were exchanged already',
}

export const replayed = ({ id }: Message): MessageFault => ({
  kind: FINDINGS.AGP_REPLAYED,
  pointer: '/id',
  detail: `${id} was taken before`,
})
