import { defineCommand, EXIT } from '../command.ts'
import { serve } from '../lsp/server.ts'

export const command = defineCommand({
  options: { stdio: { about: 'speak over stdin and stdout, which is the default' } },
  operands: [],
  async run({ host }) {
    const { isClean, failure } = await serve(host)
    const reason = failure ?? 'the client ended without a shutdown'
    return { results: [], ...(!isClean && { exit: EXIT.findings, reason, notes: [reason] }) }
  },
})
