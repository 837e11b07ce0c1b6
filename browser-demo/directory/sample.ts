// About 300 made-up agents to try the search with. They are the same every time.
import type { AgentCard } from '../../bindings/card/subject.ts'
import type { AgentSignals } from '../../bindings/directory/index.ts'
import sample from './sample.json' with { type: 'json' }

const { heads, tails, manners, languages } = sample

interface Sample {
  readonly cards: readonly AgentCard[]
  /**
   * The signals of a deployment about these agents. Without them, all agents would have the same reputation,
   * availability and rating.
   */
  readonly signals: ReadonlyMap<string, AgentSignals>
}

/** Descriptions of some agents in other languages, including CJK without spaces, by the number of the agent. */
const TRANSLATED: Readonly<Record<number, string>> = sample.translated

/** By the categories of table 6. The first tag is the primary one, and `{}` stands for one of eight fields. */
type AgentTemplate = [
  tags: string,
  role: string,
  does: string,
  tool: [method: string, about: string, input: string],
  fields: string,
]

/** The sample set. */
export function sampleSet(): Sample {
  const cards: AgentCard[] = []
  const signals = new Map<string, AgentSignals>()
  const next = numbers(20_260_101)
  for (const template of sample.agents as AgentTemplate[]) {
    for (const field of template[4].split('|')) {
      const n = cards.length
      const card = cardOf(template, field, n, next)
      cards.push(card)
      signals.set(card.id, signalsOf(next))
    }
  }
  return { cards, signals }
}

function cardOf([all, role, does, tool]: AgentTemplate, field: string, n: number, next: () => number): AgentCard {
  const [method, about, input] = tool
  const tags = all.split(' ')
  // 24 heads and 13 tails have no common divisor: 312 different names.
  const name = `${heads[n % heads.length]}${tails[n % tails.length]} ${role}`
  const id = `agent://${name.toLowerCase().replaceAll(' ', '-')}`
  const subject = field.split(' ').at(-1)!.toLowerCase()
  const members = input.split(' ')
  const day = String(1 + Math.floor(28 * next())).padStart(2, '0')
  return {
    id,
    name,
    description: TRANSLATED[n] ?? `${does.replace('{}', field)} ${pick(manners, next)}`,
    version: `${1 + Math.floor(3 * next())}.${Math.floor(10 * next())}.0`,
    skills: [...tags.slice(0, 1 + Math.floor(tags.length * next())), ...(/^[a-z]+$/.test(subject) ? [subject] : [])],
    tools: [
      {
        name: method,
        description: about,
        input_schema: {
          type: 'object',
          properties: Object.fromEntries(members.map((member) => [member, {}])),
          required: members.slice(0, 1),
        },
      },
    ],
    endpoints: [{ protocol: 'http+json', uri: `https://${id.slice('agent://'.length)}.example/v1`, auth: 'bearer' }],
    constraints: {
      max_concurrent_tasks: 2 ** Math.floor(6 * next()),
      supported_languages: pick(languages, next).split(' '),
      rate_limit: `${10 * (1 + Math.floor(12 * next()))}/min`,
    },
    metadata: { created_at: `2026-01-${day}T09:00:00Z`, updated_at: `2026-03-${day}T09:00:00Z`, ttl: 86_400 },
    seq: 1 + Math.floor(20 * next()),
  }
}

function signalsOf(next: () => number): AgentSignals {
  const isNew = next() < 0.15
  const hundredths = (from: number) => Math.round(100 * (from + (1 - from) * next())) / 100
  return {
    online: next() < 0.75,
    ...(isNew
      ? { completedTasks: Math.floor(5 * next()) }
      : { completedTasks: 5 + Math.floor(2000 * next()), reputation: hundredths(0.2), rating: hundredths(0.4) }),
  }
}

const pick = <T>(list: readonly T[], next: () => number): T => list[Math.floor(list.length * next())]!

/** Pseudorandom numbers from 0 up to 1, equal for equal seeds (a linear congruential generator modulo 2^32, by Knuth). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
