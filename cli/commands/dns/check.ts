import {
  type CheckedDomain,
  type CheckedThing,
  checkDns,
  mendingLines,
} from '../../../bindings/discover/check/check.ts'
import { UNANSWERED } from '../../../bindings/discover/dns/name.ts'
import { visible } from '../../../bindings/text/hidden.ts'
import { defineCommand } from '../../command.ts'
import { ASKING, bothForms, dnsOf, oneDomain, whoIsAsked } from '../../discover/asking.ts'
import { EXIT, type ExitCode, given } from '../../usage.ts'

/** `blazon dns check`: compares everything that a domain publishes about its agent, and shows how to fix it. */
export const command = defineCommand({
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
