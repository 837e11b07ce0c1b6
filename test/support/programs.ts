// What tests need of the machine: programs of Debian, which scripts/setup.mjs installs, and devices.
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { findPackages } from '../../scripts/setup.mjs'

/** Whether programs are there; if not, says that `tests` were not run. */
export function hasPrograms(tests: string, packages: Parameters<typeof findPackages>[0]): boolean {
  const found = findPackages(packages)
  if (!found.available) console.warn(`NOT RUN: ${tests}: ${found.reason}`)
  return found.available
}

/** Whether /dev/full is the device without room, and not a file as in some containers; if not, says so. */
export function hasFullDevice(tests: string): boolean {
  const isFull = isFullDevice('/dev/full')
  if (!isFull) console.warn(`NOT RUN: ${tests}: /dev/full is not a full device`)
  return isFull
}

function isFullDevice(path: string): boolean {
  try {
    if (!statSync(path).isCharacterDevice()) return false
    const file = openSync(path, 'w')
    try {
      writeSync(file, 'x')
      return false
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOSPC'
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
