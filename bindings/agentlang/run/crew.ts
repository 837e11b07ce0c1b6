import { elements, isObject, type JsonObject, member, objectOf } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { FunctionFault } from '../files.ts'
import { limitsOf } from './budget.ts'

/** A sub-agent: the content of a file next to agent.yaml. */
export interface Specialist {
  /** Relative to agent.yaml: `./researcher.yaml`. */
  readonly path: string
  readonly agent: JsonObject
}

export interface CrewTask {
  readonly name: string
  readonly path: string
  readonly task: string
  readonly dependsOn: readonly string[]
}

export declare namespace planOrchestration {
  interface Result {
    readonly mode: 'static' | 'dynamic' | 'none'
    readonly process: 'sequential' | 'parallel' | 'hierarchical'
    /** Each wave starts when the one before has ended; its tasks may run at the same time. Empty if there are faults. */
    readonly waves: readonly (readonly CrewTask[])[]
    readonly maxDepth: number
    readonly faults: readonly FunctionFault[]
  }
}

const MOST_TASKS = 1_000
const MOST_DEPENDENCIES = 10_000
const PROCESSES = ['sequential', 'parallel', 'hierarchical'] as const

/** The order in which a static crew works. In a hierarchical crew the agent itself decides about each wave. */
export function planOrchestration(
  agent: JsonObject,
  specialists: readonly Specialist[] = [],
): planOrchestration.Result {
  const crew = objectOf(member(agent, 'delegate'))
  const faults: FunctionFault[] = []
  const tools = elements({ pointer: '', value: agent }, 'tools', isObject)
  const tool = tools.find(({ value }) => member(value, 'name') === 'delegate')
  const config = objectOf(member(tool?.value, 'config'))
  const isStatic = Object.hasOwn(agent, 'delegate')
  if (isStatic && member(config, 'mode') === 'dynamic') {
    const detail = 'the agent delegates by a fixed list and by choice; keep one of them'
    faults.push({ rule: 'delegate-modes', pointer: `${tool!.pointer}/config/mode`, detail })
  }
  const tasks = isStatic ? tasksOf(crew, specialists, faults) : []
  const process = PROCESSES.find((name) => name === crew['process']) ?? 'sequential'
  const waves = faults.length > 0 ? [] : wavesOf(tasks, process === 'sequential', faults)
  const mode = isStatic ? 'static' : tool === undefined ? 'none' : 'dynamic'
  const depth = member(config, 'max_depth') as number
  const limits = limitsOf(objectOf(member(agent, 'constraints')), { max_delegation_depth: depth })
  return { mode, process, waves, maxDepth: limits.max_delegation_depth, faults }
}

/** The name of a task is that of its agent, otherwise that of its file. */
function tasksOf(crew: JsonObject, specialists: readonly Specialist[], faults: FunctionFault[]): readonly CrewTask[] {
  const names = new Map(specialists.map(({ path, agent }) => [plainPath(path), member(agent, 'name')]))
  const list = member(crew, 'agents')
  const entries = (Array.isArray(list) ? list : []).map(objectOf)
  const refuse = (rule: string, pointer: string, detail: string) => void faults.push({ rule, pointer, detail })
  if (entries.length > MOST_TASKS) refuse('delegate-size', '/delegate/agents', `more than ${MOST_TASKS} agents`)
  const tasks = entries.slice(0, MOST_TASKS).map((entry): CrewTask => {
    const [path, task, dependsOn] = [entry['path'], entry['task'], entry['depends_on']]
    const file = typeof path === 'string' ? plainPath(path) : ''
    const own = names.get(file)
    const name = typeof own === 'string' ? own : file.replace(/^.*\//s, '').replace(/\.ya?ml$/, '')
    const wanted = Array.isArray(dependsOn) ? dependsOn.filter((other) => typeof other === 'string') : []
    return { name, path: file, task: typeof task === 'string' ? task : '', dependsOn: [...new Set(wanted)] }
  })
  const known = new Set<string>()
  for (const [i, { name }] of tasks.entries()) {
    if (known.has(name)) refuse('delegate-name', `/delegate/agents/${i}`, `another agent is called ${quoted(name)}`)
    known.add(name)
  }
  const count = tasks.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0)
  if (count > MOST_DEPENDENCIES) refuse('delegate-size', '/delegate/agents', 'too many dependencies')
  for (const [i, { dependsOn }] of tasks.entries()) {
    const unknown = dependsOn.find((name) => !known.has(name))
    const detail = `${quoted(unknown ?? '')} is not an agent of this list`
    if (unknown !== undefined) refuse('delegate-unknown', `/delegate/agents/${i}/depends_on`, detail)
  }
  return tasks
}

const plainPath = (path: string) => path.replace(/^(?:\.\/)+/, '')

function wavesOf(tasks: readonly CrewTask[], oneByOne: boolean, faults: FunctionFault[]): CrewTask[][] {
  const waves: CrewTask[][] = []
  const done = new Set<string>()
  let rest = tasks
  while (rest.length > 0) {
    const ready = rest.filter(({ dependsOn }) => dependsOn.every((name) => done.has(name)))
    const wave = oneByOne ? ready.slice(0, 1) : ready
    if (wave.length === 0) {
      const detail = `these agents wait for each other: ${cycleIn(rest).map(quoted).join(' -> ')}`
      faults.push({ rule: 'delegate-cycle', pointer: '/delegate/agents', detail })
      return []
    }
    waves.push(wave)
    for (const { name } of wave) done.add(name)
    rest = rest.filter(({ name }) => !done.has(name))
  }
  return waves
}

/** Every task waits for another one of `tasks`, so that following the first of them leads into a circle. */
function cycleIn(tasks: readonly CrewTask[]): readonly string[] {
  const waiting = new Map(tasks.map((task) => [task.name, task]))
  const trail = [tasks[0]!.name]
  for (;;) {
    const next = waiting.get(trail.at(-1)!)!.dependsOn.find((name) => waiting.has(name))!
    trail.push(next)
    const start = trail.indexOf(next)
    if (start < trail.length - 1) return trail.slice(start)
  }
}

/** The tool by which a model hands a task to one of the specialists. */
export function delegateTool(specialists: readonly Specialist[]): JsonObject {
  const known = describedOf(specialists)
  const about = known.map(({ name, description }) => `${name}: ${description}`).join('\n')
  const agent = { type: 'string', enum: known.map(({ name }) => name), description: about }
  return {
    name: 'delegate',
    description: 'Hands a task to the specialist whose description fits it best.',
    input_schema: {
      type: 'object',
      properties: { agent, task: { type: 'string', description: 'What the specialist has to do' } },
      required: ['agent', 'task'],
      additionalProperties: false,
    },
  }
}

/** Specialists by how well their descriptions fit a task, best first. The same input gives the same order. */
export function rankSpecialists(task: string, specialists: readonly Specialist[]) {
  const known = describedOf(specialists).map(({ name, description }) => ({
    name,
    words: wordsOf(`${name} ${description}`),
  }))
  const wanted = [...wordsOf(task)]
  // A word that few specialists have says more.
  const weights = wanted.map((word) => known.length / Math.max(1, known.filter(({ words }) => words.has(word)).length))
  const ranked = known.map(({ name, words }) => {
    return { name, score: wanted.reduce((sum, word, i) => (words.has(word) ? sum + weights[i]! : sum), 0) }
  })
  return ranked.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
}

/** Specialists without name or description cannot be chosen. */
function describedOf(specialists: readonly Specialist[]) {
  const names = new Set<string>()
  return specialists.slice(0, MOST_TASKS).flatMap(({ agent }) => {
    const [name, description] = [member(agent, 'name'), member(agent, 'description')]
    if (typeof name !== 'string' || typeof description !== 'string' || names.has(name)) return []
    names.add(name)
    return [{ name, description: description.trim() }]
  })
}

/** Words of three or more letters, without the s of a plural. */
function wordsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .slice(0, 10_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return new Set(words.map((word) => word.replace(/(?<=..[^s])s$/, '')))
}
