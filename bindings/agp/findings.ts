// Why a message of the Agent Gateway Protocol, or a whole conversation, is refused.
import type { Code } from '../codes.ts'
import type { FindingKind } from '../document/finding.ts'

const FORMAT = 'ADP/1.1 section 7.2.3'
const TYPES = 'ADP/1.1 section 7.2.4'
const SIGNED = 'ADP/1.1 section 7.2.5'
const HANDSHAKE = 'ADP/1.1 section 7.2.2'
const FRESHNESS = 'ADP/1.1 section 8.1.1'
const STRICT = 'docs/guide/agp.md, Strict messages'
const SERVICE = 'docs/guide/agp.md'

export const SHAPE: FindingKind = kind('shape', { code: 'AGP-101' }, 'No message', FORMAT)
export const LINE_FEED: FindingKind = kind('line-feed', { code: 'AGP-102' }, 'Line feed in a signed field', SIGNED)
export const ID: FindingKind = kind('id', { code: 'AGP-103' }, 'Malformed id of a message', FORMAT)
export const AGENT: FindingKind = kind('agent', { code: 'AGP-104' }, 'Malformed agent URI', FORMAT)
export const TYPE: FindingKind = kind('type', { code: 'AGP-105' }, 'Unknown type of message', TYPES)
export const TIMESTAMP: FindingKind = kind('timestamp', { code: 'AGP-106' }, 'Malformed timestamp', FORMAT)
export const SIGNATURE: FindingKind = kind('signature', { code: 'AGP-107' }, 'Malformed signature', SIGNED)
export const CONTENT_TYPE: FindingKind = kind('content-type', { code: 'AGP-108' }, 'Unknown content type', FORMAT)
export const CONTENT: FindingKind = kind('content', { code: 'AGP-109' }, 'Content that is not of its type', TYPES)
export const OLD: FindingKind = kind('old', { code: 'AGP-120' }, 'Message from too long ago', FRESHNESS)
export const EARLY: FindingKind = kind('early', { code: 'AGP-121' }, 'Message from the future', FRESHNESS)
export const OTHER_SENDER: FindingKind = kind('other-sender', { code: 'AGP-122' }, 'Another sender', SIGNED)
export const OTHER_RECIPIENT: FindingKind = kind('other-recipient', { code: 'AGP-123' }, 'Another recipient', SIGNED)
export const FORGED: FindingKind = kind('forged', { code: 'AGP-124' }, 'Signature that does not hold', SIGNED)
export const REPLAYED: FindingKind = kind('replayed', { code: 'AGP-125' }, 'Message id that was used before', FRESHNESS)
export const NOT_STRICT: FindingKind = kind('not-strict', { code: 'AGP-126' }, 'No strict signature', STRICT)
export const ORDER: FindingKind = kind('order', { code: 'AGP-127' }, 'Message out of order', STRICT)
export const HELLO: FindingKind = kind('hello', { code: 'AGP-130' }, 'No hello', HANDSHAKE)
export const OTHER_KEY: FindingKind = kind('other-key', { code: 'AGP-131' }, 'Another key than its metadata', HANDSHAKE)
export const VERSION: FindingKind = kind('version', { code: 'AGP-132' }, 'Protocol too old', 'ADP/1.1 section 6.3.5')
export const UNKNOWN_AGENT: FindingKind = kind('unknown', { code: 'AGP-133' }, 'Agent that was not found', HANDSHAKE)
export const RATE: FindingKind = kind('rate', { code: 'AGP-134' }, 'Too many messages', 'ADP/1.1 section 6.3.5')
export const REFUSED: FindingKind = kind('refused', { code: 'AGP-135' }, 'Agent that may not speak here', SERVICE)
export const FULL: FindingKind = kind('full', { code: 'AGP-136' }, 'No room for more messages', SERVICE)
export const UNTAKEN: FindingKind = kind('untaken', { code: 'AGP-139' }, 'Message that was not taken', SERVICE)
export const LATE: FindingKind = kind('late', { code: 'AGP-137' }, 'No answer in time', SERVICE)
export const ENDED: FindingKind = kind('ended', { code: 'AGP-138' }, 'Conversation that is over', SERVICE)

const REQUESTS = 'docs/guide/tasks.md, Signed requests'
const TASKS = 'docs/guide/tasks.md'

export const UNSIGNED: FindingKind = kind('unsigned', { code: 'AGP-150' }, 'Request without a signature', REQUESTS)
export const UNCOVERED: FindingKind = kind(
  'uncovered',
  { code: 'AGP-151' },
  'Signature that covers too little',
  REQUESTS,
)
export const OUT_OF_TIME: FindingKind = kind('out-of-time', { code: 'AGP-152' }, 'Signature out of its time', REQUESTS)
export const OTHER_BODY: FindingKind = kind('other-body', { code: 'AGP-153' }, 'Another body than was signed', REQUESTS)
export const NOT_SIGNED: FindingKind = kind(
  'not-signed',
  { code: 'AGP-154' },
  'Request that was not signed so',
  REQUESTS,
)
export const TAKEN_BEFORE: FindingKind = kind('taken-before', { code: 'AGP-155' }, 'Request that came before', REQUESTS)
export const OTHER_KEYID: FindingKind = kind(
  'other-keyid',
  { code: 'AGP-156' },
  'Key that the agent does not have',
  REQUESTS,
)
export const NO_TASK: FindingKind = kind('no-task', { code: 'AGP-157' }, 'Task that was not taken', TASKS)
export const CALLBACK: FindingKind = kind('callback', { code: 'AGP-158' }, 'Callback at another address', TASKS)

function kind(id: string, { code }: { readonly code: Code }, title: string, section: string): FindingKind {
  return { id: `agp/${id}`, code, title, section, severity: 'error' }
}
