import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { random } from '../support/random.ts'
import { serverKills } from '../support/server-kills.mjs'

const hasBuild = existsSync('dist/cli/blazon.js')
if (!hasBuild) console.warn('NOT RUN: kills of servers by the program: dist/cli/blazon.js is not built')

// test/soak/agents-servers.mjs does the same 100 times.
test.runIf(hasBuild)(
  '[agentlang/mcp-2] nothing is left after SIGKILL of a server or of Blazon, 3 times each',
  async () => {
    expect(await serverKills({ times: 3, random: random(3) })).toMatchObject({ flaws: [] })
  },
)
