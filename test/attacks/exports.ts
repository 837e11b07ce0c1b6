// Calls the raw exports of the module with random input: both builds give the same answer, and neither traps or hangs.
import { readFileSync } from 'node:fs'
import { processorTime } from '../support/effort.ts'
import { random as randomOf } from '../support/random.ts'

/** Verbs that trust data made by the module itself: a blob (docs/guide/abi.md). */
const TRUSTING = /^(?:keep|release|patternTest|patternMatch(?:First|All)|templateRender)$/
const SLOWEST_MS = 2_000
/** An instance is used for this many calls, so that each call meets the remains of earlier ones. */
const CALLS_AN_INSTANCE = 200
const LONGEST = 512

const WORDS = [
  '{"a":1}',
  '[',
  ']',
  '{',
  '}',
  '"',
  ',',
  ':',
  '\\u',
  'd800',
  '1e400',
  '-0',
  '0.1',
  'true',
  'null',
  '/a',
  '~1',
]
  .concat([
    '*',
    '**',
    '/**',
    '*.b',
    '{{',
    '}}',
    '\\{{',
    'BZI1',
    '\0\0\0\0',
    '\xff\xff\xff\xff',
    '\x01\0\0\0',
    'é',
    '\xc3\x28',
    '\xfe\n\xfe\xff',
  ])
  .concat(['{"id":"agent://a","name":"n","skills":["nlp/x"]}', 'agent://a'])
const NUMBERS = [0, 1, 2, 3, 16, 255, 256, 1024, 2 ** 16, 2 ** 28, 2 ** 31 - 1, -(2 ** 31), -1, 2 ** 32 - 1].concat([
  0.5,
  1e308,
  -1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
])

type Export = (...args: number[]) => number

interface Core {
  readonly exports: Readonly<Record<string, Export>> & { readonly memory: WebAssembly.Memory }
  readonly verbs: readonly string[]
}

function start(module: WebAssembly.Module): Core {
  const exports = new WebAssembly.Instance(module).exports as Core['exports']
  const verbs = Object.keys(exports).filter((name) => typeof exports[name] === 'function' && !TRUSTING.test(name))
  return { exports, verbs }
}

/** One call: the returned value, the words of the result, and the bytes that they point at. */
function call({ exports }: Core, verb: string, input: Uint8Array, args: readonly number[]): string {
  const at = exports['reserve']!(input.length)
  new Uint8Array(exports.memory.buffer).set(input, at)
  // What an earlier call left is no part of the answer.
  new Uint32Array(exports.memory.buffer, exports['result']!(), 1)[0] = 0xffffffff
  const answer = exports[verb]!(...args)
  const words = new Uint32Array(exports.memory.buffer, exports['result']!(), 16)
  const text = Number.isInteger(answer) && answer > 0 && words[0]! + answer <= exports.memory.buffer.byteLength
  const bytes = text ? new Uint8Array(exports.memory.buffer, words[0], Math.min(answer, LONGEST)) : []
  return `${answer} ${answer < 0 ? words[1] : ''} ${[...bytes]}`
}

/** The faults found in this many calls, each with the input that reproduces it. */
export function attackExports(calls: number, seed: number): string[] {
  const random = randomOf(seed)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  const modules = ['core', 'core-baseline'].map(
    (name) => new WebAssembly.Module(readFileSync(`dist/wasm/${name}.wasm`)),
  )
  let cores: Core[] = []
  const wrong: string[] = []
  for (let i = 0; i < calls && wrong.length < 10; i++) {
    if (i % CALLS_AN_INSTANCE === 0) cores = modules.map(start)
    const verb = pick(cores[0]!.verbs)
    let input = Buffer.alloc(0)
    while (random() < 0.8 && input.length < LONGEST) input = Buffer.concat([input, Buffer.from(pick(WORDS), 'latin1')])
    if (random() < 0.3 && input.length > 0) input[Math.floor(random() * input.length)] = random() * 256
    const args = Array.from({ length: 9 }, () => pick(NUMBERS))
    // Lengths are at most what was reserved: ensuring that is up to the embedder.
    args[0] = random() < 0.8 ? input.length : Math.floor(random() * input.length)
    if (verb === 'canonicalizeWithout') args[1] = Math.floor(random() * (input.length - args[0] + 1))
    if (verb === 'completeMarked') args[1] = Math.floor(random() * ((input.length - args[0]) / 8 + 1))
    const begun = processorTime()
    try {
      const answers = cores.map((core) => call(core, verb, input, args))
      const took = processorTime() - begun
      if (answers[0] === answers[1] && took < SLOWEST_MS) continue
      wrong.push(`${verb}(${args}) of ${input.toString('base64')}: ${answers.join(' and ')}, ${took.toFixed(0)} ms`)
    } catch (error) {
      wrong.push(`${verb}(${args}) of ${input.toString('base64')}: ${(error as Error).message}`)
      cores = modules.map(start)
    }
  }
  return wrong
}
