// `npm start -- --site FOLDER`: serves the documents of a folder as one agent. They are published on this machine's
// server with the public routes, so anything it refuses would be refused elsewhere as well.
import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import { send, TOOL } from './address.mjs'

const MOST_FILES = 200
const MOST_BYTES = 1 << 20
const DOCUMENT = ['.json', '.yaml', '.yml', '.adl']
const KEY = ['.pem', '.jwk', '.key']

const ROLES = { wellknown: 'metadata', adl: 'definition', card: 'card' }
const MADE = {
  a2a: 'the server makes the card of A2A, of the metadata',
  'adl-discovery': 'the server makes the list of definitions',
}

/** The files of a folder with their roles, and the skipped files with the reasons. */
export async function readSite(folder) {
  const site = { folder: resolve(folder), cards: [], leftOut: [] }
  const names = (await readdir(site.folder)).filter((name) => !name.startsWith('.')).sort()
  for (const name of names.slice(0, MOST_FILES)) await take(site, name)
  if (names.length > MOST_FILES)
    leaveOut(site, `${names.length - MOST_FILES} more`, `of a folder ${MOST_FILES} files are read`)
  if (site.key !== undefined && site.metadata !== undefined) await matchKey(site)
  if (site.metadata === undefined && site.definition === undefined)
    throw new Error(
      `${site.folder} has no agent: neither metadata (agent.json) nor a definition that is valid${site.leftOut.map(lineOf).join('')}\n${TOOL} init ${join(folder, 'scout.adl.yaml')} begins one`,
    )
  return { ...site, name: await nameOf(site) }
}

const lineOf = ({ file, why }) => `\n  ${file}: ${why}`

const errorOf = (diagnostics) => diagnostics.find(({ severity }) => severity === 'error')

const leaveOut = (site, file, why) => site.leftOut.push({ file, why })

async function take(site, file) {
  const path = join(site.folder, file)
  const [about, ending] = [await stat(path).catch(() => undefined), extname(file).toLowerCase()]
  if (about === undefined) return leaveOut(site, file, 'leads nowhere')
  if (about.isDirectory()) return leaveOut(site, file, 'a folder: only what lies beside agent.json is read')
  if (!about.isFile()) return leaveOut(site, file, 'no plain file')
  if (!DOCUMENT.includes(ending) && !KEY.includes(ending))
    return leaveOut(site, file, 'neither a document nor a key, by its name')
  if (about.size > MOST_BYTES) return leaveOut(site, file, `larger than ${MOST_BYTES >> 20} MiB`)
  const bytes = await readFile(path)
  if (KEY.includes(ending)) return takeKey(site, file, bytes.toString())
  const { validate } = await import('blazon')
  const { kind, valid, diagnostics } = validate(bytes, { file })
  if (kind === undefined && /"kty"\s*:/.test(bytes.toString())) return takeKey(site, file, bytes.toString())
  const role = ROLES[kind]
  if (role === undefined) {
    const why = `of no kind that an agent publishes${kind === undefined ? '' : `: ${kind}`}`
    return leaveOut(site, file, MADE[kind] ?? why)
  }
  if (!valid) {
    const { detail, source } = errorOf(diagnostics)
    return leaveOut(site, file, `not valid: line ${source.line}: ${detail}; ${TOOL} validate ${path} says all of it`)
  }
  if (role === 'card') return site.cards.push({ file, path })
  if (role === 'definition') return one(site, role, { file, path })
  const { parseJson } = await import('blazon/document')
  const { document } = parseJson(bytes)
  if (document === undefined) leaveOut(site, file, 'metadata is JSON, for it is served as it is')
  else one(site, role, { file, bytes, identity: document.value.identity })
}

/** Takes a document that a folder has at most one of: the first by name. */
function one(site, role, found) {
  if (site[role] === undefined) site[role] = found
  else leaveOut(site, found.file, `one folder is one agent, whose ${role} is ${site[role].file}`)
}

/** Never shows any part of a key. */
async function takeKey(site, file, text) {
  const { exportKey, importKey, KeyError } = await import('blazon/keys')
  try {
    const key = await importKey(text, { algorithm: 'Ed25519' })
    if (key.type === 'public')
      return leaveOut(site, file, 'a public key: what is served has it of the private one, or of the metadata')
    one(site, 'key', { file, key, pem: await exportKey(key, 'pem') })
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    leaveOut(site, file, 'no Ed25519 key that can be read without a password')
  }
}

/** Skips a key that is not the one in the metadata: nobody could verify what it signs. */
async function matchKey(site) {
  const { publicKeyBlock } = await import('blazon/wellknown')
  const { fingerprint } = site.metadata.identity.publicKey
  if (publicKeyBlock(site.key.key).fingerprint === fingerprint) return
  leaveOut(site, site.key.file, `not the key that ${site.metadata.file} names`)
  delete site.key
}

/** The name of the definition's file, or else the first label of the metadata's domain. */
async function nameOf({ definition, metadata, folder }) {
  const { isAgentName } = await import('blazon/adl')
  const ofFile = definition?.file.replace(/(?:\.adl)?\.(?:json|ya?ml)$|\.adl$/, '')
  const ofDomain = metadata?.identity.domain.split('.')[0]
  const names = [ofFile, ofDomain, basename(folder).toLowerCase(), 'agent']
  return names.find((name) => name !== undefined && isAgentName(name))
}

/** Publishes a folder at a server; returns the served places and the skipped files. */
export async function publishSite(site, { origin, token }) {
  const leftOut = [...site.leftOut]
  const files = [...(site.definition ? [site.definition] : []), ...site.cards]
  const refused = await publishFiles(files, { origin, token })
  leftOut.push(...refused)
  const domain = await publishMetadata(site, { origin, token }, leftOut)
  const shown = refused.some(({ file }) => file === site.definition?.file) ? { ...site, definition: undefined } : site
  return { domain, places: await placesOf(shown, origin, refused), leftOut }
}

/** Uses `blazon publish`. The token is the operator's, so the cards are accepted. */
async function publishFiles(files, { origin, token }) {
  if (files.length === 0) return []
  const paths = files.map(({ path }) => path)
  const args = ['dist/cli/blazon.js', 'publish', ...paths, '--to', origin, '--vouch', '--format', 'json']
  const env = { ...process.env, BLAZON_TOKEN: token }
  const output = await new Promise((done) => execFile(process.execPath, args, { env }, (_, stdout) => done(stdout)))
  const { results } = JSON.parse(output)
  const refused = results.filter(({ valid }) => !valid)
  return refused.map(({ file, diagnostics }) => {
    return { file: basename(file), why: errorOf(diagnostics)?.detail ?? 'refused' }
  })
}

/** Publishes the metadata file byte for byte; without one, makes metadata from the definition and signs it. */
async function publishMetadata({ name, metadata }, { origin, token }, leftOut) {
  const domain = metadata === undefined ? `${name}.localhost` : metadata.identity.domain
  const [method, body] = metadata === undefined ? ['POST', JSON.stringify({ domain })] : ['PUT', metadata.bytes]
  const response = await send(`/agents/${name}/agent.json`, body, { origin, token, method })
  if (response.ok) return domain
  const { detail } = await response.json()
  leftOut.push({ file: metadata?.file ?? 'metadata, made of the definition', why: detail })
  return undefined
}

/** The places that answer, with a description of each. */
async function placesOf({ name, metadata, definition, cards, key }, origin, refused) {
  const made = key === undefined ? 'signed with a key that was made for this run' : `signed with ${key.file}`
  const served = cards.filter(({ file }) => refused.every((one) => one.file !== file))
  const candidates = [
    ['/', 'the page of the agent'],
    ['/.well-known/agent.json', `metadata: ${metadata?.file ?? `made of ${definition?.file}, ${made}`}`],
    ['/capabilities/a2a.json', 'what it can do, of the metadata'],
    ['/.well-known/agent-card.json', 'card of A2A, of the metadata'],
    ['/.well-known/did.json', 'its key, as did:web'],
    ['/.well-known/jwks.json', 'its key, for JOSE'],
    [`/agents/${name}/adl.json`, `definition: ${definition?.file}`],
  ]
  const answers = await Promise.all(candidates.map(([path]) => fetch(origin + path)))
  const there = candidates.filter((_, i) => answers[i].ok)
  return [...there, ...served.map(({ file }) => ['/agents', `card in the directory: ${file}`])]
}

/** Describes what is served, in lines for people. */
export function describeSite({ folder, name, metadata, key }, { domain, places, leftOut }, origin) {
  const width = Math.max(...places.map(([path]) => path.length))
  const lines = places.map(([path, what]) => `  ${origin}${path.padEnd(width)}  ${what}`)
  const out = leftOut.length === 0 ? [] : ['', '  left out', ...leftOut.map(({ file, why }) => `  - ${file}: ${why}`)]
  const hints = hintsOf({ folder, domain, metadata, key })
  return [`blazon: ${name}, of ${folder}`, '', ...lines, ...out, '', ...hints].join('\n')
}

function hintsOf({ folder, domain, metadata, key }) {
  const file = join(folder, 'agent.json')
  const own = `${TOOL} init ${file} --kind wellknown --domain YOUR.DOMAIN ${key === undefined ? `--new-key ${join(folder, 'key.pem')}` : `--key ${join(folder, key.file)}`}`
  if (metadata === undefined)
    return [`  It has no metadata of its own, so its domain is ${domain ?? 'not there'} for now. Its own:`, `  ${own}`]
  const proof = metadata.identity.publicKey.proof ?? metadata.identity.proof
  const path = join(folder, metadata.file)
  const sign = `${TOOL} sign ${path} --key ${join(folder, key?.file ?? '')} --out ${path}`
  return [
    ...(proof === undefined && key !== undefined ? [`  ${metadata.file} has no proof of the key: ${sign}`] : []),
    `  The same paths of https://${domain} are where others look. The records of its DNS:`,
    `  ${TOOL} dns records ${path}`,
  ]
}
