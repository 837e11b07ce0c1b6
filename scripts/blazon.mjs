#!/usr/bin/env node
// The command line tool of this checkout, for any folder: installs and builds what is missing, then runs it. action.yml
// and the pre-commit hooks call it, so they run the code that their users pinned, and nothing from a registry.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './setup.mjs'

const TOOL = new URL('../dist/cli/blazon.js', import.meta.url)
const ROOT = fileURLToPath(new URL('..', import.meta.url))

if (!existsSync(TOOL)) {
  ensureInstalled()
  // Progress goes to stderr, so that stdout has only the output of the tool.
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(5)
}
await import(TOOL)
