import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { ensureInstalled, findChromium, findPackages, findProgram, installPackages } from '../../scripts/setup.mjs'

describe('what the commands need beyond Node', () => {
  test('an installation that matches the lock file is left alone', () => {
    const exit = vi.spyOn(process, 'exit')
    const output = vi.spyOn(console, 'error')
    ensureInstalled({ tests: true })
    expect(exit).not.toHaveBeenCalled()
    expect(output).not.toHaveBeenCalled()
  })

  test('the lock file names the packages for every platform, or npm ci refuses it', () => {
    const lock: { packages: Record<string, { optionalDependencies?: Record<string, string> }> } = JSON.parse(
      readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
    )
    const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {}).filter(
        (name) => !(`${path}/node_modules/${name}` in lock.packages || `node_modules/${name}` in lock.packages),
      ),
    )
    expect(missing).toEqual([])
  })

  test('missing programs are reported with the command that installs them', () => {
    vi.stubEnv('PATH', '')
    const answer = findPackages(['skopeo', 'bubblewrap'])
    vi.unstubAllEnvs()
    expect(answer).toEqual({
      available: false,
      reason: 'no skopeo, bubblewrap found (apt-get install skopeo bubblewrap)',
    })
  })

  test('BLAZON_NO_INSTALL forbids to install programs, which is reported with the command', async () => {
    const output = vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.stubEnv('PATH', '')
    vi.stubEnv('BLAZON_NO_INSTALL', '1')
    await installPackages()
    vi.unstubAllEnvs()
    const [[said]] = output.mock.calls as [[string]]
    output.mockRestore()
    expect(said).toMatch(/^blazon: BLAZON_NO_INSTALL is set \(apt-get install .*skopeo/)
  })

  test('BLAZON_CHROMIUM chooses the browser, and a wrong one is not replaced silently', () => {
    vi.stubEnv('BLAZON_CHROMIUM', '/no/such/browser')
    const answer = findChromium()
    vi.stubEnv('BLAZON_CHROMIUM', process.execPath)
    const chosen = findChromium()
    vi.unstubAllEnvs()
    expect(answer).toEqual({ available: false, reason: 'no Chromium found: BLAZON_CHROMIUM is /no/such/browser' })
    expect(chosen).toEqual({ available: true, how: process.execPath })
  })

  test('programs are found on the path, but only executable ones', () => {
    expect(findProgram('sh')).toMatch(/\/sh$/)
    expect(findProgram('no-such-program')).toBeUndefined()
    expect(findProgram(`${import.meta.dirname}/setup.test.ts`)).toBeUndefined()
  })
})
