// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'AGP-101' | 'AGP-102' | 'AGP-103' | 'AGP-104' | 'AGP-105' | 'AGP-106' | 'AGP-107' | 'AGP-108' | 'AGP-109' | 'AGP-120' | 'AGP-121' | 'AGP-122' | 'AGP-123' | 'AGP-124' | 'AGP-125' | 'AGP-126' | 'AGP-127' | 'AGP-130' | 'AGP-131' | 'AGP-132' | 'AGP-133' | 'AGP-134' | 'AGP-135' | 'AGP-136' | 'AGP-137' | 'AGP-138' | 'AGP-139' | 'AGP-150' | 'AGP-151' | 'AGP-152' | 'AGP-153' | 'AGP-154' | 'AGP-155' | 'AGP-156' | 'AGP-157' | 'AGP-158'

const T0 = 'ADP/1.1 section 7.2.3'
const T1 = 'ADP/1.1 section 7.2.5'
const T2 = 'ADP/1.1 section 7.2.4'
const T3 = 'ADP/1.1 section 8.1.1'
const T4 = 'docs/guide/agp.md, Strict messages'
const T5 = 'ADP/1.1 section 7.2.2'
const T6 = 'ADP/1.1 section 6.3.5'
const T7 = 'docs/guide/agp.md'
const T8 = 'docs/guide/tasks.md, Signed requests'
const T9 = 'docs/guide/tasks.md'
export const AGP_SHAPE = /* @__PURE__ */ finding('agp/shape', 'AGP-101', 'Not a message', T0)
export const AGP_LINE_FEED = /* @__PURE__ */ finding('agp/line-feed', 'AGP-102', 'Line feed in a signed field', T1)
export const AGP_ID = /* @__PURE__ */ finding('agp/id', 'AGP-103', 'Malformed message id', T0)
export const AGP_AGENT = /* @__PURE__ */ finding('agp/agent', 'AGP-104', 'Malformed agent URI', T0)
export const AGP_TYPE = /* @__PURE__ */ finding('agp/type', 'AGP-105', 'Unknown message type', T2)
export const AGP_TIMESTAMP = /* @__PURE__ */ finding('agp/timestamp', 'AGP-106', 'Malformed timestamp', T0)
export const AGP_SIGNATURE = /* @__PURE__ */ finding('agp/signature', 'AGP-107', 'Malformed signature', T1)
export const AGP_CONTENT_TYPE = /* @__PURE__ */ finding('agp/content-type', 'AGP-108', 'Unknown content type', T0)
export const AGP_CONTENT = /* @__PURE__ */ finding('agp/content', 'AGP-109', 'Content that does not match its type', T2)
export const AGP_OLD = /* @__PURE__ */ finding('agp/old', 'AGP-120', 'Message that is too old', T3)
export const AGP_EARLY = /* @__PURE__ */ finding('agp/early', 'AGP-121', 'Message from the future', T3)
export const AGP_OTHER_SENDER = /* @__PURE__ */ finding('agp/other-sender', 'AGP-122', 'Another sender', T1)
export const AGP_OTHER_RECIPIENT = /* @__PURE__ */ finding('agp/other-recipient', 'AGP-123', 'Another recipient', T1)
export const AGP_FORGED = /* @__PURE__ */ finding('agp/forged', 'AGP-124', 'Invalid signature', T1)
export const AGP_REPLAYED = /* @__PURE__ */ finding('agp/replayed', 'AGP-125', 'Message id that was used before', T3)
export const AGP_NOT_STRICT = /* @__PURE__ */ finding('agp/not-strict', 'AGP-126', 'Strict signature is missing', T4)
export const AGP_ORDER = /* @__PURE__ */ finding('agp/order', 'AGP-127', 'Message out of order', T4)
export const AGP_HELLO = /* @__PURE__ */ finding('agp/hello', 'AGP-130', 'No valid hello', T5)
export const AGP_OTHER_KEY = /* @__PURE__ */ finding('agp/other-key', 'AGP-131', 'Key that is not in the metadata', T5)
export const AGP_VERSION = /* @__PURE__ */ finding('agp/version', 'AGP-132', 'Protocol too old', T6)
export const AGP_UNKNOWN = /* @__PURE__ */ finding('agp/unknown', 'AGP-133', 'Agent that was not found', T5)
export const AGP_RATE = /* @__PURE__ */ finding('agp/rate', 'AGP-134', 'Too many messages', T6)
export const AGP_REFUSED = /* @__PURE__ */ finding('agp/refused', 'AGP-135', 'Agent that may not send messages here', T7)
export const AGP_FULL = /* @__PURE__ */ finding('agp/full', 'AGP-136', 'No room for more messages', T7)
export const AGP_LATE = /* @__PURE__ */ finding('agp/late', 'AGP-137', 'No answer in time', T7)
export const AGP_ENDED = /* @__PURE__ */ finding('agp/ended', 'AGP-138', 'Conversation that has ended', T7)
export const AGP_UNTAKEN = /* @__PURE__ */ finding('agp/untaken', 'AGP-139', 'Message that was not accepted', T7)
export const AGP_UNSIGNED = /* @__PURE__ */ finding('agp/unsigned', 'AGP-150', 'Request without a signature', T8)
export const AGP_UNCOVERED = /* @__PURE__ */ finding('agp/uncovered', 'AGP-151', 'Signature that covers too little', T8)
export const AGP_OUT_OF_TIME = /* @__PURE__ */ finding('agp/out-of-time', 'AGP-152', 'Signature outside its validity', T8)
export const AGP_OTHER_BODY = /* @__PURE__ */ finding('agp/other-body', 'AGP-153', 'Body that was not signed', T8)
export const AGP_NOT_SIGNED = /* @__PURE__ */ finding('agp/not-signed', 'AGP-154', 'Request that the key has not signed', T8)
export const AGP_TAKEN_BEFORE = /* @__PURE__ */ finding('agp/taken-before', 'AGP-155', 'Repeated request', T8)
export const AGP_OTHER_KEYID = /* @__PURE__ */ finding('agp/other-keyid', 'AGP-156', 'Key that the agent does not have', T8)
export const AGP_NO_TASK = /* @__PURE__ */ finding('agp/no-task', 'AGP-157', 'Task that was not accepted', T9)
export const AGP_CALLBACK = /* @__PURE__ */ finding('agp/callback', 'AGP-158', 'Callback at another address', T9)

export const ALL: readonly FindingKind[] = [AGP_SHAPE, AGP_LINE_FEED, AGP_ID, AGP_AGENT, AGP_TYPE, AGP_TIMESTAMP, AGP_SIGNATURE, AGP_CONTENT_TYPE, AGP_CONTENT, AGP_OLD, AGP_EARLY, AGP_OTHER_SENDER, AGP_OTHER_RECIPIENT, AGP_FORGED, AGP_REPLAYED, AGP_NOT_STRICT, AGP_ORDER, AGP_HELLO, AGP_OTHER_KEY, AGP_VERSION, AGP_UNKNOWN, AGP_RATE, AGP_REFUSED, AGP_FULL, AGP_LATE, AGP_ENDED, AGP_UNTAKEN, AGP_UNSIGNED, AGP_UNCOVERED, AGP_OUT_OF_TIME, AGP_OTHER_BODY, AGP_NOT_SIGNED, AGP_TAKEN_BEFORE, AGP_OTHER_KEYID, AGP_NO_TASK, AGP_CALLBACK]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...AGP_SHAPE, why: 'A message is one object with id, from, to, type, timestamp, signature, and a body with content. Without one of them it cannot be verified.', bad: '{"id": "c0a8012e-7f0c-4b6e-9d8e-2f1a7c5b3e90", "type": "chat"}', good: '{"id": "c0a8012e-7f0c-4b6e-9d8e-2f1a7c5b3e90", "from": "agent:alice.example.com", "to": "agent:bob.example.com", "type": "chat", "timestamp": "2026-06-18T10:00:00Z", "signature": "ed25519:…", "body": {"content": "Good morning", "contentType": "text/plain"}}' },
  { ...AGP_LINE_FEED, why: 'Line feeds separate the signed fields. A line feed inside a field would give two messages the same signed bytes.', bad: '{"to": "agent:bob.example.com\\nchat"}', good: '{"to": "agent:bob.example.com"}' },
  { ...AGP_ID, why: 'Ids are UUIDs, so that a repeated message is recognized.', bad: '{"id": "message 1"}', good: '{"id": "c0a8012e-7f0c-4b6e-9d8e-2f1a7c5b3e90"}' },
  { ...AGP_AGENT, why: 'An agent is named by its domain, because its key is found there.', bad: '{"from": "alice"}', good: '{"from": "agent:alice.example.com"}' },
  { ...AGP_TYPE, why: 'The draft has four types. Each side would interpret another type differently.', bad: '{"type": "message"}', good: '{"type": "chat"}' },
  { ...AGP_TIMESTAMP, why: 'Without a time, an old message looks like a new one.', bad: '{"timestamp": "yesterday"}', good: '{"timestamp": "2026-06-18T10:00:00Z"}' },
  { ...AGP_SIGNATURE, why: 'A signature is ed25519 and 64 bytes in base64url without padding, in their only spelling.', bad: '{"signature": "MEUCIQ=="}', good: '{"signature": "ed25519:3cLS5W0xP3brpT0YajFvC4ShK70izrmapx8_3p-OBBloFgdTrQEpDXdefpnG0H8Yl-Ag4vAy2yYayNS4GLnyAg"}' },
  { ...AGP_CONTENT_TYPE, why: 'The draft has three content types, and the signature does not cover them. Other types are refused.', bad: '{"body": {"content": "…", "contentType": "image/svg+xml"}}', good: '{"body": {"content": "…", "contentType": "text/plain"}}' },
  { ...AGP_CONTENT, why: 'Messages of type system and ack are for the program. docs/guide/agp.md defines their JSON.', bad: '{"type": "ack", "body": {"content": "thank you"}}', good: '{"type": "ack", "body": {"content": "{\\"ack\\":\\"c0a8012e-7f0c-4b6e-9d8e-2f1a7c5b3e90\\"}", "contentType": "application/json"}}' },
  { ...AGP_OLD, why: 'Receivers MUST refuse messages older than 300 seconds, because someone may have kept them.', bad: 'a message from yesterday', good: 'a message that is signed when it is sent, with a correct clock' },
  { ...AGP_EARLY, why: 'Receivers MUST refuse messages more than 60 seconds ahead, because they could be sent again much later.', bad: 'a message from tomorrow', good: 'a correct clock' },
  { ...AGP_OTHER_SENDER, why: 'In a conversation, each side speaks only for itself.', bad: 'a message from agent:carol.example.com in a conversation with agent:alice.example.com', good: 'a separate conversation with Carol' },
  { ...AGP_OTHER_RECIPIENT, why: 'The message is addressed to someone else, and was forwarded here.', bad: '{"to": "agent:bob.example.com"}, sent to Carol', good: '{"to": "agent:carol.example.com"}' },
  { ...AGP_FORGED, why: 'The message was changed after it was signed, or another key signed it.', bad: 'content that was changed after it was signed', good: 'the message as its sender signed it' },
  { ...AGP_REPLAYED, why: 'A used hello proves nothing, because anyone who has seen it can send it again. A different message under a used id is refused.', bad: 'the hello of an earlier conversation', good: 'a new hello or message with its own id' },
  { ...AGP_NOT_STRICT, why: 'An agent with strict messages signs everything in a message, and its number. Someone removed that signature.', bad: '{"body": {"content": "…", "contentType": "text/html"}}, in a strict conversation', good: '{"body": {"content": "…", "strict": {"n": 7, "signature": "ed25519:…"}}}' },
  { ...AGP_ORDER, why: 'Strict messages are numbered. If one is missing or comes in another order, someone removed it or held it back.', bad: 'message 7 after message 5', good: 'message 6 after message 5' },
  { ...AGP_HELLO, why: 'A conversation begins with a hello from each side, the second in answer to the first, and an ack. Before that, nobody knows who is connected.', bad: 'a chat as the first message', good: 'system: {"hello": 1, "agent": "agent:alice.example.com", "fingerprint": "ed25519:…", "protocol": "ADP/1.1", "nonce": "…"}' },
  { ...AGP_OTHER_KEY, why: 'Both sides MUST use the key that their metadata names. Another key belongs to someone else, or was changed a moment ago.', bad: 'a hello with a fingerprint that the metadata does not have', good: 'the fingerprint in the metadata; a few minutes later if the key was just changed' },
  { ...AGP_VERSION, why: 'The agent accepts minProtocolVersion and later. Earlier versions lack something that it relies on.', bad: '{"hello": 1, "protocol": "ADP/1.0"} to an agent with {"minProtocolVersion": "ADP/1.1"}', good: '{"hello": 1, "protocol": "ADP/1.1"}' },
  { ...AGP_UNKNOWN, why: 'A peer is identified by the metadata at its domain. Without a key that is bound to the domain, the peer is unknown.', bad: 'a hello from a domain without metadata', good: 'metadata with the key in full, and its fingerprint in the DNS: blazon discover DOMAIN --need peer' },
  { ...AGP_RATE, why: 'The agent\'s metadata limits how many messages each other agent may send.', bad: '20 messages at once, with {"rateLimit": {"requestsPerMinute": 60, "burstSize": 10}}', good: '10 at once, then one a second' },
  { ...AGP_REFUSED, why: 'The agent\'s operator decides who may send messages to it.', bad: 'a conversation without an invitation, with an agent that requires one', good: 'an invitation, or permission from the operator' },
  { ...AGP_FULL, why: 'A message that cannot be stored is not acknowledged, so its sender learns about it.', bad: 'messages to an agent whose operator does not read them', good: 'reading the messages, and deleting them afterwards' },
  { ...AGP_LATE, why: 'The other side did not answer within the time limit.', bad: 'a message that was not acknowledged', good: 'sending it again as a new message, if that does no harm' },
  { ...AGP_ENDED, why: 'After the end, nothing is sent or accepted.', bad: 'a message after the disconnect', good: 'a new conversation' },
  { ...AGP_UNTAKEN, why: 'The message arrived correctly, but the agent could not process it.', bad: 'an error in the agent\'s program', good: 'asking its operator; the message is not accepted a second time' },
  { ...AGP_UNSIGNED, why: 'Callers who send a task, redeem an invitation or deliver a result identify themselves by a signature. Signature-Agent says where their key is.', bad: 'POST /agent/tasks with a body only', good: 'the headers Content-Digest, Signature-Agent, Signature-Input and Signature: blazon tasks send makes them' },
  { ...AGP_UNCOVERED, why: 'Anyone who forwards the request can change what the signature does not cover. Without a nonce they could send it again.', bad: 'Signature-Input: sig1=("@authority");created=1750240800;expires=1750240860', good: 'Signature-Input: sig1=("@method" "@target-uri" "content-digest" "signature-agent");created=1750240800;expires=1750240860;nonce="…";keyid="…"' },
  { ...AGP_OUT_OF_TIME, why: 'A signature is valid from created to expires, at most 300 seconds. So nonces need not be kept forever.', bad: 'created=1750240800;expires=1750327200', good: 'created=1750240800;expires=1750240860, and a correct clock' },
  { ...AGP_OTHER_BODY, why: 'The signature covers the digest of the body, and this body has another digest.', bad: 'a body that was rewritten in transit', good: 'the bytes that were signed, and their SHA-256 in Content-Digest' },
  { ...AGP_NOT_SIGNED, why: 'The agent\'s key has not signed this method, address and headers. The request was changed, or was made for another server.', bad: 'a request to another agent that was forwarded to this one', good: 'a signature made for the address at which the request arrives' },
  { ...AGP_TAKEN_BEFORE, why: 'A request counts once. Otherwise anyone who recorded it could repeat it.', bad: 'a request that is sent again unchanged', good: 'the same request with a new nonce and signature; Idempotency-Key marks it as the same task' },
  { ...AGP_OTHER_KEYID, why: 'keyid must be the JWK thumbprint of the key in the metadata of the agent that Signature-Agent names.', bad: 'keyid="alice"', good: 'keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"' },
  { ...AGP_NO_TASK, why: 'The other agent did not answer that it accepted the task.', bad: 'HTTP/1.1 404 Not Found', good: 'HTTP/1.1 202 Accepted, with the address of its status' },
  { ...AGP_CALLBACK, why: 'A server that sends results anywhere could be used in attacks. Results go to the caller, at an origin in the caller\'s metadata.', bad: '"callback": "http://169.254.169.254/"', good: '"callback": "https://alice.example.com/agent/webhook", for agent:alice.example.com' },
]
