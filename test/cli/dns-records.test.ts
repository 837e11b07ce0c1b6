// The command for the records of agents. test/discover/dns/records-out.test.ts covers their content.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { KEY, metadata } from '../discover/trust/lab.ts'
import { certificateFor, spki } from '../support/certificate.ts'
import { startTls } from '../support/tls.ts'
import { blazon } from './terminal.ts'

const DOMAIN = 'alice.example.com'
const WELL_KNOWN = `https://${DOMAIN}/.well-known/agent.json`
const server = certificateFor([DOMAIN])
const CAP = '{"skills": []}\n'
const agent = (more: object = {}) => JSON.stringify(metadata({ domain: DOMAIN, wellKnown: WELL_KNOWN, more }))
const files = {
  'agent.json': agent(),
  'chat.json': agent({ endpoints: { wellKnown: WELL_KNOWN, chat: `wss://${DOMAIN}/agent/chat` } }),
  'odd.json': agent({ endpoints: { wellKnown: `${WELL_KNOWN}?a` } }),
  'cert.pem': server.cert,
  'key.pem': server.key,
  'cap.json': CAP,
  'invite.json': JSON.stringify({ protocol: 'ADP/1.1', invite: { agent: `agent:${DOMAIN}`, wellKnown: WELL_KNOWN } }),
  'card.json': '{"id": "agent://alice", "name": "Alice"}',
}
const run = (...argv: string[]) => blazon(['dns', 'records', ...argv], { files })

describe('blazon dns records', () => {
  test('writes a zone file, and notes what TLSA needs', async () => {
    const { code, stdout, stderr } = await run('agent.json', '--cert', 'cert.pem')
    expect(code, stderr).toBe(0)
    const digest = createHash('sha256').update(spki(server)).digest('hex')
    expect(stdout.split('\n')).toEqual([
      `${DOMAIN}. 3600 IN SVCB 1 . alpn="h2,http/1.1" port="443"`,
      `_agent.${DOMAIN}. 3600 IN TXT "v=ADP1.1; pk=${KEY.fingerprint}; wk=${WELL_KNOWN}"`,
      `_agent._tcp.${DOMAIN}. 3600 IN SRV 0 0 443 ${DOMAIN}.`,
      `_443._tcp.${DOMAIN}. 3600 IN TLSA 3 1 1 ${digest}`,
      '',
    ])
    expect(stderr).toContain('TLSA only counts in a zone signed with DNSSEC')
    expect(stderr).not.toContain('another zone')
  })

  test('takes the certificate from the server without sending a request', async () => {
    const asked: string[] = []
    const tls = await startTls((request) => void asked.push(request.url!), { certificate: server })
    const place = `${DOMAIN}:${tls.port}`
    const { code, stdout, stderr } = await blazon(['dns', 'records', 'agent.json', '--cert', place], {
      files,
      fetch: tls.fetch,
    })
    await tls.close()
    expect(code, stderr).toBe(0)
    const digest = createHash('sha256').update(spki(server)).digest('hex')
    expect(stdout).toContain(`IN TLSA 3 1 1 ${digest}\n`)
    expect([asked, stderr.includes(`asking ${place} for its certificate`)]).toEqual([[], true])
  })

  test('fails for an unreachable server or one with another certificate', async () => {
    for (const place of ['nobody.example.test:443', '127.0.0.1:443', 'localhost:1'])
      expect((await run('agent.json', '--cert', place)).code).toBe(3)
    const tls = await startTls(() => {}, { certificate: certificateFor(['other.example.test']) })
    const given = { files, fetch: tls.fetch }
    const { code } = await blazon(['dns', 'records', 'agent.json', '--cert', `${DOMAIN}:${tls.port}`], given)
    await tls.close()
    expect(code).toBe(3)
  })

  test('writes the records of a hosted agent with a descriptor to a file', async () => {
    const { code, stdout, stderr, saved } = await run(
      ...['agent.json', '--target', 'provider.example', '--cert', 'cert.pem', '--ttl', '60', '--out', 'zone'],
      ...['--cap', 'https://alice.example.com/cap.json', '--cap-file', 'cap.json'],
    )
    expect([code, stdout], stderr).toEqual([0, ''])
    const digest = createHash('sha256').update(CAP).digest('base64url')
    expect(new TextDecoder().decode(saved.get('zone'))).toContain(
      `60 IN SVCB 1 provider.example. alpn="h2,http/1.1" port="443" key65400="https://alice.example.com/cap.json" key65401="${digest}"\n`,
    )
    expect(stderr).toContain('_443._tcp.provider.example may be in another zone')
  })

  test('notes what Route 53 does not accept', async () => {
    const { code, stdout, stderr } = await run('chat.json', '--as', 'route53')
    expect([code, JSON.parse(stdout).Changes.length]).toEqual([0, 2])
    expect(stderr).toContain(`the SVCB record of ${DOMAIN} is left out`)
  })

  test('reports metadata that records cannot lead to, and writes nothing', async () => {
    const { code, stdout, stderr } = await run('odd.json', '--format', 'json')
    const [result] = JSON.parse(stdout).results
    expect([code, result.diagnostics.at(-1).code], stderr).toEqual([1, 'DNS-122'])
    expect(result.diagnostics.at(-1).source).toMatchObject({ file: 'odd.json', pointer: '/endpoints/wellKnown' })
  })

  test('[wellknown/8.3-3] refuses an invitation with the reason, and names the kind of other documents', async () => {
    const told = await run('invite.json')
    expect([told.code, told.stdout, told.saved.size]).toEqual([2, '', 0])
    expect(told.stderr).toContain('its agent is private')
    const card = await run('card.json', '--format', 'json')
    expect([card.code, JSON.parse(card.stdout).results[0].diagnostics[0].code]).toEqual([1, 'DOC-127'])
  })

  test.each([
    [['agent.json', '--target', 'a b'], '--target: expected a host'],
    [['agent.json', '--cap-file', 'cap.json'], '--cap-file: expected cap too'],
    [['agent.json', '--cap', 'x'], '--cap: expected a URI'],
    [['agent.json', '--ttl', '4294967295'], '--ttl: expected whole seconds'],
    [['agent.json', '--cert', 'key.pem'], '--cert: expected a CERTIFICATE in PEM, found none'],
    [['agent.json', '--as', 'bind'], 'zone, nsupdate, cloudflare'],
  ])('%j is wrong usage', async (argv, message) => {
    const { code, stdout, stderr } = await run(...argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})
