// Runs all vectors in all hosts of this machine, compares what came back, prints a table. run.mjs bundles it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SelftestResult } from '../../bindings/selftest/index.ts'
import { assembleVectors } from '../conformance/assemble.ts'
import { hasRunner } from '../conformance/body.ts'
import { bodyDisagreements, programDisagreements } from '../conformance/check.ts'
import type { Vector } from '../conformance/content.ts'
import { joinFrames, splitFrames } from '../conformance/frames.ts'
import { numberVectors, SKIPPED, signatureVectors, suiteVectors } from '../conformance/generated.ts'
import { readVectors } from '../conformance/vectors.ts'
import { c } from './c.ts'
import { chromium } from './chromium.ts'
import type { Host } from './host.ts'
import { bun, deno, node, nodes } from './runtimes.ts'
import { printTable, type Row } from './table.ts'
import { workerd } from './workerd.ts'

const HOSTS: readonly Host[] = [node, ...nodes, workerd, chromium, deno, bun, c]

export interface Summary {
  passed: number
  failed: number
  notRun: string[]
}

type Selftest = SelftestResult & { readonly host: string }

/** The bodies of vectors: on the exports and on the API, our own and public suites'; and on what the baseline build has alone. */
interface Part {
  title: string
  count: number
  payload: Uint8Array
  disagreements(answer: Uint8Array): string[]
}

export async function runHosts(only?: readonly string[]): Promise<Summary> {
  const own = [...readVectors('abi'), ...(await numberVectors())]
  const suites = suiteVectors()
  const parts = [
    program('ABI', own),
    cases('API', [...own.filter(hasRunner), ...readVectors('api')]),
    program('suites, ABI', suites.vectors),
    cases('suites, API', [...suites.vectors, ...signatureVectors()]),
    program('baseline', readVectors('abi-baseline')),
  ]
  const job = joinFrames([
    readFileSync('dist/wasm/core.wasm'),
    readFileSync('dist/wasm/core-baseline.wasm'),
    ...parts.map(({ payload }) => payload),
  ])

  const rows: Row[] = []
  const notRun = suites.absent.map((name) => `suite ${name}: absent`)
  const failures: string[] = []
  const selftests: Selftest[] = []
  for (const host of HOSTS.filter(({ name }) => only === undefined || only.includes(name))) {
    const start = performance.now()
    try {
      const ran = await host.run(job)
      if ('reason' in ran) {
        notRun.push(`${host.name}: ${ran.reason}`)
        continue
      }
      const seconds = (performance.now() - start) / 1000
      const frames = splitFrames(ran.answer)
      if (ran.selftest !== undefined) selftests.push({ host: `${host.name} ${ran.version}`, ...ran.selftest })
      const builds = host.builds ?? ['SIMD', 'baseline']
      builds.forEach((build, i) => {
        const answers = frames.slice(i * parts.length, (i + 1) * parts.length)
        rows.push({ host: `${host.name} ${ran.version}`, build, answers, digests: answers.map(digest), seconds })
      })
    } catch (error) {
      failures.push(`${host.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  const wrongly = selftests.flatMap(wrongIn(selftests[0]))
  let passed = selftests.reduce((sum, { ran, mismatches }) => sum + ran - mismatches.length, 0)
  let failed = failures.length + wrongly.length
  failures.push(...wrongly)
  parts.forEach((part, n) => {
    const reference = rows.find(({ answers }) => answers[n]!.length > 0)
    if (reference === undefined) return
    const wrong = part.disagreements(reference.answers[n]!)
    failures.push(...wrong.map((line) => `${reference.host}, ${reference.build}, ${line}`))
    for (const row of rows.filter(({ answers }) => answers[n]!.length > 0)) {
      // Equal bytes are equally right or wrong; others say themselves where.
      const same = row.digests[n] === reference.digests[n]
      const here = same ? wrong : part.disagreements(row.answers[n]!)
      if (!same) {
        failures.push(`${row.host}, ${row.build}: ${part.title} differs from ${reference.host}`)
        failures.push(...here.map((line) => `${row.host}, ${row.build}, ${line}`))
      }
      failed += here.length + Number(!same)
      passed += part.count - here.length
    }
  })

  printTable(parts, rows)
  for (const { host, ran, digest } of selftests)
    console.log(`selftest: ${host} ${ran} vectors, digest ${digest.slice(0, 12)}`)
  for (const line of SKIPPED) console.log(`skipped: ${line}`)
  for (const line of notRun) console.log(`NOT RUN: ${line}`)
  for (const line of failures.slice(0, 50)) console.log(`FAILED: ${line}`)
  if (failures.length > 50) console.log(`... and ${failures.length - 50} more`)
  return { passed, failed, notRun }
}

/** The mismatches that a host's self-test found, and a digest that is not the first host's. */
const wrongIn =
  (first?: Selftest) =>
  ({ host, mismatches, digest }: Selftest): string[] => [
    ...mismatches.map(({ id, expected, got }) => `${host}, selftest, ${id}: expected ${expected}, got ${got}`),
    ...(digest === first!.digest ? [] : [`${host}, selftest: digest ${digest}, of ${first!.host} ${first!.digest}`]),
  ]

function program(title: string, vectors: readonly Vector[]): Part {
  const { program: payload, answers } = assembleVectors(vectors)
  const disagreements = (answer: Uint8Array) => programDisagreements(vectors, answers, answer)
  return { title, count: vectors.length, payload, disagreements }
}

function cases(title: string, vectors: readonly Vector[]): Part {
  const payload = new TextEncoder().encode(JSON.stringify(vectors))
  const disagreements = (answer: Uint8Array) =>
    bodyDisagreements(vectors, JSON.parse(new TextDecoder().decode(answer)) as unknown[])
  return { title, count: vectors.length, payload, disagreements }
}

function digest(answer: Uint8Array): string {
  return createHash('sha256').update(answer).digest('hex')
}
