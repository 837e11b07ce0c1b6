// A reader of ADP/1.0, made of the text of that version alone (sections 3, 4.3, 6.1 and 7) and of what Node has: it asks for TXT and
// SRV, gets JSON, and compares the key. It knows no SVCB, no TLSA, no proof and no media type.
import { createHash, createPublicKey } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { get } from 'node:https'

interface Network {
  /** Address and port of the DNS. */
  readonly server: string
  /** In PEM: whom it trusts. */
  readonly ca: string
}

/** What it comes to know of a domain; throws where 1.0 says that there is no agent. */
export async function readAsOf10(domain: string, { server, ca }: Network) {
  const resolver = new Resolver()
  resolver.setServers([server])
  // 3.1 and 8.3: all texts are one, of pairs.
  const text = (await resolver.resolveTxt(`_agent.${domain}`)).flat().join('')
  const { v, pk, wk } = Object.fromEntries(text.split(';').map((pair) => /^\s*(\w+)=(.*)$/.exec(pair)!.slice(1)))
  // As its author's program has it: 1.1 came after it.
  if (!v.startsWith('ADP1')) throw new Error(`version ${v}`)
  // 3.2: who speaks at once goes there, the least priority first.
  const [place] = (await resolver.resolveSrv(`_agent._tcp.${domain}`)).sort((a, b) => a.priority - b.priority)
  const metadata = JSON.parse(await fetched(new URL(wk), ca))
  const { protocol, identity, endpoints, capabilities } = metadata
  // 4.3: these, and one of each list at the least; all else may be there.
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

/** From the server on this machine, whatever the name. */
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
