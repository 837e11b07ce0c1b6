// Live discovery: a document of its own, because it uses the network. It sends nothing before the reader presses the button.
import { anchorsFromText } from '../../bindings/discover/dns/dnssec/rdata.ts'
import { dohResolver } from '../../bindings/discover/dns/lookup.ts'
import { type Discovery, discover } from '../../bindings/discover/trust/discover.ts'
import { readAgentDomain } from '../../bindings/discover/trust/domain.ts'
import type { Need } from '../../bindings/discover/trust/levels.ts'
import { checkItem, drawAccount } from '../discover/account.ts'
import { announce, element, make } from '../dom.ts'
import { setUpTheme } from '../saved.ts'
import { download } from '../steps.ts'

const field = (id: string) => element<HTMLInputElement>(id).value.trim()

let asking: AbortController | undefined
let last: Discovery | undefined

interface Wanted {
  readonly domain: ReturnType<typeof readAgentDomain>
  readonly host: string
  readonly options: discover.Options
}

/** @throws {TypeError} for a missing or invalid field; the message says what to do. */
function wanted(): Wanted {
  const [name, url, anchors] = [field('domain'), field('resolver'), field('anchors')]
  if (name === '') throw new TypeError('Fill in the domain, such as alice.example.com or agent:alice.example.com.')
  const domain = readAgentDomain(name)
  if (url === '')
    throw new TypeError(
      'Fill in a resolver that you trust, such as https://dns.example/dns-query. The page has no default.',
    )
  // The policy of this document allows connections by https only.
  if (!/^https:/i.test(url)) throw new TypeError(`resolver: expected an https URL, got ${JSON.stringify(url)}`)
  const resolver = dohResolver(url)
  const need = element<HTMLSelectElement>('need').value as Need
  return {
    domain,
    host: new URL(url).host,
    options: { resolver, need, ...(anchors !== '' && { anchors: anchorsFromText(anchors) }) },
  }
}

/** Shows, before any request, who will learn what. */
function showWhoLearns(): void {
  const names = (text: string, otherwise: string) => (text === '' ? otherwise : text)
  const domain = names(field('domain').slice(0, 100), 'the domain')
  const url = field('resolver')
  const host = names(URL.canParse(url) ? new URL(url).host : '', 'The resolver')
  const list = make('ul', 'lines', [
    make(
      'li',
      '',
      `${host} learns your address, and that you look for the agent of ${domain}: every DNS query goes there.`,
    ),
    make(
      'li',
      '',
      field('need') === 'address'
        ? 'The server of the agent learns nothing: the page sends DNS queries only.'
        : 'The server that the DNS names learns your address, and that you fetch its metadata: one GET, without cookies.',
    ),
  ])
  element('learns').replaceChildren(make('p', '', 'The page sends nothing before you press the button. Then:'), list)
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
    const onStep: discover.Options['onStep'] = (step) => mine === asking && steps.append(checkItem(step))
    const found = await discover(plan.domain.ascii, { ...plan.options, signal: mine.signal, onStep })
    if (mine === asking) show(found)
  } catch (error) {
    if (mine === asking)
      element('problem').textContent = mine.signal.aborted
        ? '✕ Stopped. Press Discover to start again.'
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
  element('discovery').replaceChildren(...parts, ...failureHint(discovery))
  announce(words)
}

/** A browser reports only that a request failed, not why. */
function failureHint({ proof }: Discovery): Node[] {
  const code = proof.steps.at(-1)?.diagnostic?.code ?? ''
  if (!['DNS-104', 'DNS-107', 'DOC-181'].includes(code)) return []
  const words =
    'A browser does not report why a request failed. Either the server does not answer, or it does not allow other pages to read its answers: the resolver and the server of the agent must allow that by CORS. The command line needs no CORS: blazon discover DOMAIN.'
  return [make('p', 'hint', words)]
}

function setButtons(): void {
  element<HTMLButtonElement>('stop').disabled = asking === undefined
  element<HTMLButtonElement>('keep-trace').disabled = last === undefined
}

setUpTheme()
showWhoLearns()
element('asking').addEventListener('input', showWhoLearns)
element('asking').addEventListener('submit', (event) => {
  event.preventDefault()
  ask()
})
element('stop').addEventListener('click', () => asking?.abort())
element('keep-trace').addEventListener('click', () => {
  if (last === undefined) return
  download(`${last.domain.ascii}.trace.json`, `${JSON.stringify(last.trace, null, 2)}\n`, 'application/json')
})
