// Content that goes: values that a stream only commits to, and lines for which a hash stands.
import { beforeAll, describe, expect, test } from 'vitest'
import { exportKey, generateKey, type PrivateKey } from '../../../bindings/keys/index.ts'
import { redactRun } from '../../../bindings/runs/record/redact-run.ts'
import { checkLines, hashLines } from '../../../bindings/runs/stream/lines.ts'
import { retainStream, seal } from '../../../bindings/runs/stream/seal.ts'
import { verifyStream } from '../../../bindings/runs/stream/verify.ts'
import { blazon } from '../../cli/terminal.ts'
import { REVIEW } from '../records.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

let key: PrivateKey
let pem: string
beforeAll(async () => {
  key = await generateKey('Ed25519')
  pem = String(await exportKey(key.publicKey, 'pem'))
})

const sealed = (options: Partial<seal.Options> = {}) => seal(JSON.stringify(REVIEW), { key, ...options })
const outcome = async (stream: Uint8Array, checkpoints: Uint8Array, more: object = {}) => {
  const proof = await verifyStream(stream, { checkpoints, keys: [key.publicKey], ...more })
  const bad = proof.steps.filter(({ outcome: one }) => one !== 'passed' && one !== 'skipped')
  return [proof.verdict, ...bad.map(({ name, outcome: one }) => `${name} ${one}`)]
}

describe('leaf hashes', () => {
  test('without its content, the other lines still fit, but nothing shows that the run ended', async () => {
    const { stream, checkpoints } = await sealed()
    const kept = await retainStream([stream!], 'x')
    // The start has a task, two steps have inputs and outputs, and the end has an output: see fixtures/runs/review.json.
    const text = decode(kept.stream)
    expect([kept.runId, kept.endedAt]).toEqual([REVIEW.run_id, Date.parse(REVIEW.completed_at)])
    expect(text).not.toMatch(/2025-11\.csv|All 41|task_description/)
    expect(kept.removed).toBe(text.split('"type":"removed"').length - 1)
    expect(await outcome(kept.stream, checkpoints!)).toEqual([
      'unverifiable',
      'lines warning',
      'record warning',
      'end unknown',
    ])
    const options = { checkpoints: checkpoints!, keys: [key.publicKey], partial: true }
    const { shows, doesNotShow } = await verifyStream(kept.stream, options)
    expect(shows).toEqual(['that nobody changed the first 5 of 5 lines after a trusted key signed them'])
    expect(doesNotShow?.[0]).toBe(`the content of ${kept.removed} lines, which was removed`)
  })

  test('lines that only commit to content stay', async () => {
    const { stream, checkpoints } = await sealed({
      commit: [
        '/context/task_description',
        '/steps/*/action/input',
        '/steps/*/observation/output',
        '/final_output/content',
      ],
    })
    const kept = await retainStream([stream!], 'x')
    expect([kept.removed, decode(kept.stream)]).toEqual([0, decode(stream)])
    expect(await outcome(kept.stream, checkpoints!)).toEqual(['verified'])
  })

  test('a stream whose end only commits to its output is verified without its other content', async () => {
    const { stream, checkpoints } = await sealed({ commit: ['/final_output/content'] })
    const kept = await retainStream([stream!], 'x')
    expect(kept.removed).toBeGreaterThan(0)
    expect(await outcome(kept.stream, checkpoints!)).toEqual(['verified', 'lines warning', 'record warning'])
  })

  test('removing content a second time changes nothing', async () => {
    const once = await retainStream([(await sealed()).stream!], 'x')
    const twice = await retainStream([once.stream], 'x')
    expect([twice.removed, decode(twice.stream)]).toEqual([0, decode(once.stream)])
  })

  test.each<[string, (lines: string[]) => string[], string]>([
    [
      'another hash',
      (lines) =>
        lines.with(
          1,
          lines[1]!.replace(/"leaf":"./, (found) => (found.endsWith('A') ? '"leaf":"B' : '"leaf":"A')),
        ),
      'checkpoint failed',
    ],
    [
      'a hash of 31 bytes',
      (lines) => lines.with(1, lines[1]!.replace(/"leaf":"[^"]*/, `"leaf":"${Buffer.alloc(31).toString('base64')}`)),
      'lines failed',
    ],
    [
      'a hash in base64 with bits left over',
      (lines) => lines.with(1, lines[1]!.replace(/[A-Za-z0-9+/]=","run/, 'B=","run')),
      'lines failed',
    ],
    ['a line of another run', (lines) => lines.with(1, lines[1]!.replace('5b8f1f52', '6b8f1f52')), 'lines failed'],
    ['a line at another place', (lines) => lines.with(1, lines[1]!.replace('"seq":1', '"seq":2')), 'lines failed'],
    ['two lines swapped', (lines) => [lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)], 'checkpoint failed'],
    ['a line removed as a whole', (lines) => lines.toSpliced(1, 1), 'checkpoint failed'],
    [
      'a hash with a member that nobody signed',
      (lines) => lines.with(1, lines[1]!.replace('"seq"', '"s":1,"seq"')),
      'lines failed',
    ],
    [
      'a hash in which a line is',
      (lines) => lines.with(1, '{"leaf":{},"run_id":"5b8f1f52","seq":1,"type":"removed"}'),
      'lines failed',
    ],
  ])('%s is refused', async (_, change, expected) => {
    const { stream, checkpoints } = await sealed()
    const kept = await retainStream([stream!], 'x')
    const lines = change(decode(kept.stream).trimEnd().split('\n'))
    const [verdict, ...steps] = await outcome(encode(`${lines.join('\n')}\n`), checkpoints!)
    expect([verdict, steps]).toEqual(['failed', expect.arrayContaining([expected])])
  })

  test('a removed line is not accepted while a stream is recorded', async () => {
    const kept = await retainStream([(await sealed()).stream!], 'x')
    const { diagnostics } = checkLines(await hashLines(kept.stream))
    expect(diagnostics.map(({ code, severity }) => `${code} ${severity}`)).toContain('RUN-217 error')
    // A body may have many thousands of lines. The last line that is read may have two findings.
    const lines = await hashLines(kept.stream)
    expect(checkLines(Array(300).fill(lines).flat()).diagnostics.length).toBeLessThanOrEqual(101)
  })

  test('one line of a stream without content is proven by its hash', async () => {
    const { stream, checkpoints } = await sealed()
    const kept = await retainStream([stream!], 'x')
    const files = { 'a.ndjson': kept.stream, 'a.checkpoints': checkpoints! }
    expect((await blazon('runs prove a.ndjson --line 2'.split(' '), { files })).code).toBe(0)
  })

  test('the certificate of a removed first line is not known', async () => {
    const { stream, checkpoints } = await sealed()
    const kept = await retainStream([stream!], 'x')
    expect(await outcome(kept.stream, checkpoints!, { agent: { anchors: [] } })).toContain('certificates unknown')
  })
})

describe('[runs/7.2-3] runs retain', () => {
  const folder = async (completed = REVIEW.completed_at, options: Partial<seal.Options> = {}) => {
    const { stream, checkpoints, openings } = await seal(JSON.stringify({ ...REVIEW, completed_at: completed }), {
      key,
      ...options,
    })
    return {
      'r/run.ndjson': stream!,
      'r/run.checkpoints': checkpoints!,
      ...(openings && { 'r/run.salts': openings }),
      'r/notes.txt': 'x',
    }
  }
  test('reports a missing stream like a missing file, and goes on', async () => {
    const ran = await blazon(['runs', 'retain', 'x.ndjson', 'r/run.ndjson', '--older', '1'], { files: await folder() })
    expect([ran.code, [...ran.saved.keys()]]).toEqual([3, ['r/run.ndjson']])
    expect(ran.stderr).toContain('cannot read x.ndjson')
  })
  const run = async (files: Record<string, string | Uint8Array>, ...more: string[]) => {
    const ran = await blazon(['runs', 'retain', 'r', '--older', '30', ...more, '--format', 'json'], { files })
    return [ran.code, JSON.parse(ran.stdout).results[0].retained.state, [...ran.saved.keys()]]
  }

  test('takes content of old runs, but not of young, held and open ones', async () => {
    expect(await run(await folder())).toEqual([0, 'removed', ['r/run.ndjson']])
    expect(await run(await folder(new Date().toISOString()))).toEqual([0, 'too young', []])
    expect(await run(await folder(), '--hold', REVIEW.run_id)).toEqual([0, 'held', []])
    const open = await folder()
    const text = decode(open['r/run.ndjson'])
    expect(await run({ ...open, 'r/run.ndjson': `${text.split('\n').slice(0, 2).join('\n')}\n` })).toEqual([
      0,
      'not ended',
      [],
    ])
    expect(await run({ ...open, 'r/run.ndjson': text.replace('"seq":1', '"seq":7') })).toEqual([1, 'not valid', []])
  })

  test('takes committed values too, and the lines that are left verify', async () => {
    const files = await folder(REVIEW.completed_at, { commit: ['/steps/*/action/input'] })
    const ran = await blazon(['runs', 'retain', 'r/run.ndjson', '--older', '1'], { files })
    expect([ran.code, decode(ran.saved.get('r/run.salts'))]).toEqual([0, ''])
    const all = { ...files, ...Object.fromEntries(ran.saved), 'k.pub': pem }
    const verified = await blazon(['verify', 'r/run.ndjson', '--key', 'k.pub'], { files: all })
    expect([verified.code, verified.stdout]).toEqual([4, expect.stringContaining('does not show the content of')])
    expect((await blazon(['runs', 'show', 'r/run.ndjson'], { files: all })).stderr).toContain('RUN-217')
  })

  test('needs a stream and an age', async () => {
    expect((await blazon(['runs', 'retain', 'r', '--older', '30'], { files: { 'r/a.txt': '' } })).code).toBe(2)
    expect((await blazon(['runs', 'retain', 'r'], { files: await folder() })).code).toBe(2)
  })
})

describe('runs redact of a stream', () => {
  const files = async () => {
    const { stream, checkpoints, openings } = await sealed({
      commit: ['/steps/*/action/input', '/final_output/content'],
    })
    return { 'run.ndjson': stream!, 'run.checkpoints': checkpoints!, 'run.salts': openings!, 'k.pub': pem }
  }
  const places = (bytes: Uint8Array | undefined) =>
    decode(bytes)
      .split('\n')
      .filter(Boolean)
      .map((row) => JSON.parse(row).pointer)

  test.each<[string, string[]]>([
    ['', []],
    ['--pointer /steps/*/action/input', ['/final_output/content']],
    [
      '--pointer /steps/0/action/input --pointer /final_output/content',
      ['/steps/1/action/input', '/steps/2/action/input'],
    ],
    ['--keep /steps/1/action/input', ['/steps/1/action/input']],
  ])('%s keeps %j, and the stream verifies', async (options, left) => {
    const all = await files()
    const ran = await blazon(`runs redact run.ndjson ${options}`.trim().split(' '), { files: all })
    expect([ran.code, places(ran.saved.get('run.salts')), [...ran.saved.keys()]]).toEqual([0, left, ['run.salts']])
    const verified = await blazon(['verify', 'run.ndjson', '--key', 'k.pub'], {
      files: { ...all, ...Object.fromEntries(ran.saved) },
    })
    expect(verified.code).toBe(0)
    expect(verified.stdout).toContain(`${left.length} of 4 values`)
  })

  test('one value can be shown alone, in a file of its own', async () => {
    const all = await files()
    const ran = await blazon('runs redact run.ndjson --keep /steps/1/action/input --out shown.salts'.split(' '), {
      files: all,
    })
    expect([...ran.saved.keys()]).toEqual(['shown.salts'])
    const { 'run.salts': _, ...rest } = all
    const verified = await blazon('verify run.ndjson --key k.pub --values shown.salts'.split(' '), {
      files: { ...rest, ...Object.fromEntries(ran.saved) },
    })
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('1 of 4 values')])
    const guessed = decode(ran.saved.get('shown.salts')).replace('"value":{', '"value":{"x":1,')
    expect(
      (
        await blazon('verify run.ndjson --key k.pub --values shown.salts'.split(' '), {
          files: { ...rest, 'shown.salts': guessed },
        })
      ).code,
    ).toBe(4)
  })

  test.each(['--mode mask', '--pointer x', '--keep /a --pointer /b', '--salts s'])('%s is refused', async (options) => {
    expect((await blazon(`runs redact run.ndjson ${options}`.split(' '), { files: await files() })).code).toBe(2)
  })

  test('a stream with its content in its lines, as hooks write it, becomes a redacted record', async () => {
    const { stream } = await sealed({})
    const run = (argv: string, bytes = stream!) => blazon(argv.split(' '), { files: { 'run.ndjson': bytes } })
    const { code, stdout, stderr } = await run('runs redact run.ndjson')
    expect(stdout).not.toMatch(/2025-11\.csv|All 41|"task_description"/)
    // As redacting the record itself, but for the canonical form.
    expect(JSON.parse(stdout)).toEqual(JSON.parse(decode(redactRun(JSON.stringify(REVIEW)).bytes)))
    expect([code, stderr]).toEqual([0, expect.stringContaining('the signatures of run.ndjson do not cover it')])
    const open = stream!.subarray(0, stream!.lastIndexOf(0x0a, -2) + 1)
    expect(await run('runs redact run.ndjson', open)).toMatchObject({ code: 1, stdout: '' })
    expect((await run('runs redact run.ndjson', new TextEncoder().encode('no JSON\n'))).code).toBe(1)
  })

  test('--keep without a file of values is refused', async () => {
    const { 'run.salts': _, ...rest } = await files()
    const all = { ...rest, 'run.json': JSON.stringify(REVIEW) }
    for (const name of ['run.json', 'run.ndjson'])
      expect((await blazon(`runs redact ${name} --keep /a`.split(' '), { files: all })).code).toBe(2)
  })
})
