import { type CheckedThing, checkDns, mendingLines } from '../../bindings/discover/check/check.ts'
import { UNANSWERED } from '../../bindings/discover/dns/name.ts'
import { DNS_FORMATS, type DnsRecord, dnsRecords, writeDnsRecords } from '../../bindings/discover/publish/records.ts'
import { KeyError } from '../../bindings/keys/base64.ts'
import { fetchDocument, type GuardedFetch } from '../../bindings/net/fetch.ts'
import { FETCH_FAILED } from '../../bindings/net/findings.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { sha256 } from '../../bindings/wasm/sha256.ts'
import { ASKING, bothForms, dnsOf, oneDomain, whoIsAsked } from '../asking.ts'
import {
  type Context,
  compact,
  defineCommand,
  EXIT,
  type ExitCode,
  type Options,
  Unreadable,
  UsageError,
} from '../command.ts'
import { word } from '../report/report.ts'
import { saveOrPrint } from '../save.ts'

export const check = defineCommand({
  options: ASKING,
  async run(context) {
    const { options, positionals, host, print, say } = context
    const domain = oneDomain(positionals, 'dns check')
    const dns = await dnsOf(context, options)
    say(`asking ${whoIsAsked(context, options)} for ${bothForms(domain)}, and the servers that it names`)
    const checked = await checkDns(domain, { ...dns, fetch: host.fetch })
    print(...checked.things.map(row))
    return { results: [resultOf(checked)], exit: exitOf(checked) }
  },
})

const row = (thing: CheckedThing): string =>
  [
    `  ${thing.state.padEnd(7)}  ${thing.title.padEnd(16)}  ${visible(thing.detail)}\n`,
    ...mendingLines(thing).map((line) => `${' '.repeat(29)}${visible(line)}\n`),
  ].join('')

function resultOf({ domain, things, proof }: checkDns.Result) {
  const diagnostics = things.flatMap(({ diagnostic }) => diagnostic ?? [])
  const valid = !diagnostics.some(({ severity }) => severity === 'error')
  const checks = things.map(({ name, title, state, detail, spec, caution, add, remove, hint }) => {
    return { name, title, state, detail, spec, add, remove, ...compact({ caution, hint }) }
  })
  const dnsCheck = { domain: domain.ascii, unicode: domain.unicode, highest: proof.highest ?? null, checks }
  return { file: null, kind: null, valid, diagnostics, dnsCheck }
}

function exitOf({ things }: checkDns.Result): ExitCode {
  const asked = things.filter(({ name }) => name === 'svcb' || name === 'dnssec')
  return asked.some(({ diagnostic }) => UNANSWERED.includes(diagnostic?.code ?? '')) ? EXIT.unreadable : EXIT.clean
}

const OPTIONS = {
  as: { value: 'FORMAT', choices: DNS_FORMATS, about: 'the format of the records (default zone)' },
  target: { value: 'HOST', about: 'the host that serves the agent (default: that of wellKnown)' },
  cert: { value: 'FILE|HOST:PORT', about: 'for TLSA: the certificate of that host, as a PEM file or fetched from it' },
  cap: { value: 'URI', about: 'the URI of the capability descriptor' },
  'cap-file': { value: 'FILE', about: 'the capability descriptor, for its digest' },
  ttl: { value: 'N', number: true, about: 'the time to live of the records, in seconds (default 3600)' },
  out: { value: 'FILE', about: 'write the records to this file' },
} as const satisfies Options

export const records = defineCommand({
  options: OPTIONS,
  async run(context) {
    const { options, positionals, reader } = context
    const name = reader.file(positionals, 'dns records takes one document')
    const { file, kind, document } = await reader.document(name, { jsonByDefault: true, only: ['wellknown', 'invite'] })
    // Section 8.3: a private agent publishes no records; an invitation replaces them.
    if (kind === 'invite') {
      const message = `${file} is an invitation: its agent is private, and records would reveal it`
      throw new UsageError('wrong-kind', message, `use it directly: blazon discover ${word(file)}`)
    }
    const wanted = await wantedOf(context)
    const { records, diagnostics } = orFlagError(() => dnsRecords(document, { ...wanted, file }))
    const result = { file, kind: 'wellknown', valid: records !== undefined, diagnostics }
    if (records === undefined) return { results: [result] }
    const format: writeDnsRecords.Format = options.as ?? 'zone'
    const { text, leftOut } = writeDnsRecords(records, format)
    await saveOrPrint(options.out, text, context)
    return { results: [{ ...result, records }], notes: [...leftOut.map(leftOutNote), ...tlsaNotes(records)] }
  },
})

async function wantedOf(context: Context<typeof OPTIONS>): Promise<dnsRecords.Options> {
  const { options, reader } = context
  const { target, cert, cap, ttl } = options
  const certificate = cert === undefined ? undefined : await certificateOf(cert, context)
  const descriptor = options['cap-file']
  const capSha256 = descriptor === undefined ? undefined : sha256((await reader.bytes(descriptor)).bytes)
  return compact({ target, certificate, cap, capSha256, ttl })
}

async function certificateOf(cert: string, { reader, host, say }: Context<typeof OPTIONS>) {
  if (!isPlace(cert)) return new TextDecoder().decode((await reader.bytes(cert)).bytes)
  say(`asking ${cert} for its certificate`)
  return certificateAt(cert, host.fetch)
}

/** Options whose flags have other names. */
const FLAGS: Readonly<Record<string, string>> = { capSha256: 'cap-file' }

function orFlagError<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (error instanceof KeyError)
      throw new UsageError('invalid-value', `--cert: ${error.message} (${error.code})`, 'name a certificate in PEM')
    if (!(error instanceof RangeError)) throw error
    const message = error.message.replace(/^\w+/, (name) => `--${FLAGS[name] ?? name}`)
    throw new UsageError('invalid-value', message, 'blazon help dns records')
  }
}

const leftOutNote = ({ name, type }: DnsRecord) =>
  `the ${type} record of ${name} is left out: Route 53 does not accept its private-use keys; TXT and SRV replace it`

function tlsaNotes(records: readonly DnsRecord[]): string[] {
  const [domain] = records.map(({ name }) => name)
  const tlsa = records.find(({ type }) => type === 'TLSA')
  if (tlsa === undefined) return []
  const isElsewhere = !tlsa.name.endsWith(`.${domain}`)
  const place = isElsewhere
    ? [`${tlsa.name} may be in another zone than ${domain}: the operator of that host has to add it`]
    : []
  return ['TLSA only counts in a zone signed with DNSSEC, and changes with the key of the certificate', ...place]
}

/** As in `alice.example.com:443`. */
const PLACE = /^[\w.-]+:\d{1,5}$/

const isPlace = (text: string): boolean => PLACE.test(text)

/** Fetches the certificate of a server in DER, checked for its name. Sends no HTTP request. */
async function certificateAt(place: string, fetch: GuardedFetch): Promise<Uint8Array> {
  let certificate: Uint8Array | undefined
  const outcome = await fetchDocument(`https://${place}/`, '*/*', {
    fetch,
    maxRedirects: 0,
    checkConnection({ certificates }) {
      certificate = certificates[0]
      return { kind: FETCH_FAILED, detail: 'only its certificate was needed' }
    },
  })
  if (certificate !== undefined) return certificate
  throw new Unreadable({ file: place, diagnostics: outcome.ok ? [] : [outcome.diagnostic] })
}
