import { update } from '../../bindings/card/supersede.ts'
import { defineCommand } from '../command.ts'
import { NEXT_OPTIONS, writeNext } from '../next-card.ts'

export const command = defineCommand({
  usage: '[FILE|-] [--key KEY] [--out FILE]',
  details: [
    'Raises seq by one, sets metadata.updated_at, and removes the old signature;',
    'everything else stays as it is. With --key, signs the new card. Writes to',
    'stdout, or to the file of --out, which may be FILE itself.',
  ],
  options: NEXT_OPTIONS,
  examples: ['blazon bump card.json --out card.json', 'blazon bump card.json --key agent.key --out card.json'],
  run: (context) => writeNext(context, (card) => update(card)),
})
