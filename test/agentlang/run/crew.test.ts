import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  delegateTool,
  planOrchestration,
  rankSpecialists,
  type Specialist,
} from '../../../bindings/agentlang/run/crew.ts'
import { processorTime } from '../../support/effort.ts'

const entry = (name: string, ...depends_on: string[]) => ({ path: `./${name}.yaml`, task: `do ${name}`, depends_on })
const crew = (process: string, ...agents: object[]) => ({ name: 'root', delegate: { mode: 'static', process, agents } })
const names = (agent: object, specialists: readonly Specialist[] = []) =>
  planOrchestration(agent as Record<string, unknown>, specialists).waves.map((wave) => wave.map(({ name }) => name))
const rules = (agent: object) =>
  planOrchestration(agent as Record<string, unknown>).faults.map(({ rule, pointer }) => [rule, pointer])

const SPECIALISTS: readonly Specialist[] = [
  ['academic-researcher', 'Specialist in research papers, academic publications,\nand scholarly work.'],
  ['market-analyst', 'Analyzes markets, competitors and prices.'],
  ['report-writer', 'Writes reports from research.'],
].map(([name, description]) => ({ path: `./${name}.yaml`, agent: { name, description } }))

describe('static crews', () => {
  test('[agentlang/functions-12] the crew of the text runs the researcher, then the writer', () => {
    const plan = planOrchestration(crew('sequential', entry('researcher'), entry('writer', 'researcher')))
    expect(plan).toMatchObject({ mode: 'static', process: 'sequential', maxDepth: 3, faults: [] })
    expect(plan.waves).toEqual([
      [{ name: 'researcher', path: 'researcher.yaml', task: 'do researcher', dependsOn: [] }],
      [{ name: 'writer', path: 'writer.yaml', task: 'do writer', dependsOn: ['researcher'] }],
    ])
  })

  test('[agentlang/functions-12] parallel starts all that wait for nothing, sequential one at a time', () => {
    const agents = [entry('d', 'b', 'c'), entry('a'), entry('b', 'a'), entry('c', 'a')]
    expect(names(crew('parallel', ...agents))).toEqual([['a'], ['b', 'c'], ['d']])
    expect(names(crew('hierarchical', ...agents))).toEqual([['a'], ['b', 'c'], ['d']])
    expect(names(crew('sequential', ...agents))).toEqual([['a'], ['b'], ['c'], ['d']])
  })

  test('[agentlang/functions-12] a dependency is the name of an agent, otherwise of its file', () => {
    const specialists = [{ path: 'r.yaml', agent: { name: 'researcher' } }]
    expect(names(crew('parallel', entry('r'), entry('w', 'researcher')), specialists)).toEqual([['researcher'], ['w']])
  })

  test.each([
    ['a circle', [entry('a', 'c'), entry('b', 'a'), entry('c', 'b')], 'delegate-cycle', "'a' -> 'c' -> 'b' -> 'a'"],
    [
      'a circle that others wait for',
      [entry('z', 'a'), entry('a', 'b'), entry('b', 'a')],
      'delegate-cycle',
      ": 'a' -> 'b' -> 'a'",
    ],
    ['an agent that waits for itself', [entry('a', 'a')], 'delegate-cycle', "'a' -> 'a'"],
    ['an unknown dependency', [entry('a', 'x')], 'delegate-unknown', "'x' is not an agent"],
    ['a repeated name', [entry('a'), { path: 'sub/a.yml' }], 'delegate-name', "'a'"],
  ])('[agentlang/functions-13] refuses %s and plans nothing', (_, agents, rule, detail) => {
    const plan = planOrchestration(crew('parallel', ...agents))
    expect(plan.waves).toEqual([])
    expect(plan.faults).toEqual([expect.objectContaining({ rule, detail: expect.stringContaining(detail) })])
  })

  test('every wave holds what waits for earlier waves only', () => {
    const graph = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(graph, fc.constantFrom('parallel', 'sequential'), (edges, process) => {
        const agents = edges.map((to, i) => entry(`n${i}`, ...to.filter((j) => j < i).map((j) => `n${j}`))).reverse()
        const done = new Set<string>()
        for (const wave of planOrchestration(crew(process, ...agents)).waves) {
          for (const { dependsOn } of wave) expect(dependsOn.every((name) => done.has(name))).toBe(true)
          for (const { name } of wave) done.add(name)
        }
        expect(done.size).toBe(agents.length)
      }),
    )
  })

  test('plans a chain of 1,000 agents, and refuses 1,001', () => {
    const chain = (length: number) => Array.from({ length }, (_, i) => entry(`n${i}`, ...(i > 0 ? [`n${i - 1}`] : [])))
    const before = processorTime()
    expect(names(crew('parallel', ...chain(1_000).reverse()))).toHaveLength(1_000)
    expect(processorTime() - before).toBeLessThan(2_000)
    expect(rules(crew('parallel', ...chain(1_001)))).toContainEqual(['delegate-size', '/delegate/agents'])
  })

  test('tolerates any shape', () => {
    for (const delegate of [
      null,
      1,
      [],
      { agents: 1 },
      { agents: [null, { path: 1, depends_on: 'x' }, { path: '__proto__' }] },
    ]) {
      expect(() =>
        planOrchestration({ delegate, tools: [null, { name: 'delegate', config: 1 }], constraints: [] }),
      ).not.toThrow()
    }
  })
})

describe('dynamic crews', () => {
  const dynamic = (max_depth: unknown, limit?: unknown) => ({
    tools: [{ name: 'web' }, { name: 'delegate', config: { mode: 'dynamic', max_depth } }],
    constraints: { limits: { max_delegation_depth: limit } },
  })

  test.each([
    [undefined, undefined, 3],
    [5, undefined, 5],
    [5, 2, 2],
    [1, 2, 1],
    [0, undefined, 3],
    [0, 7, 7],
    ['9', -1, 3],
  ])('[agentlang/functions-14] the depths %s and %s give %i', (max, limit, depth) => {
    expect(planOrchestration(dynamic(max, limit))).toMatchObject({ mode: 'dynamic', maxDepth: depth, waves: [] })
  })

  test('[agentlang/functions-13] both modes at once are a fault', () => {
    expect(rules({ ...crew('parallel', entry('a')), ...dynamic(3) })).toEqual([
      ['delegate-modes', '/tools/1/config/mode'],
    ])
  })

  test('[agentlang/functions-15] the tool offers the specialists that have a description', () => {
    const tool = delegateTool([...SPECIALISTS, { path: 'x.yaml', agent: { name: 'x' } }, SPECIALISTS[0]!])
    expect(tool).toMatchObject({
      name: 'delegate',
      input_schema: {
        properties: { agent: { enum: ['academic-researcher', 'market-analyst', 'report-writer'] } },
        required: ['agent', 'task'],
      },
    })
  })

  test.each([
    ['Find scholarly publications', 'academic-researcher'],
    ['Which competitor changed its price?', 'market-analyst'],
    ['Write the report', 'report-writer'],
  ])('[agentlang/functions-15] %s goes to %s, whatever the order', (task, first) => {
    expect(rankSpecialists(task, SPECIALISTS)[0]!.name).toBe(first)
    expect(rankSpecialists(task, [...SPECIALISTS].reverse())).toEqual(rankSpecialists(task, SPECIALISTS))
  })
})
