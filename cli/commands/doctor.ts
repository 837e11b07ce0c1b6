import { visible } from '../../bindings/text/hidden.ts'
import { defineCommand } from '../command.ts'
import type { Check } from '../doctor/check.ts'
import { checkHost } from '../doctor/checks.ts'
import { EXIT } from '../exit.ts'
import { answer } from '../outcome.ts'

/** `blazon doctor`: the checks that this host can make, and the parts that make them. */
export const command = defineCommand({
  usage: '',
  details: [
    'Says which runtime, core and configuration are in use here, which signatures can',
    'be made and verified, how addresses are guarded, and which TLS is the least.',
    'Nothing is asked of the network. Exits 1 when something is wrong; what a host',
    'merely lacks is "limited".',
  ],
  options: {},
  operands: [],
  examples: ['blazon doctor', 'blazon doctor --format json'],
  async run({ host, print }) {
    const checks = await checkHost(host)
    print(checks.map(lineOf).join(''))
    const problem = checks.find(({ outcome }) => outcome === 'problem')
    return {
      results: [{ ...answer({ doctor: checks }), valid: problem === undefined }],
      ...(problem && { exit: EXIT.findings, reason: `${problem.title}: ${problem.detail}` }),
    }
  },
})

function lineOf({ outcome, title, detail, hint }: Check): string {
  const way = hint === undefined ? '' : `; ${hint}`
  return `${outcome.padEnd(7)}  ${title}: ${visible(`${detail}${way}`)}\n`
}
