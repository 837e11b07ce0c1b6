// Starts a command, and keeps what goes in and comes out: node tee.mjs FILE COMMAND [ARGUMENT]...
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'

const [file, command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
process.stdin.on('data', (bytes) => {
  appendFileSync(`${file}.in`, bytes)
  child.stdin.write(bytes)
})
process.stdin.on('end', () => child.stdin.end())
child.stdin.on('error', () => undefined)
child.stdout.on('data', (bytes) => {
  appendFileSync(`${file}.out`, bytes)
  process.stdout.write(bytes)
})
child.on('exit', (code) => {
  process.stdin.destroy()
  process.exitCode = code ?? 1
})
process.on('SIGTERM', () => child.kill('SIGTERM'))
