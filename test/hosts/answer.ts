import * as blazon from 'blazon'
import * as a2a from 'blazon/a2a'
import * as adl from 'blazon/adl'
import * as agentlang from 'blazon/agentlang'
import * as card from 'blazon/card'
import * as core from 'blazon/core'
import * as directory from 'blazon/directory'
import * as keys from 'blazon/keys'
import * as schema from 'blazon/schema'
import { runSelftest } from '../../bindings/selftest/index.ts'
import { type Api, runBody } from '../conformance/body.ts'
import type { Vector } from '../conformance/content.ts'
import { joinFrames, splitFrames } from '../conformance/frames.ts'
import { runProgram } from '../conformance/raw.ts'

/** The two compilations of the core, where the host cannot compile bytes itself. */
export interface Builds {
  simd: WebAssembly.Module
  baseline: WebAssembly.Module
}

/**
 * What every JavaScript host does with a job: the programs on the bare exports and the cases on the public API, with
 * both builds. A job: SIMD build, baseline build, program, cases, program, cases, and a program for the baseline build alone.
 * The answer: five frames for each build, of which the SIMD build leaves the last one empty.
 */
export async function answer(job: Uint8Array, given?: Builds): Promise<Uint8Array<ArrayBuffer>> {
  const [simd, baseline, ...parts] = splitFrames(job) as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>]
  const baselineOnly = parts.pop()!
  // Asynchronously: browsers allow the main thread only small modules otherwise.
  const builds = given ?? { simd: await WebAssembly.compile(simd), baseline: await WebAssembly.compile(baseline) }
  const frames: Uint8Array[] = []
  for (const module of [builds.simd, builds.baseline]) {
    blazon.initSync(module)
    // One after the other: each is to run on this module.
    for (const [i, part] of parts.entries()) frames.push(i % 2 === 0 ? runProgram(module, part) : await runCases(part))
    frames.push(module === builds.baseline ? runProgram(module, baselineOnly) : new Uint8Array())
  }
  return joinFrames(frames)
}

/** The self-test as a page or a Worker bundles it; a process runs the command. */
export const selftest = () => runSelftest()

async function runCases(cases: Uint8Array): Promise<Uint8Array> {
  const api = { ...directory, ...core, ...keys, ...schema, ...card, ...adl, ...blazon, a2a, agentlang, card } as Api
  const vectors = JSON.parse(new TextDecoder().decode(cases)) as Vector[]
  const outcomes = await Promise.all(runBody(api, vectors))
  return new TextEncoder().encode(JSON.stringify(outcomes))
}
