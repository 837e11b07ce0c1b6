// Codex, recorded by our hook: node test/soak/codex.mjs
//
// The real program (404 MB, fetched once) works for a scripted model on this machine, and needs no account. The model
// asks for three shell commands and two patches. The agent's definition denies a command, and the patch that leaves the
// project.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runnerOf } from '../support/peers.mjs'

const patch = (file) => `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch\nEOF`
const COMMANDS = ['echo hello > a.txt', 'touch b.txt', 'false', patch('inside.txt'), patch('../outside.txt')]
const place = mkdtempSync(join(tmpdir(), 'blazon-codex-'))
const [home, work, bin, runs] = ['home', 'work', 'bin', 'runs'].map((name) => join(place, name))
const DEFINITION = {
  adl_spec: '0.1.0',
  name: 'Helper',
  description: 'Runs commands in one folder.',
  version: '1.0.0',
  data_classification: { sensitivity: 'public' },
  permissions: {
    execution: { allowed_commands: ['*'], denied_commands: ['touch'], allow_shell: true },
    filesystem: { allowed_paths: [{ path: `${work}/**`, access: 'read_write' }] },
  },
}

/** A model that asks for one command after the other, and then says that it is done. */
function scriptedModel() {
  let turn = 0
  return createServer((request, response) => {
    request.resume().on('end', () => {
      if (!request.url.includes('/responses')) return response.writeHead(404).end()
      const command = COMMANDS[turn]
      const call = { type: 'function_call', id: `fc_${turn}`, call_id: `call_${turn}`, name: 'exec_command' }
      const item =
        command === undefined
          ? { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }
          : { ...call, arguments: JSON.stringify({ cmd: command }) }
      const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 }
      const events = [
        { type: 'response.created', response: { id: `r_${turn}` } },
        { type: 'response.output_item.done', item },
        { type: 'response.completed', response: { id: `r_${turn}`, usage } },
      ]
      turn++
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
    })
  })
}

/** Runs a program to its end; returns its exit code and what it wrote. */
function run(program, args, options) {
  return new Promise((done) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => done({ code, output }))
  })
}

for (const folder of [join(home, '.codex'), work, bin]) mkdirSync(folder, { recursive: true })
const cli = resolve('dist/cli/blazon.js')
writeFileSync(join(bin, 'blazon'), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`)
chmodSync(join(bin, 'blazon'), 0o755)
writeFileSync(join(work, 'agent.adl.json'), JSON.stringify(DEFINITION))
const env = { ...process.env, HOME: home, CODEX_HOME: join(home, '.codex'), PATH: `${bin}:${process.env.PATH}` }
const blazon = (...args) => run(process.execPath, [cli, ...args], { cwd: work, env })

const server = scriptedModel().listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const provider = `base_url = "http://127.0.0.1:${server.address().port}/v1"\nwire_api = "responses"\n`
writeFileSync(
  join(home, '.codex/config.toml'),
  `model = "gpt-5"\nmodel_provider = "stub"\n[model_providers.stub]\nname = "stub"\n${provider}[projects."${work}"]\ntrust_level = "trusted"\n`,
)
await blazon('keygen', '--out', 'recorder.key', '--public', 'recorder.pub')
const hook = ['--document', 'agent.adl.json', '--signer', 'recorder.key', '--to', runs]
await blazon('runs', 'hook', '--install', 'codex', ...hook, '--yes')
const flags = ['--skip-git-repo-check', '--dangerously-bypass-hook-trust', '--dangerously-bypass-approvals-and-sandbox']
const session = await run(process.execPath, [runnerOf('@openai/codex'), 'exec', ...flags, 'Do it.'], { cwd: work, env })
server.close()

const flaws = []
const expect = (what, isSo) => isSo || flaws.push(what)
const [stream] = existsSync(runs) ? readdirSync(runs).filter((name) => name.endsWith('.ndjson')) : []
expect(`a run was recorded; Codex said ${session.output.slice(-2000)}`, stream !== undefined)
if (stream !== undefined) {
  const { code } = await blazon('verify', join(runs, stream), '--key', 'recorder.pub')
  expect('the stream verifies', code === 0)
  const lines = readFileSync(join(runs, stream), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const steps = lines.flatMap(({ step }) => step ?? [])
  const calls = steps.filter(({ action }) => ['Bash', 'apply_patch'].includes(action.name))
  expect(`five calls are recorded, not ${calls.length}`, calls.length === 5)
  const denied = steps.filter(({ observation }) => observation.output?.decision === 'deny')
  expect(
    'two calls were denied, by the rules that name them',
    denied.length === 2 &&
      /denied_commands\/0/.test(JSON.stringify(denied[0])) &&
      /allowed_paths/.test(JSON.stringify(denied[1])),
  )
  expect('what was allowed took place', existsSync(join(work, 'a.txt')))
  expect('what was denied did not', !existsSync(join(work, 'b.txt')))
  expect('the patch inside the project took place', existsSync(join(work, 'inside.txt')))
  expect('the patch that leaves it did not', !existsSync(join(place, 'outside.txt')))
  const rollouts = readdirSync(join(home, '.codex/sessions'), { recursive: true }).filter((name) =>
    name.endsWith('.jsonl'),
  )
  const audit = await blazon(
    'runs',
    'audit',
    join(runs, stream),
    '--against',
    join(home, '.codex/sessions', rollouts[0]),
  )
  expect(`the audit finds nothing: ${audit.output}`, audit.code === 0)
}
for (const flaw of flaws) console.error(`not so: ${flaw}`)
console.log(`${flaws.length} flaws`)
process.exitCode = flaws.length === 0 ? 0 : 1
