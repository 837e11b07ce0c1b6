// Real zones on a real server on this machine. Debian's bind9 signs and serves all of them, so it is root, TLD and
// domain at once.
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { readDs } from '../../bindings/discover/dns/message.ts'
import { fromHex } from '../../bindings/text/bytes.ts'
import { findPackages, findProgram } from '../../scripts/setup.mjs'
import { freePort } from './port.ts'

/** Whether the required programs are installed. */
export const bind = findPackages(['bind9', 'bind9-utils', 'bind9-dnsutils', 'dnsdist', 'unbound'])

function program(name: string): string | undefined {
  return findProgram(name) ?? findProgram(`/usr/sbin/${name}`)
}

export interface Zone {
  /** Without the trailing dot; `.` for the root. */
  readonly name: string
  /** Records other than SOA, NS and the DS of signed zones below. */
  readonly records: string
  /** The algorithm as dnssec-keygen names it; unsigned when absent. */
  readonly algorithm?: string | undefined
  /**
   * Uses NSEC3: the arguments for `dnssec-signzone -3` and after, such as `['aabbccdd', '-H', '12', '-A']`. True: no
   * salt, no iterations.
   */
  readonly nsec3?: boolean | readonly string[]
  /** Accepts updates (RFC 2136) from this machine, and signs what they add. */
  readonly isDynamic?: boolean
  /** Arguments for dnssec-signzone: `-s 20200101000000 -e 20200201000000`. */
  readonly times?: readonly string[]
  /** Changes the signed zone file, or the DS for the parent zone. */
  readonly afterwards?: (signed: string) => string
  readonly vouch?: (ds: string) => string
}

export interface DnsLab {
  readonly port: number
  /** The DS rows of the root, to use as trust anchor. */
  readonly anchors: Readonly<Record<string, readonly ReturnType<typeof readDs>[]>>
  /** The verdict of delv on a query: the result of its validation, or that it failed. */
  delv(name: string, type: string): string
  /** The verdict for a resolver on another port, for all records of the answer. */
  delvBy(port: number, name: string, type: string): Promise<Verdict>
  close(): Promise<void>
}

export type Verdict = 'validated' | 'unsigned' | 'failed'

/** Runs delv, which prints a verdict for each set of records. */
function runDelv(args: readonly string[]): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    execFile(program('delv')!, args, { encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error !== null && error.code !== 0 && typeof error.code !== 'number') return reject(error)
      // For a proof of absence it prints `resolution failed: ncache nxrrset`, followed by its verdict.
      if (/resolution failed: (?!ncache)/.test(stderr + stdout)) return resolve('failed')
      if (/unsigned answer/.test(stdout)) return resolve('unsigned')
      if (/fully validated/.test(stdout)) return resolve('validated')
      if (/resolution failed/.test(stderr + stdout)) return resolve('failed')
      reject(new Error(`delv: ${stdout}${stderr}`))
    })
  })
}

const dotted = (name: string) => (name === '.' ? '.' : `${name}.`)
const parentOf = (name: string) => (name.includes('.') ? name.slice(name.indexOf('.') + 1) : '.')

/**
 * Runs Debian's dnsdist, which forwards DNS over HTTP on this machine to `port`. Returns its address and a function
 * that stops it. With a certificate it uses HTTPS and allows pages of every origin.
 */
export async function startDoh(
  port: number,
  tls?: { readonly cert: string; readonly key: string },
): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-doh-'))
  const own = await freePort()
  for (const [name, text] of Object.entries(tls ?? {})) writeFileSync(join(folder, name), text)
  const files = tls === undefined ? 'nil, nil' : `"${folder}/cert", "${folder}/key"`
  const cors = '{customResponseHeaders={["access-control-allow-origin"]="*"}}'
  writeFileSync(
    join(folder, 'dnsdist.conf'),
    `setLocal("127.0.0.1:${await freePort()}")
    newServer({address="127.0.0.1:${port}", healthCheckMode="up"})
    addDOHLocal("127.0.0.1:${own}", ${files}, "/dns-query", ${cors})
    setSecurityPollSuffix("")\n`,
  )
  const server = spawn(program('dnsdist')!, ['-C', `${folder}/dnsdist.conf`, '--supervised', '--disable-syslog'])
  await started(server, server.stdout, /Listening on 127.0.0.1:\d+ for DoH|Polled security status|Marking downstream/)
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${own}/dns-query`,
    close: () => ended(server, folder),
  }
}

/**
 * Runs Debian's unbound, a validating resolver on top of `lab` that sets AD. Returns its port and a function that stops
 * it.
 */
export async function startUnbound({ port, anchors }: DnsLab): Promise<{ port: number; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-unbound-'))
  const own = await freePort()
  const rows = anchors['.']!.map(
    ({ keyTag, algorithm, digestType, digest }) =>
      `. IN DS ${keyTag} ${algorithm} ${digestType} ${Buffer.from(digest).toString('hex')}`,
  )
  writeFileSync(
    join(folder, 'unbound.conf'),
    `server:
      directory: "${folder}"
      chroot: ""
      username: ""
      pidfile: "${folder}/pid"
      use-syslog: no
      do-daemonize: no
      do-ip6: no
      verbosity: 1
      interface: 127.0.0.1@${own}
      do-not-query-localhost: no
      ${rows.map((row) => `trust-anchor: "${row}"`).join('\n      ')}
      local-zone: "test." nodefault
    remote-control:
      control-enable: no
    forward-zone:
      name: "."
      forward-addr: 127.0.0.1@${port}\n`,
  )
  const server = spawn(program('unbound')!, ['-d', '-c', `${folder}/unbound.conf`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await started(server, server.stderr, /start of service/)
  return { port: own, close: () => ended(server, folder) }
}

function started(server: ChildProcess, output: Readable, sign: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    server.once('exit', () => reject(new Error(`${server.spawnfile} ended:\n${log}`)))
    output.setEncoding('utf8').on('data', (text) => {
      log += text
      if (sign.test(log)) resolve()
    })
  })
}

async function ended(server: ChildProcess, folder: string): Promise<void> {
  const gone = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGKILL')
  await gone
  rmSync(folder, { recursive: true, force: true })
}

/** Signs the zones, listed from the root down, and serves them. */
export async function startDns(zones: readonly Zone[]): Promise<DnsLab> {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-dns-'))
  const run = (name: string, ...args: string[]) =>
    execFileSync(program(name)!, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const vouchers = new Map<string, string[]>()
  const files = zones.toReversed().map((zone, i) => {
    const file = `zone-${i}`
    const below = zones.filter(({ name }) => name !== zone.name && parentOf(name) === zone.name)
    const delegations = below.map(({ name }) => `${dotted(name)} NS ns.${dotted(name)}\nns.${dotted(name)} A 127.0.0.1`)
    const text = [
      `$ORIGIN ${dotted(zone.name)}`,
      '$TTL 60',
      '@ SOA ns hostmaster 1 3600 600 86400 60',
      '@ NS ns',
      'ns A 127.0.0.1',
      zone.records,
      ...delegations,
      ...(vouchers.get(zone.name) ?? []),
    ]
    writeFileSync(join(folder, file), `${text.join('\n')}\n`)
    if (zone.algorithm === undefined) return { zone, file }
    const key = run('dnssec-keygen', '-q', '-a', zone.algorithm, '-f', 'KSK', dotted(zone.name)).trim()
    writeFileSync(join(folder, file), `${readFileSync(join(folder, `${key}.key`), 'utf8')}\n`, { flag: 'a' })
    const hashing = zone.nsec3 === true ? ['-'] : zone.nsec3
    const options = [...(hashing ? ['-3', ...hashing] : []), ...(zone.times ?? [])]
    run(
      'dnssec-signzone',
      '-P',
      '-z',
      '-O',
      'full',
      '-o',
      dotted(zone.name),
      '-f',
      `${file}.signed`,
      ...options,
      file,
      key,
    )
    if (zone.afterwards !== undefined) {
      const signed = readFileSync(join(folder, `${file}.signed`), 'utf8')
      writeFileSync(join(folder, `${file}.signed`), zone.afterwards(signed))
    }
    const ds = run('dnssec-dsfromkey', '-2', `${key}.key`)
    const up = vouchers.get(zone.name === '.' ? '' : parentOf(zone.name)) ?? []
    vouchers.set(zone.name === '.' ? '' : parentOf(zone.name), [...up, zone.vouch?.(ds) ?? ds])
    return { zone, file: `${file}.signed` }
  })
  const port = await freePort()
  writeFileSync(
    join(folder, 'named.conf'),
    `options { directory "${folder}"; pid-file "${folder}/pid"; session-keyfile "${folder}/session"; recursion no;
      listen-on-v6 { none; }; listen-on port ${port} { 127.0.0.1; }; minimal-responses no; };
    controls { };
    ${files.map(({ zone, file }) => `zone "${zone.name}" { type primary; file "${file}"; ${zone.isDynamic ? 'allow-update { 127.0.0.1; };' : ''} };`).join('\n')}\n`,
  )
  const anchor = vouchers.get('')?.[0] ?? ''
  const [, tag, algorithm, digestType, digest] = /DS\s+(\d+)\s+(\d+)\s+(\d+)\s+([0-9A-F ]+)/.exec(anchor) ?? []
  writeFileSync(
    join(folder, 'anchors'),
    `trust-anchors { "." static-ds ${tag} ${algorithm} ${digestType} "${digest?.replaceAll(' ', '')}"; };\n`,
  )
  const server = spawn(program('named')!, ['-g', '-c', `${folder}/named.conf`], { stdio: ['ignore', 'ignore', 'pipe'] })
  await started(server, server.stderr, / running$/m)
  const asking = (at: number, name: string, type: string) => [
    ...['@127.0.0.1', '-p', String(at), '-a', `${folder}/anchors`, '+root=.'],
    ...[name, type],
  ]
  const ds = { keyTag: Number(tag), algorithm: Number(algorithm), digestType: Number(digestType) }
  return {
    port,
    anchors: { '.': [{ ...ds, digest: fromHex(digest?.replaceAll(/\s/g, '') ?? '')! }] },
    delv(name, type) {
      const { stdout, stderr } = spawnSync(program('delv')!, asking(port, name, type), { encoding: 'utf8' })
      return /(fully validated|unsigned answer)/.exec(stdout)?.[1] ?? `failed: ${stderr}`
    },
    delvBy: (other, name, type) => runDelv(asking(other, name, type)),
    close: () => ended(server, folder),
  }
}
