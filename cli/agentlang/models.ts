// The models of runs and reviews, and the user at the terminal.

import { createInterface } from 'node:readline/promises'
import type { Agent } from '../../bindings/agentlang/folder.ts'
import { chatModel, lineModel, type ModelAdapter, scriptModel } from '../../bindings/agentlang/run/models.ts'
import { modelOf, modelReviewer } from '../../bindings/agentlang/run/session.ts'
import { startMcpServer } from '../../bindings/node/mcp-process.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { oneOf } from '../../bindings/text/words.ts'
import { type Tools, UsageError } from '../command.ts'
import { readToken } from '../keys.ts'

export const MODEL_HINT =
  'as in script:plan.json, stdio:./model.py, ollama:qwen3 or chat:https://models.example.com/v1/chat/completions'

/** Endpoints that have a short name, with the variable in which their users have the token. */
const PROVIDERS: Readonly<Record<string, Pick<chatModel.Options, 'url' | 'limit'> & { readonly variable?: string }>> = {
  anthropic: { url: 'https://api.anthropic.com/v1/chat/completions', variable: 'ANTHROPIC_API_KEY' },
  openai: {
    url: 'https://api.openai.com/v1/chat/completions',
    variable: 'OPENAI_API_KEY',
    limit: 'max_completion_tokens',
  },
  ollama: { url: 'http://localhost:11434/v1/chat/completions' },
}

/** Work to do when the run is over. */
export type Ending = (work: () => Promise<unknown>) => void

interface NamedAdapter {
  /** `--model` or `--reviewer`. */
  readonly option: string
  readonly name: string
  /** The token of a chat endpoint. */
  readonly key: string | undefined
}

export async function modelFrom(
  { option, name, key }: NamedAdapter,
  atEnd: Ending,
  tools: Tools,
): Promise<ModelAdapter> {
  const [, kind, rest = ''] = /^(\w+):(.+)$/s.exec(name) ?? []
  const wrong = (why: string) => new UsageError('invalid-value', `${option}: ${why}`, MODEL_HINT)
  if (kind === 'script') {
    const { document } = await tools.reader.document(rest, { anything: true })
    try {
      return scriptModel(document.value)
    } catch (error) {
      throw wrong(`${rest}: ${(error as Error).message}`)
    }
  }
  if (kind === 'stdio') {
    const [command, ...args] = rest.split(' ').filter((word) => word !== '')
    const started = await startMcpServer({ command: command!, args })
    if ('fault' in started) throw wrong(started.fault.detail)
    atEnd(() => started.ok.close())
    return lineModel(started.ok)
  }
  const sent = { fetch: (url: string, init: RequestInit) => tools.host.send(url, init), ...(key && { key }) }
  if (kind === 'chat' && URL.canParse(rest)) return chatModel({ url: rest, ...sent })
  const provider = kind !== undefined && Object.hasOwn(PROVIDERS, kind) ? PROVIDERS[kind] : undefined
  if (provider === undefined)
    throw wrong(`expected script:FILE, stdio:COMMAND, chat:URL or ${oneOf(Object.keys(PROVIDERS))}:MODEL, got ${name}`)
  const { variable, ...endpoint } = provider
  // The token is taken from no variable that nobody named.
  if (variable !== undefined && !key)
    throw new UsageError('missing-argument', `${option}: ${kind} needs a token`, `--model-key env:${variable}`)
  return chatModel({ ...endpoint, model: rest, ...sent })
}

const openTerminal = () => createInterface({ input: process.stdin, output: process.stderr })

/** Asks the user at the terminal, one question after the other. Without a terminal nobody confirms. */
export function confirmingAt(atEnd: Ending, open = openTerminal): (question: string) => Promise<boolean> {
  if (!process.stdin.isTTY) return async () => false
  const terminal = open()
  // A question that is open when the terminal closes would never end.
  const closed = new AbortController()
  terminal.on('close', () => closed.abort())
  atEnd(async () => terminal.close())
  let last: Promise<unknown> = Promise.resolve()
  return (question) => {
    const answer = last.then(async () =>
      /^y(?:es)?$/i.test((await terminal.question(`${visible(question)} [y/N] `, closed)).trim()),
    )
    last = answer.catch(() => false)
    return answer.catch(() => false)
  }
}

export async function openReviewer(name: string, token: string | undefined, agent: Agent, tools: Tools) {
  const endings: (() => Promise<unknown>)[] = []
  const key = token && (await readToken('model-key', token, tools))
  const adapter = await modelFrom({ option: '--reviewer', name, key }, (work) => endings.push(work), tools)
  const review = modelReviewer(adapter, modelOf({ value: agent.root.value }))
  return { review, end: async () => void (await Promise.allSettled(endings.map((end) => end()))) }
}
