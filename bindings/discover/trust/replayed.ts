// The transport of a replay, which answers from a trace.
import { diagnoseNowhere } from '../../document/diagnose.ts'
import type { FindingKind } from '../../document/finding.ts'
import { decodeBase64 } from '../../keys/base64.ts'
import type { Connection, fetchDocument } from '../../net/fetch.ts'
import { FETCH_FAILED, ALL as FETCHING } from '../../net/findings.ts'
import { DNS_RESOLVER, ALL as RESOLVING } from '../dns/findings.ts'
import { decodeMessage } from '../dns/message.ts'
import { DnsError } from '../dns/name.ts'
import { STEPS } from './steps.ts'
import type { DnsExchange, HttpExchange, RecordedConnection, RecordedRefusal, TraceStep } from './trace.ts'
import type { Get, Transport } from './transport.ts'

/**
 * Gives the recorded answers; other answers are unknown. The AD bit does not count, whatever the trace says about its
 * resolver: the recorder could have set both.
 */
export function replayWire(heard: readonly TraceStep[]): Transport {
  const answers = new Map<string, DnsExchange>()
  const documents = new Map<string, HttpExchange>()
  for (const step of heard) {
    if (step.kind === 'dns') answers.set(`${step.type} ${step.name}`, step)
    else documents.set(`${step.section} ${step.url}`, step)
  }
  const resolver = async (question: Uint8Array<ArrayBuffer>) => {
    const [{ name, type } = { name: '.', type: 0 }] = decodeMessage(question).questions
    const { answer, refused } = answers.get(`${type} ${name}`) ?? {}
    if (answer !== undefined) return decodeBase64(answer)
    throw new DnsError(kindOf(refused, DNS_RESOLVER), refused?.detail ?? `${name}: the trace has no such question`)
  }
  return {
    resolver: Object.assign(resolver, { isPrivate: false }),
    get: async (url, { checkConnection, section = STEPS.metadata[1] }) =>
      replayFetch(url, documents.get(`${section} ${url}`), checkConnection),
  }
}

async function replayFetch(
  url: string,
  step: HttpExchange | undefined,
  checkConnection: Get['checkConnection'],
): Promise<fetchDocument.Result> {
  const connection = step?.connection && connectionOf(step.connection)
  const refusal = connection && step?.fromCache !== true ? await checkConnection?.(connection) : undefined
  if (refusal !== undefined) return refusedFetch(url, refusal.kind, refusal.detail)
  if (step?.body === undefined) {
    const kind = kindOf(step?.refused, FETCH_FAILED)
    return refusedFetch(
      url,
      { ...kind, section: STEPS.metadata[1] },
      step?.refused?.detail ?? `${url}: the trace has no such answer`,
    )
  }
  const { contentType = '', body, fromCache = false } = step
  const hops = [{ url, status: 200, at: 0, took: 0, connection }]
  const fetched = {
    url,
    bytes: decodeBase64(body),
    contentType,
    etag: undefined,
    freshUntil: 0,
    addressChecked: false,
    hops,
  }
  return { ok: true, fetched, fromCache }
}

const connectionOf = ({ address, tls, trusted, certificates }: RecordedConnection): Connection => ({
  address,
  tls,
  isTrusted: trusted,
  certificates: certificates.map(decodeBase64),
})

function kindOf(refused: RecordedRefusal | undefined, otherwise: FindingKind): FindingKind {
  const known: readonly FindingKind[] = [...FETCHING, ...RESOLVING]
  return known.find(({ code }) => code === refused?.code) ?? otherwise
}

function refusedFetch(url: string, kind: FindingKind, detail: string): fetchDocument.Result {
  return { ok: false, diagnostic: diagnoseNowhere(kind, { detail }, url) }
}
