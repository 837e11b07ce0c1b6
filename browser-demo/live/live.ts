// Live discovery: a document of its own, for it asks the network. Nothing is asked before the reader says so.
import { anchorsFromText } from '../../bindings/discover/dns/dnssec/anchors-text.ts'
import { dohResolver } from '../../bindings/discover/dns/doh.ts'
import { type Discovery, type DiscoveryOptions, discover } from '../../bindings/discover/trust/discover.ts'
import { readAgentDomain } from '../../bindings/discover/trust/domain.ts'
import type { Need } from '../../bindings/discover/trust/levels.ts'
import { announce } from '../announce.ts'
import { drawAccount, judged } from '../discover/account.ts'
import { element, make } from '../dom.ts'
import { download } from '../download.ts'
import { setUpTheme } from '../theme.ts'

const field = (id: string) => element<HTMLInputElement>(id).value.trim()

let asking: AbortController | undefined
let last: Discovery | undefined

interface Wanted {
  readonly domain: ReturnType<typeof readAgentDomain>
  readonly host: string
  readonly options: DiscoveryOptions
}

/** @throws {TypeError} for a field that is not filled in as it has to be, with what to do. */
function wanted(): Wanted {
  const [name, url, anchors] = [field('domain'), field('resolver'), field('anchors')]
  if (name === '') throw new TypeError('Which domain? It is such as alice.example.com, or agent:alice.example.com.')
  const domain = readAgentDomain(name)
  if (url === '')
    throw new TypeError(
      'Which resolver? None is built in: name one that you trust, such as https://dns.example/dns-query.',
    )
  // The policy of this document lets it ask nobody else.
  if (!/^https:/i.test(url)) throw new TypeError(`resolver: expected an https URL, got ${JSON.stringify(url)}`)
  const resolver = dohResolver(url)
  const need = element<HTMLSelectElement>('need').value as Need
  return {
    domain,
    host: new URL(url).host,
    options: { resolver, need, ...(anchors !== '' && { anchors: anchorsFromText(anchors) }) },
  }
}

/** Says, before anything is asked, who will learn of it, and what. */
function sayWhoLearns(): void {
  const names = (text: string, otherwise: string) => (text === '' ? otherwise : text)
  const domain = names(field('domain').slice(0, 100), 'the domain')
  const url = field('resolver')
  const host = names(URL.canParse(url) ? new URL(url).host : '', 'The resolver')
  const list = make('ul', 'lines')
  list.append(
    make(
      'li',
      '',
      `${host} learns your address, and that you look for the agent of ${domain}: every name on the way is asked there.`,
    ),
    make(
      'li',
      '',
      field('need') === 'address'
        ? 'The server of the agent learns nothing: only the DNS is asked.'
        : 'The server that the DNS names learns your address, and that its metadata is fetched: one GET, without cookies.',
    ),
  )
  element('learns').replaceChildren(make('p', '', 'Nothing is asked before you press the button. Then:'), list)
}

async function ask(): Promise<void> {
  asking?.abort()
  element('problem').textContent = ''
  let plan: Wanted
  try {
    plan = wanted()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    element('problem').textContent = `✕ ${error.message}`
    return
  }
  const mine = new AbortController()
  asking = mine
  show(undefined)
  const steps = element('live-steps')
  steps.replaceChildren()
  announce(`Asking ${plan.host} for ${plan.domain.ascii}.`)
  try {
    const onStep: DiscoveryOptions['onStep'] = (step) => mine === asking && steps.append(judged(step))
    const found = await discover(plan.domain.ascii, { ...plan.options, signal: mine.signal, onStep })
    if (mine === asking) show(found)
  } catch (error) {
    if (mine === asking)
      element('problem').textContent = mine.signal.aborted
        ? '✕ Stopped. Press Ask now to begin again.'
        : `✕ ${(error as Error).message}`
  }
  if (mine !== asking) return
  asking = undefined
  setButtons()
}

function show(discovery: Discovery | undefined): void {
  last = discovery
  setButtons()
  element('discovery').replaceChildren()
  if (discovery === undefined) return
  const save = (text: string) => download('agent.json', text, 'application/json')
  const { words, parts } = drawAccount(discovery, { label: 'Download the metadata', run: save })
  element('live-steps').replaceChildren()
  element('discovery').replaceChildren(...parts, ...silence(discovery))
  announce(words)
}

/** A browser says of a request only that it failed, and not why. */
function silence({ proof }: Discovery): Node[] {
  const code = proof.steps.at(-1)?.diagnostic?.code ?? ''
  if (!['DNS-104', 'DNS-107', 'DOC-181'].includes(code)) return []
  const words =
    'A browser does not say why a request failed. Either nobody answers there, or who does lets no other page read the answer: the resolver and the server of the agent have to allow that by CORS. In a terminal that does not matter: blazon discover DOMAIN.'
  return [make('p', 'hint', words)]
}

function setButtons(): void {
  element<HTMLButtonElement>('stop').disabled = asking === undefined
  element<HTMLButtonElement>('keep-trace').disabled = last === undefined
}

setUpTheme()
sayWhoLearns()
element('asking').addEventListener('input', sayWhoLearns)
element('asking').addEventListener('submit', (event) => {
  event.preventDefault()
  ask()
})
element('stop').addEventListener('click', () => asking?.abort())
element('keep-trace').addEventListener('click', () => {
  if (last === undefined) return
  download(`${last.domain.ascii}.trace.json`, `${JSON.stringify(last.trace, null, 2)}\n`, 'application/json')
})
