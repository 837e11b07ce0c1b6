import { revoke } from '../../bindings/card/supersede.ts'
import { defineCommand } from '../command.ts'
import { NEXT_OPTIONS, writeNext } from '../next-card.ts'

export const command = defineCommand({
  usage: '[FILE|-] [--key KEY] [--out FILE]',
  details: [
    'Writes the next version of a card, without tools and endpoints (section 6.4).',
    'Directories accept it once it is signed. Only a card with a higher seq brings',
    'the agent back. Writes to stdout, or to the file of --out, which may be FILE',
    'itself.',
  ],
  options: NEXT_OPTIONS,
  examples: ['blazon revoke card.json --key agent.key --out card.json'],
  run: (context) => writeNext(context, (card) => revoke(card)),
})
