import { revoke } from '../../bindings/card/revoke.ts'
import { defineCommand } from '../command.ts'
import { NEXT_OPTIONS, writeNext } from '../next-card.ts'

export const command = defineCommand({
  usage: '[FILE|-] [--key KEY] [--out FILE]',
  details: [
    'The next version of a card, without tools and endpoints (section 6.4).',
    'Directories believe it once it is signed; the agent comes back with a higher',
    'seq only.',
    'Writes to stdout or to the file of --out, which may be FILE.',
  ],
  options: NEXT_OPTIONS,
  examples: ['blazon revoke card.json --key agent.key --out card.json'],
  run: (context) => writeNext(context, (card) => revoke(card)),
})
