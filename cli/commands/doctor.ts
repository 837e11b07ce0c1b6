import { visible } from '../../bindings/text/hidden.ts'
import { defineCommand } from '../command.ts'
import type { Check } from '../doctor/check.ts'
import { checkHost } from '../doctor/checks.ts'
import { EXIT } from '../exit.ts'
import { answer } from '../outcome.ts'

/** `blazon doctor`: what Blazon can check on this host, and with which parts. */
export const command = defineCommand({
  usage: '',
  details: [
    'Shows the runtime, core and configuration in use, which signatures can be made',
    'and verified, how addresses are guarded, and the lowest TLS version. Makes no',
    'network requests. Exits 1 if something is wrong; a missing feature of the host',
    'is only "limited".',
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
