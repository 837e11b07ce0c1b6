// The resources that workerd uses, on Linux.
import { readFileSync } from 'node:fs'

/** The unit of times in /proc. */
const TICK_MS = 10

/** Memory in KiB and CPU time in ms of workerd. */
export function usageOf({ pid }) {
  const read = (file) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  const [user, system] = read('stat').split(') ')[1].split(' ').slice(11, 13).map(Number)
  return { memory: Number(/VmRSS:\s+(\d+)/.exec(read('status'))[1]), cpu: (user + system) * TICK_MS }
}
