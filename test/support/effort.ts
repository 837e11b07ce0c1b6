/**
 * Milliseconds of the processor that this process has taken so far. A test whose bound is a time measures by this, never by
 * the clock on the wall, which goes on while the machine does other work.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
