// A reader of ADP/1.0, written only from the text of that version (sections 3, 4.3, 6.1 and 7) and with Node alone: it
// asks for TXT and SRV, gets JSON, and compares the key. It knows no SVCB, TLSA, proof or media type.
import { createHash, createPublicKey } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { get } from 'node:https'

interface Network {
  /** Address and port of the DNS. */
  readonly server: string
  /** The trusted certificate, in PEM. */
  readonly ca: string
}

/** What it learns about a domain; throws if 1.0 says that there is no agent. */
export async function readAsOf10(domain: string, { server, ca }: Network) {
  const resolver = new Resolver()
  resolver.setServers([server])
  // 3.1 and 8.3: all texts together, as pairs.
  const text = (await resolver.resolveTxt(`_agent.${domain}`)).flat().join('')
  const { v, pk, wk } = Object.fromEntries(text.split(';').map((pair) => /^\s*(\w+)=(.*)$/.exec(pair)!.slice(1)))
  // As in its author's program; 1.1 came later.
  if (!v.startsWith('ADP1')) throw new Error(`version ${v}`)
  // 3.2: the lowest priority first.
  const [place] = (await resolver.resolveSrv(`_agent._tcp.${domain}`)).sort((a, b) => a.priority - b.priority)
  const metadata = JSON.parse(await fetched(new URL(wk), ca))
  const { protocol, identity, endpoints, capabilities } = metadata
  // 4.3: these, and at least one of each list; everything else is optional.
  if (!/^ADP\/1\.\d+$/.test(protocol)) throw new Error(`protocol ${protocol}`)
  if (!identity.id.startsWith('agent:')) throw new Error(`id ${identity.id}`)
  if (Object.keys(endpoints).length === 0 || capabilities.length === 0) throw new Error('nothing to do there')
  // 6.1: the fingerprint of the full key is the one in the DNS.
  const { full } = identity.publicKey
  const { x } = createPublicKey(full).export({ format: 'jwk' })
  const digest = createHash('sha256').update(Buffer.from(x!, 'base64url')).digest('base64url')
  if (`ed25519:${digest}` !== pk) throw new Error(`another key than ${pk}`)
  return { id: identity.id, name: identity.name, host: place?.name, port: place?.port, capabilities, full }
}

/** Fetches from the server on this machine, whatever the name. */
function fetched(url: URL, ca: string): Promise<string> {
  const { hostname: servername, port, pathname, host } = url
  return new Promise((resolve, reject) => {
    const headers = { host, accept: 'application/json' }
    get({ host: '127.0.0.1', servername, port, path: pathname, ca, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => (text += part))
      response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))))
    }).on('error', reject)
  })
}
