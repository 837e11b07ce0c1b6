// What workerd takes of the machine, on Linux.
import { readdirSync, readFileSync } from 'node:fs'

/** /proc counts in these. */
const TICK_MS = 10

/** What workerd, the child of the runtime's process, has in memory, in KiB, and has had of processors, in ms. */
export function usageOf({ pid: parent }) {
  const read = (pid, file) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  const pid = readdirSync('/proc').find((name) => {
    try {
      return /^\d+$/.test(name) && read(name, 'status').includes(`\nPPid:\t${parent}\n`)
    } catch {
      // It ended while it was looked at.
      return false
    }
  })
  const [user, system] = read(pid, 'stat').split(') ')[1].split(' ').slice(11, 13).map(Number)
  return { memory: Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))[1]), cpu: (user + system) * TICK_MS }
}
