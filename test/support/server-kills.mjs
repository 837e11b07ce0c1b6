// Starts MCP servers by `blazon agent lock`, and kills a server or Blazon with SIGKILL. Nothing may be left.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Two grace periods of a server that ignores the end of stdin and SIGTERM, and time on a busy machine. */
const PATIENCE_MS = 20_000

/** Ignores the end of stdin and SIGTERM, and has a child that does the same. */
const STUBBORN = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)
  if (!process.argv[3]) require('child_process').spawn(process.execPath, ['-e', process.argv[2], process.argv[1], '', '1'], { stdio: 'inherit' })`

/**
 * Kills a server and Blazon, each so many times, after a random time. Returns the processes that were left, and how
 * many kills hit a running process.
 */
export async function serverKills({ times, random, say = () => {} }) {
  const place = mkdtempSync(join(tmpdir(), 'blazon-kills-'))
  const modules = resolve('test/node_modules/@modelcontextprotocol')
  const npx = ['--offline', '--no-install', '--prefix', resolve('.'), 'mcp-server-everything', 'stdio', place]
  const servers = {
    everything: { command: 'node', args: [`${modules}/server-everything/dist/index.js`, 'stdio', place] },
    filesystem: { command: 'node', args: [`${modules}/server-filesystem/dist/index.js`, place] },
    npx: { command: 'npx', args: npx },
    stubborn: { command: 'node', args: ['-e', STUBBORN, place, STUBBORN] },
  }
  const names = Object.keys(servers)
  for (const name of names) {
    mkdirSync(join(place, name))
    const yaml = `name: coach\nversion: 1.0.0\nmcp_servers: ${JSON.stringify({ [name]: servers[name] })}\n`
    writeFileSync(join(place, name, 'agent.yaml'), yaml)
  }
  const flaws = []
  const hits = { server: 0, blazon: 0 }
  try {
    for (let i = 0; i < 2 * times; i++) {
      const [name, target] = [names[(i >> 1) % names.length], i % 2 === 0 ? 'server' : 'blazon']
      const wait = Math.floor(random() ** 2 * 1500)
      const blazon = spawn(
        process.execPath,
        ['dist/cli/blazon.js', 'agent', 'lock', join(place, name), '--mcp', 'all'],
        {
          stdio: 'ignore',
        },
      )
      const ended = new Promise((done) => blazon.once('exit', done))
      const isMine = ({ pid }) => pid === blazon.pid
      // The time counts from the moment when a server runs.
      while (blazon.exitCode === null && processes(place).every(isMine)) await sleep(5)
      await sleep(wait)
      const [victim] = processes(place).filter((one) => isMine(one) === (target === 'blazon'))
      if (victim !== undefined && kill(victim.pid)) hits[target]++
      await ended
      const left = await leftOf(place)
      for (const { args } of left) flaws.push(`${name}, ${target} killed after ${wait} ms: ${args.slice(0, 200)}`)
      left.map(({ pid }) => kill(pid))
      say(`${i + 1} of ${2 * times}: ${flaws.length} left`)
    }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
  return { hits, flaws }
}

async function leftOf(place) {
  const until = performance.now() + PATIENCE_MS
  while (processes(place).length > 0 && performance.now() < until) await sleep(50)
  return processes(place)
}

/** Processes with the path in their command line, without zombies: nobody may collect these in a container. */
function processes(place) {
  const lines = execFileSync('ps', ['-eo', 'stat=,pid=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\n')
  return lines.flatMap((line) => {
    const [, stat, pid, args] = /^\s*(\S+)\s+(\d+)\s(.*)$/.exec(line) ?? []
    return args?.includes(place) && !stat.startsWith('Z') ? [{ pid: Number(pid), args }] : []
  })
}

function kill(pid) {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
