// The resources that workerd uses, on Linux.
import { readdirSync, readFileSync } from 'node:fs'

/** The unit of times in /proc. */
const TICK_MS = 10

/** Memory in KiB and CPU time in ms of workerd, the child of the runtime's process. */
export function usageOf({ pid: parent }) {
  const read = (pid, file) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  const pid = readdirSync('/proc').find((name) => {
    try {
      return /^\d+$/.test(name) && read(name, 'status').includes(`\nPPid:\t${parent}\n`)
    } catch {
      // The process ended while it was being read.
      return false
    }
  })
  const [user, system] = read(pid, 'stat').split(') ')[1].split(' ').slice(11, 13).map(Number)
  return { memory: Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))[1]), cpu: (user + system) * TICK_MS }
}
