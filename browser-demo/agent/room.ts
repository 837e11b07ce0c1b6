import { inspectAgent } from '../../bindings/agentlang/inspect.ts'
import type { PromptTarget } from '../../bindings/agentlang/prompt/specification.ts'
import { visibleText } from '../../bindings/text/hidden.ts'
import { announce } from '../announce.ts'
import { cut, element, make, plural } from '../dom.ts'
import { filesOf, type NamedFile, pickedFiles } from '../files.ts'
import type { DroppedContent, Room } from '../rooms.ts'
import { proofPart } from '../steps.ts'
import { tally } from '../views/findings.ts'
import example from './example.json' with { type: 'json' }
import { type AgentSource, judge, type OpenedAgent, readSource } from './opened.ts'
import { actionsPart, asksPart, findingsPart, hostsPart, promptsPart } from './parts.ts'

const VERDICTS = {
  verified: 'Verified: a key that you trust signed these files, and nobody changed them.',
  failed: 'Failed: do not run this container.',
  unverifiable: 'Unverifiable: nobody changed the files since they were signed. Name the key of the developer above.',
} as const

/** Shows an agent before it runs: what is wrong with it, what it asks for, and which hosts start it. */
class AgentRoom implements Room {
  #source: AgentSource = new Map()
  #opened: OpenedAgent | undefined
  #secret: string | undefined
  /** The number of the last work; results of earlier ones are dropped. */
  #work = 0

  constructor() {
    for (const [name, input] of [
      ['open-agent-folder', 'agent-folder'],
      ['open-agent', 'agent-file'],
    ] as const) {
      const picker = element<HTMLInputElement>(input)
      element(name).addEventListener('click', () => picker.click())
      picker.addEventListener('change', () => {
        this.#open(pickedFiles(picker.files))
        picker.value = ''
      })
    }
    const secret = element<HTMLInputElement>('agent-secret')
    element('open-agent-secret').addEventListener('click', () => secret.click())
    secret.addEventListener('change', async () => {
      this.#secret = (await secret.files?.[0]?.slice(0, 1024).text())?.trim()
      secret.value = ''
      this.#judge()
    })
    element('agent-keys').addEventListener('change', () => this.#judge())
    element('agent-target').addEventListener('change', () => this.#showPrompts())
    element('agent-example').addEventListener('click', () => this.#openExample())
    this.#openExample()
  }

  async drop(dropped: DroppedContent): Promise<void> {
    this.#open((await filesOf(dropped)).files)
  }

  focus(): void {
    element('open-agent-folder').focus()
  }

  #openExample(): void {
    const encoder = new TextEncoder()
    this.#take('an example', new Map(Object.entries(example).map(([path, text]) => [path, encoder.encode(text)])))
  }

  async #open(files: readonly NamedFile[]): Promise<void> {
    const mine = ++this.#work
    const [{ path = '' } = {}] = files
    try {
      const source = await readSource(files)
      if (mine !== this.#work) return
      if (typeof source === 'string') this.#refuse(source)
      else this.#take(path.split('/')[0]!, source)
    } catch {
      if (mine === this.#work) this.#refuse('A file cannot be read: it was deleted, or this browser does not allow it.')
    }
  }

  #take(name: string, source: AgentSource): void {
    this.#source = source
    this.#secret = undefined
    element<HTMLTextAreaElement>('agent-keys').value = ''
    element('agent-name').textContent = visibleText(cut(name, 80))
    this.#judge()
  }

  async #judge(): Promise<void> {
    const mine = ++this.#work
    const key = element<HTMLTextAreaElement>('agent-keys').value.trim()
    const secret = this.#secret
    try {
      const opened = await judge(this.#source, {
        ...(key !== '' && { keys: [key] }),
        ...(secret !== undefined && { secret }),
      })
      if (mine === this.#work) this.#show(opened)
    } catch (error) {
      // A malformed key is a KeyError, a malformed secret a RangeError.
      if (mine === this.#work) this.#refuse(`The key or the secret cannot be read: ${(error as Error).message}`)
    }
  }

  #refuse(words: string): void {
    this.#opened = undefined
    element('agent-report').hidden = true
    element('agent-problems').replaceChildren(make('p', 'outcome bad', `✕ ${words}`))
    announce(words)
  }

  #show(opened: OpenedAgent): void {
    this.#opened = opened
    const { agent, container, diagnostics } = opened
    element('agent-problems').replaceChildren(...containerPart(opened))
    element('agent-findings').replaceChildren(...findingsPart(opened))
    element('agent-report').hidden = false
    element('agent-asks').hidden = agent === undefined
    const found = tally(diagnostics) || 'no findings'
    announce(found)
    if (agent === undefined) return
    const inspection = inspectAgent(agent, container && { container })
    const { name = 'An agent', version = '', developer } = inspection
    const by = developer === undefined ? '' : `, by ${developer}`
    element('agent-summary').textContent = visibleText(cut(`${name} ${version}${by}: ${found}`, 400))
    element('agent-table').replaceChildren(...asksPart(inspection))
    element('agent-hosts').replaceChildren(...hostsPart(agent))
    element('agent-actions').replaceChildren(...actionsPart(agent))
    this.#showPrompts()
  }

  #showPrompts(): void {
    const target = document.querySelector<HTMLInputElement>('[name="agent-target"]:checked')!.value as PromptTarget
    const { agent } = this.#opened ?? {}
    if (agent !== undefined) element('agent-prompts').replaceChildren(...promptsPart(agent, target))
  }
}

/** Who signed the container, and what is encrypted in it. */
function containerPart({ container }: OpenedAgent): Node[] {
  if (container === undefined) return []
  const { proof, encrypted = [] } = container
  const words = `! ${plural(encrypted.length, 'file')} encrypted: open the secret above to read them.`
  return [
    make('h3', '', 'Who signed it'),
    proofPart('The container', proof, VERDICTS[proof.verdict]),
    ...(encrypted.length === 0 ? [] : [make('p', 'care', words)]),
  ]
}

/** Opens the part of the page for agents in folders and containers. */
export function open(): Room {
  return new AgentRoom()
}
