// The single executable against the tool that Node runs, on a machine without Node: no variable of the environment, no
// PATH, and a folder whose .env and bunfig.toml want to be read. node test/soak/executable.mjs [EXECUTABLE]
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeExecutable } from '../../scripts/executable.mjs'

const executable = resolve(process.argv[2] ?? (await makeExecutable()))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'blazon-executable-')))
const START_ROUNDS = 15

copyFileSync('fixtures/adl/invoice-processor.json', join(folder, 'agent.adl.json'))
writeFileSync(join(folder, 'broken.adl.yaml'), 'adl_spec: 0.1.0\nname: [Scout\n')
writeFileSync(join(folder, 'yaml.adl.yaml'), 'adl_spec: 0.1.0\nname: &a Scout\ndescripton: *a\n')
writeFileSync(join(folder, '.env'), 'BLAZON_AGENT_KEY=stolen\nNO_COLOR=\nFORCE_COLOR=1\n')
writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./preload.js"]\n')
writeFileSync(join(folder, 'preload.js'), 'console.log("preloaded")\n')

const NODE = [process.execPath, resolve('dist/cli/blazon.js')]
const start = ([program, ...first], args, input) =>
  spawnSync(program, [...first, ...args], { cwd: folder, env: {}, input, encoding: 'utf8' })

const event = {
  hook_event_name: 'PreToolUse',
  session_id: 's',
  cwd: folder,
  tool_name: 'Bash',
  tool_input: { command: 'rm -rf /' },
}
const LINES = [
  [['--version']],
  [['help', 'validate']],
  [['validate', 'agent.adl.json', 'broken.adl.yaml', 'yaml.adl.yaml']],
  [['validate', '.', '--format', 'json']],
  [['canonicalize', 'agent.adl.json', '--hash', 'sha256']],
  [['canonicalize', '-'], '{"b":1e21,"a":"\\u20ac"}'],
  [['explain', 'ADL-2002']],
  [['explain', 'NONE']],
  [['decide', 'agent.adl.json', 'network', 'host=api.example.com', 'port=443', 'protocol=https']],
  [['convert', 'agent.adl.json', '--to', 'a2a-1.0']],
  [['agent', 'build', '.']],
  [['selftest']],
  [['runs', 'hook', '--to', 'record', '--document', 'agent.adl.json'], JSON.stringify(event)],
  [['nonsense']],
]
for (const [args, input] of LINES) {
  const [ours, expected] = [[executable], NODE].map((program) => {
    const { stdout, stderr, status } = start(program, args, input)
    for (const name of readdirSync(folder))
      if (name.startsWith('record')) rmSync(join(folder, name), { recursive: true })
    return { stdout, stderr, status }
  })
  assert.deepEqual(ours, expected, args.join(' '))
  console.log(`same  blazon ${args.join(' ')}  (exit ${ours.status})`)
}

const installed = start([executable], ['runs', 'hook', '--install', 'claude', '--to', 'record', '--yes'])
assert.equal(installed.status, 0, installed.stderr)
const settings = readFileSync(join(folder, '.claude/settings.local.json'), 'utf8')
assert.match(settings, new RegExp(`"command": "[^"]*${realpathSync(executable)}[^"]* runs hook`), settings)
assert.ok(!settings.includes('$bunfs'), settings)
console.log('ok    an installed hook names the executable')

for (const args of [['--version'], ['validate', 'agent.adl.json']]) {
  const times = [[executable], NODE].map(() => [])
  for (let i = 0; i < START_ROUNDS; i++)
    [[executable], NODE].forEach((program, n) => {
      const from = performance.now()
      start(program, args)
      times[n].push(performance.now() - from)
    })
  const [ours, node] = times.map((all) => all.sort((a, b) => a - b)[START_ROUNDS >> 1].toFixed(0))
  console.log(`      ${args[0]}: ${ours} ms, with Node ${node} ms (median of ${START_ROUNDS})`)
}
rmSync(folder, { recursive: true })
