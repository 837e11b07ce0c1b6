import type { Host } from './host.ts'

/**
 * The command line as a function: runs `argv` (without node and the script) and resolves to the exit code. All input
 * and output goes through the host. Everything except `--version` is loaded on demand.
 *
 * @example
 * await main(['--version'], host) // 0, and '0.1.0\n' written to host.stdout
 */
export async function main(argv: readonly string[], host: Host): Promise<number> {
  if (argv[0] === '--version' || argv[0] === '-V') {
    try {
      // Only these words of ours: the writer would be one more file to load.
      host.stdout.write(`${host.version}\n`)
      return 0
    } catch (error) {
      return (await import('./run.ts')).complain(error, argv, host)
    }
  }
  return (await import('./run.ts')).run(argv, host)
}
