// Explains why a message or a conversation is refused. Only the catalogue loads this file.
import { type Explanations, explained, type FindingInfo } from '../document/finding.ts'
import * as FINDINGS from './findings.ts'

const ID = 'c0a8012e-7f0c-4b6e-9d8e-2f1a7c5b3e90'

const EXPLANATIONS: Explanations = {
  'AGP-101': {
    why: 'A message is one object with id, from, to, type, timestamp, signature, and a body with content. What lacks one of them cannot be verified.',
    bad: `{"id": "${ID}", "type": "chat"}`,
    good: `{"id": "${ID}", "from": "agent:alice.example.com", "to": "agent:bob.example.com", "type": "chat", "timestamp": "2026-06-18T10:00:00Z", "signature": "ed25519:…", "body": {"content": "Good morning", "contentType": "text/plain"}}`,
  },
  'AGP-102': {
    why: 'Fields are signed with line feeds between them. One inside of a field makes the same bytes of two different messages.',
    bad: '{"to": "agent:bob.example.com\\nchat"}',
    good: '{"to": "agent:bob.example.com"}',
  },
  'AGP-103': {
    why: 'Ids are UUIDs: by them a message that is sent a second time is known.',
    bad: '{"id": "message 1"}',
    good: `{"id": "${ID}"}`,
  },
  'AGP-104': {
    why: 'Agents are named by their domain, for their key is found there.',
    bad: '{"from": "alice"}',
    good: '{"from": "agent:alice.example.com"}',
  },
  'AGP-105': {
    why: 'The draft has four types. Another would be read by each side in its own way.',
    bad: '{"type": "message"}',
    good: '{"type": "chat"}',
  },
  'AGP-106': {
    why: 'Without a time nobody can tell a message from one that was written long ago.',
    bad: '{"timestamp": "yesterday"}',
    good: '{"timestamp": "2026-06-18T10:00:00Z"}',
  },
  'AGP-107': {
    why: 'A signature is ed25519: and 64 bytes in base64url without padding, in the one spelling that these bytes have.',
    bad: '{"signature": "MEUCIQ=="}',
    good: '{"signature": "ed25519:3cLS5W0xP3brpT0YajFvC4ShK70izrmapx8_3p-OBBloFgdTrQEpDXdefpnG0H8Yl-Ag4vAy2yYayNS4GLnyAg"}',
  },
  'AGP-108': {
    why: 'The draft has three types of content. No signature of it covers them, so no other is taken for granted.',
    bad: '{"body": {"content": "…", "contentType": "image/svg+xml"}}',
    good: '{"body": {"content": "…", "contentType": "text/plain"}}',
  },
  'AGP-109': {
    why: 'Messages of type system and ack are for the program: their content is JSON that docs/guide/agp.md has.',
    bad: '{"type": "ack", "body": {"content": "thank you"}}',
    good: `{"type": "ack", "body": {"content": "{\\"ack\\":\\"${ID}\\"}", "contentType": "application/json"}}`,
  },
  'AGP-120': {
    why: 'Receivers MUST refuse what is more than 300 seconds old: somebody may have kept it.',
    bad: 'a message of yesterday',
    good: 'a message that is signed when it is sent, by a clock that is right',
  },
  'AGP-121': {
    why: 'Receivers MUST refuse what is more than 60 seconds ahead: it could be sent again long after.',
    bad: 'a message of tomorrow',
    good: 'a clock that is right',
  },
  'AGP-122': {
    why: 'In a conversation each side speaks for itself.',
    bad: 'a message from agent:carol.example.com in a conversation with agent:alice.example.com',
    good: 'a conversation of Carol’s own',
  },
  'AGP-123': {
    why: 'What was written to somebody else was carried here by a third.',
    bad: '{"to": "agent:bob.example.com"}, sent to Carol',
    good: '{"to": "agent:carol.example.com"}',
  },
  'AGP-124': {
    why: 'The message was changed on its way, or another key signed it.',
    bad: 'a word of the content exchanged after it was signed',
    good: 'the message as its sender signed it',
  },
  'AGP-125': {
    why: 'A hello that was used before proves nothing: anyone who has seen it can send it again. Another message under a used id is refused.',
    bad: 'the hello of an earlier conversation',
    good: 'a new hello or message, with an id of its own',
  },
  'AGP-126': {
    why: 'An agent that speaks strict signs everything in a message, and its number. One without was stripped of it.',
    bad: '{"body": {"content": "…", "contentType": "text/html"}}, in a strict conversation',
    good: '{"body": {"content": "…", "strict": {"n": 7, "signature": "ed25519:…"}}}',
  },
  'AGP-127': {
    why: 'Strict messages are numbered: one that is missing, or comes in another order, was taken away or held back by somebody.',
    bad: 'message 7 after message 5',
    good: 'message 6 after message 5',
  },
  'AGP-130': {
    why: 'A conversation begins with a hello of each side, the second one answering the first, and an ack. Before that nobody knows who is there.',
    bad: 'a chat as the first message',
    good: 'system: {"hello": 1, "agent": "agent:alice.example.com", "fingerprint": "ed25519:…", "protocol": "ADP/1.1", "nonce": "…"}',
  },
  'AGP-131': {
    why: 'Both sides MUST have the key that their metadata names. Another one is of somebody else, or was exchanged a moment ago.',
    bad: 'a hello with a fingerprint that the metadata does not have',
    good: 'the fingerprint in the metadata; after a change of keys, some minutes later',
  },
  'AGP-132': {
    why: 'The agent takes minProtocolVersion and later: with an earlier one it would have to do without something that it relies on.',
    bad: '{"hello": 1, "protocol": "ADP/1.0"} to an agent with {"minProtocolVersion": "ADP/1.1"}',
    good: '{"hello": 1, "protocol": "ADP/1.1"}',
  },
  'AGP-133': {
    why: 'Who speaks is judged by the metadata at its domain. Without a key that is bound to the domain there is nobody to answer to.',
    bad: 'a hello from a domain without metadata',
    good: 'metadata with the key in full, and its fingerprint in the DNS: blazon discover DOMAIN --need peer',
  },
  'AGP-134': {
    why: 'The agent says in its metadata how much it lets each other agent say.',
    bad: '20 messages at once, with {"rateLimit": {"requestsPerMinute": 60, "burstSize": 10}}',
    good: '10 at once, then one a second',
  },
  'AGP-135': {
    why: 'The operator of the agent decides who may speak to it.',
    bad: 'a conversation with an agent that invites those it speaks to, without an invitation',
    good: 'an invitation, or a word with the operator',
  },
  'AGP-136': {
    why: 'What cannot be kept is not acknowledged, so that its sender knows.',
    bad: 'messages to an agent that nobody reads',
    good: 'reading them, and removing those that were read',
  },
  'AGP-137': {
    why: 'Nobody waits for ever: the other side did not answer within the time that was set.',
    bad: 'a message that was not acknowledged',
    good: 'sending it again, as a new message, if that does no harm',
  },
  'AGP-138': {
    why: 'After its end nothing is sent or taken.',
    bad: 'a message after the disconnect',
    good: 'a new conversation',
  },
  'AGP-139': {
    why: 'The message arrived as it should, and the agent could not do with it what it does with messages.',
    bad: 'an error in the program of the agent',
    good: 'asking its operator; the message is not taken a second time',
  },
  'AGP-150': {
    why: 'Who gives a task, redeems an invitation or brings a result says by a signature who that is, and by Signature-Agent where its key is.',
    bad: 'POST /agent/tasks with a body alone',
    good: 'the headers Content-Digest, Signature-Agent, Signature-Input and Signature: blazon tasks send makes them',
  },
  'AGP-151': {
    why: 'What a signature leaves out can be changed by whoever carries the request; without a nonce it could be brought again.',
    bad: 'Signature-Input: sig1=("@authority");created=1750240800;expires=1750240860',
    good: 'Signature-Input: sig1=("@method" "@target-uri" "content-digest" "signature-agent");created=1750240800;expires=1750240860;nonce="…";keyid="…"',
  },
  'AGP-152': {
    why: 'A signature counts from created to expires, 300 seconds at the most: so nonces need not be kept for ever.',
    bad: 'created=1750240800;expires=1750327200',
    good: 'created=1750240800;expires=1750240860, and a clock that is right',
  },
  'AGP-153': {
    why: 'The signature covers the digest of the body. Another body was not signed.',
    bad: 'a body that was written anew on its way',
    good: 'the bytes that were signed, and their SHA-256 in Content-Digest',
  },
  'AGP-154': {
    why: 'The key of the agent has not signed this method, this address and these headers: the request was changed, or was made for another server.',
    bad: 'a request to another agent, sent on to this one',
    good: 'a signature that was made for the address at which the request arrives',
  },
  'AGP-155': {
    why: 'A request counts once. Whoever recorded it could have the same done again.',
    bad: 'a request that is sent a second time as it was',
    good: 'the same request with a new nonce, signed anew; Idempotency-Key says that it is the same task',
  },
  'AGP-156': {
    why: 'The name of the key is the JWK thumbprint of the one in the metadata of the agent that Signature-Agent names.',
    bad: 'keyid="alice"',
    good: 'keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"',
  },
  'AGP-157': {
    why: 'The other agent answered with something else than that it took the task.',
    bad: 'HTTP/1.1 404 Not Found',
    good: 'HTTP/1.1 202 Accepted, with the address of its status',
  },
  'AGP-158': {
    why: 'A server that sends results anywhere could be used against others: they go to who gave the task, at an origin of its metadata.',
    bad: '"callback": "http://169.254.169.254/"',
    good: '"callback": "https://alice.example.com/agent/webhook", of agent:alice.example.com',
  },
}

export const agpFindings = (): readonly FindingInfo[] => explained(Object.values(FINDINGS), EXPLANATIONS)
