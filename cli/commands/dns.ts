import { type CheckedDomain, type CheckedThing, checkDns, mendingLines } from '../../bindings/discover/check/check.ts'
import { UNANSWERED } from '../../bindings/discover/dns/name.ts'
import {
  DNS_FORMATS,
  type DnsFormat,
  type DnsRecord,
  type DnsRecordsOptions,
  dnsRecords,
  writeDnsRecords,
} from '../../bindings/discover/publish/records.ts'
import { KeyError } from '../../bindings/keys/base64.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { sha256 } from '../../bindings/wasm/sha256.ts'
import { type Context, defineCommand, type Options } from '../command.ts'
import { ASKING, bothForms, dnsOf, oneDomain, whoIsAsked } from '../discover/asking.ts'
import { certificateAt, isPlace } from '../net/certificate.ts'
import { word } from '../report/report.ts'
import { saveOrPrint } from '../save.ts'
import { EXIT, type ExitCode, given, UsageError } from '../usage.ts'

/** `blazon dns check`: compares everything that a domain publishes about its agent, and shows how to fix it. */
export const check = defineCommand({
  usage: 'DOMAIN|agent:URI [OPTION]...',
  details: [
    'Checks everything that a domain publishes about its agent: the records of ADP,',
    'DNS-AID and AID, the A2A card, catalogs, request signing keys, DNSSEC, TLSA, and',
    'whether the server still accepts TLS below 1.3. Writes a line for each: valid,',
    'absent, stale, wrong or unknown, what was seen, and the records that fix it.',
    'Exits 1 if something is wrong or stale, 3 if the network does not answer.',
  ],
  options: ASKING,
  examples: [
    'blazon dns check alice.example.com',
    'blazon dns check alice.example.com --resolver https://dns.example/dns-query --format sarif',
  ],
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

function resultOf({ domain, things, proof }: CheckedDomain) {
  const diagnostics = things.flatMap(({ diagnostic }) => diagnostic ?? [])
  const valid = !diagnostics.some(({ severity }) => severity === 'error')
  const checks = things.map(({ name, title, state, detail, spec, caution, add, remove, hint }) => {
    return { name, title, state, detail, spec, add, remove, ...given({ caution, hint }) }
  })
  const dnsCheck = { domain: domain.ascii, unicode: domain.unicode, highest: proof.highest ?? null, checks }
  return { file: null, kind: null, valid, diagnostics, dnsCheck }
}

function exitOf({ things }: CheckedDomain): ExitCode {
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

/** `blazon dns records`: the DNS records that publish an agent, for the operator of its zone. */
export const records = defineCommand({
  usage: '[FILE|-] [OPTION]...',
  details: [
    'Writes the DNS records of an agent from its metadata (ADP/1.1 sections 4 and 5):',
    'SVCB at its domain, TXT and SRV for resolvers without SVCB, and TLSA with',
    '--cert. Writes to stdout or to the file of --out: a zone file, commands for',
    'nsupdate, or the input of Cloudflare or Route 53. All formats add records and',
    'replace none. Refuses metadata that such records cannot lead to. A private agent',
    'gets no records.',
  ],
  options: OPTIONS,
  examples: [
    'blazon dns records agent.json --cert fullchain.pem',
    'blazon dns records agent.json --cert alice.example.com:443',
    'blazon dns records agent.json --as nsupdate | nsupdate -k update.key',
    'blazon dns records agent.json --target agents.example.net --as cloudflare',
  ],
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
    const { records, diagnostics } = attempt(() => dnsRecords(document, { ...wanted, file }))
    const result = { file, kind: 'wellknown', valid: records !== undefined, diagnostics }
    if (records === undefined) return { results: [result] }
    const format: DnsFormat = options.as ?? 'zone'
    const { text, leftOut } = writeDnsRecords(records, format)
    await saveOrPrint(options.out, text, context)
    return { results: [{ ...result, records }], notes: [...leftOut.map(leftOutNote), ...tlsaNotes(records)] }
  },
})

async function wantedOf(context: Context<typeof OPTIONS>): Promise<DnsRecordsOptions> {
  const { options, reader } = context
  const { target, cert, cap, ttl } = options
  const certificate = cert === undefined ? undefined : await certificateOf(cert, context)
  const descriptor = options['cap-file']
  const capSha256 = descriptor === undefined ? undefined : sha256((await reader.bytes(descriptor)).bytes)
  return given({ target, certificate, cap, capSha256, ttl })
}

async function certificateOf(cert: string, { reader, host, say }: Context<typeof OPTIONS>) {
  if (!isPlace(cert)) return new TextDecoder().decode((await reader.bytes(cert)).bytes)
  say(`asking ${cert} for its certificate`)
  return certificateAt(cert, host.fetch)
}

/** Options whose flags have other names. */
const FLAGS: Readonly<Record<string, string>> = { capSha256: 'cap-file' }

function attempt<Made>(make: () => Made): Made {
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
