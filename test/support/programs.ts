// Programs of Debian that tests compare with. Those that are missing are installed, if that is possible.
import { spawnSync } from 'node:child_process'
import { ensureDebian } from '../../scripts/setup.mjs'

/** A registry, and what moves artifacts between registries and folders. */
export const REGISTRY = { 'docker-registry': ['docker-registry', '--version'], skopeo: ['skopeo', '--version'] }

/**
 * Whether programs are there; if not, says that `tests` were not run.
 *
 * @param packages for each package, a command that works when it is installed.
 */
export function hasPrograms(tests: string, packages: Readonly<Record<string, readonly string[]>>): boolean {
  const works = ([command, ...args]: readonly string[]) => spawnSync(command!, args).status === 0
  const found = ensureDebian(Object.keys(packages), () => {
    const missing = Object.keys(packages).find((name) => !works(packages[name]!))
    return missing === undefined
      ? { available: true, how: 'on PATH' }
      : { available: false, reason: `no ${missing} found` }
  })
  if (!found.available) console.warn(`NOT RUN: ${tests}: ${found.reason}`)
  return found.available
}
