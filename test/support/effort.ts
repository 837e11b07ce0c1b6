/**
 * The CPU time of this process so far, in milliseconds. Tests with a time limit use this instead of the wall clock,
 * which also counts the other work of the machine.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
