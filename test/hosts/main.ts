// Runs all vectors in all hosts of this machine, compares what came back, prints a table. scripts/hosts.mjs bundles it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
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
import { bun, deno, node } from './runtimes.ts'
import { printTable, type Row } from './table.ts'
import { workerd } from './workerd.ts'

const HOSTS: readonly Host[] = [node, workerd, chromium, deno, bun, c]

export interface Summary {
  passed: number
  failed: number
  notRun: string[]
}

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
      const builds = host.builds ?? ['SIMD', 'baseline']
      builds.forEach((build, i) => {
        const answers = frames.slice(i * parts.length, (i + 1) * parts.length)
        rows.push({ host: `${host.name} ${ran.version}`, build, answers, digests: answers.map(digest), seconds })
      })
    } catch (error) {
      failures.push(`${host.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  let passed = 0
  let failed = failures.length
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
  for (const line of SKIPPED) console.log(`skipped: ${line}`)
  for (const line of notRun) console.log(`NOT RUN: ${line}`)
  for (const line of failures.slice(0, 50)) console.log(`FAILED: ${line}`)
  if (failures.length > 50) console.log(`... and ${failures.length - 50} more`)
  return { passed, failed, notRun }
}

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
