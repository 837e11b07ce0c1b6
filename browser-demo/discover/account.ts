// Draws the result of a discovery, recorded or live.
import { explained as explainedOfDns } from '../../bindings/discover/dns/findings.ts'
import type { Discovery } from '../../bindings/discover/trust/discover.ts'
import { explained as explainedOfTrust } from '../../bindings/discover/trust/findings.ts'
import type { FoundAgent } from '../../bindings/discover/trust/run.ts'
import type { FindingInfo } from '../../bindings/document/finding.ts'
import { formatJson } from '../../bindings/document/fmt.ts'
import type { Step, Verdict } from '../../bindings/frame/source.ts'
import { explained as explainedOfFetch } from '../../bindings/net/findings.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { button, cut, make, table } from '../dom.ts'
import { conclusions, stepItem, verdictLine } from '../steps.ts'
import { whyOf } from '../why.ts'
import { line } from './answer.ts'
import { drawLadder } from './ladder.ts'
import { drawTimeline } from './timeline.ts'

const DETAIL_CHARACTERS = 600

export interface Drawing {
  /** The verdict in one sentence, also for screen readers. */
  readonly words: string
  readonly parts: readonly Node[]
}

export interface MetadataAction {
  readonly label: string
  readonly run: (text: string) => void
}

/** The verdict, the levels of trust, the conclusions, the agent, and each check and request. */
export function drawAccount(discovery: Discovery, metadata: MetadataAction): Drawing {
  const { proof, agent, trace, domain } = discovery
  const words = VERDICTS[proof.verdict](proof.highest)
  const name = domain.ascii === domain.unicode ? domain.ascii : `${domain.unicode} (${domain.ascii})`
  const heading = make('h3', '', `agent:${line(name)}`)
  const sides = make('div', 'sides')
  sides.append(
    part('Level of trust', drawLadder(proof.levels), ...conclusions(proof)),
    part('Checks', stepsOf(proof.steps)),
  )
  const found = agent === undefined ? [] : [part('The agent', ...agentOf(agent, metadata))]
  const requests = part('Requests and answers', ...drawTimeline(trace.steps))
  return { words, parts: [heading, verdictLine(proof.verdict, words), sides, ...found, requests] }
}

const VERDICTS: Readonly<Record<Verdict, (highest: string | undefined) => string>> = {
  verified: (highest) => `Verified: no check failed, and the level ${highest} was reached.`,
  failed: () => 'Failed: a check failed, or no agent was found. Do not use the result.',
  unverifiable: (highest) =>
    `Unverifiable: no check failed, but ${highest === undefined ? 'no level was reached' : `only the level ${highest} was reached`}.`,
}

function part(title: string, ...nodes: readonly Node[]): HTMLElement {
  const section = make('section', 'stack')
  section.append(make('h4', '', title), ...nodes)
  return section
}

function stepsOf(steps: readonly Step[]): HTMLOListElement {
  const list = make('ol', 'steps')
  list.append(...steps.map(checkItem))
  return list
}

let byCode: ReadonlyMap<string, FindingInfo> | undefined

/** A check, with the explanation of its finding. */
export function checkItem(step: Step): HTMLLIElement {
  byCode ??= new Map([...explainedOfDns(), ...explainedOfTrust(), ...explainedOfFetch()].map((row) => [row.code, row]))
  const item = stepItem(step, make('p', '', visible(cut(step.detail, DETAIL_CHARACTERS))))
  if (step.diagnostic === undefined) return item
  const { code, fix } = step.diagnostic
  if (fix !== undefined) item.append(make('p', '', fix.hint))
  item.append(make('p', 'where', code))
  const row = byCode.get(code)
  if (row !== undefined) item.append(whyOf(row))
  return item
}

function agentOf(
  { uri, host, port, addresses, url, alpn, bap, cap, fingerprint, metadata }: FoundAgent,
  action: MetadataAction,
) {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['URI', uri],
    ['Host', `${host} port ${port}`],
    ['Addresses', addresses.join(', ')],
    ['Metadata', url],
    ['Key', fingerprint],
    ['Protocols', alpn.join(', ') || undefined],
    ['Protocol (bap)', bap],
    ['Capabilities', cap],
  ]
  const rows = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, make('code', '', visible(cut(value, DETAIL_CHARACTERS)))]],
  )
  const shown = [table('The agent', ['Property', 'Value'], rows)]
  if (metadata === undefined) return shown
  const open = button(action.label, () => action.run(new TextDecoder().decode(formatJson(metadata))))
  return [...shown, open]
}
