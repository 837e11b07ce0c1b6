// About 300 made-up agents to try the search with. They are the same every time.
import type { AgentCard } from '../../bindings/card/subject.ts'
import type { AgentSignals } from '../../bindings/directory/index.ts'
import { AGENT_TEMPLATES, type AgentTemplate } from './agent-templates.ts'

export interface Sample {
  readonly cards: readonly AgentCard[]
  /**
   * The signals of a deployment about these agents. Without them, all agents would have the same reputation,
   * availability and rating.
   */
  readonly signals: ReadonlyMap<string, AgentSignals>
}

const HEADS = [
  'Al',
  'Bel',
  'Cor',
  'Dan',
  'El',
  'Fer',
  'Gal',
  'Hel',
  'Is',
  'Jor',
  'Kal',
  'Lor',
  'Mar',
  'Nor',
  'Or',
  'Per',
  'Quin',
  'Ros',
  'Sol',
  'Tal',
  'Ul',
  'Ver',
  'Wil',
  'Zen',
]
const TAILS = ['ba', 'dine', 'do', 'fin', 'gar', 'ia', 'lis', 'mon', 'na', 'rin', 'sa', 'tis', 'vo']
const MANNERS = [
  'Answers within a second.',
  'Keeps nothing of what it is sent.',
  'Every result is checked a second time before it is returned.',
  'Made for large amounts, day and night.',
  'Says so when it does not know.',
  'Runs within the European Union only.',
  'Small, quick and cheap.',
  'Explains each decision on request.',
]
const LANGUAGES = ['en', 'en de', 'en fr es', 'en zh ja', 'en pt', 'de', 'en ar hi', 'en it nl pl']
/** Descriptions of some agents in other languages, including CJK without spaces. */
const TRANSLATED: Readonly<Record<number, string>> = {
  0: '合同翻译，中文和英文之间，保留名称、数字和版式。',
  1: 'Übersetzt Patentschriften, ohne Namen, Zahlen und Formeln zu verändern.',
  9: '決算説明会の内容を要約し、該当箇所を示します。',
  48: 'Lit les reçus sur des photographies, tableaux et écriture à la main compris.',
  83: '회의와 전화 통화를 화자와 시간까지 기록합니다.',
  192: 'Busca en la web pruebas científicas y cita las fuentes.',
}

/** The sample set. */
export function sampleSet(): Sample {
  const cards: AgentCard[] = []
  const signals = new Map<string, AgentSignals>()
  const next = numbers(20_260_101)
  for (const template of AGENT_TEMPLATES) {
    for (const field of template.fields) {
      const n = cards.length
      const card = cardOf(template, field, n, next)
      cards.push(card)
      signals.set(card.id, signalsOf(next))
    }
  }
  return { cards, signals }
}

function cardOf({ tags, role, does, tool }: AgentTemplate, field: string, n: number, next: () => number): AgentCard {
  const [method, about, input] = tool
  // 24 heads and 13 tails have no common divisor: 312 different names.
  const name = `${HEADS[n % HEADS.length]}${TAILS[n % TAILS.length]} ${role}`
  const id = `agent://${name.toLowerCase().replaceAll(' ', '-')}`
  const subject = field.split(' ').at(-1)!.toLowerCase()
  const members = input.split(' ')
  const day = String(1 + Math.floor(28 * next())).padStart(2, '0')
  return {
    id,
    name,
    description: TRANSLATED[n] ?? `${does.replace('{}', field)} ${pick(MANNERS, next)}`,
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
      supported_languages: pick(LANGUAGES, next).split(' '),
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
