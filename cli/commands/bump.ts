import { update } from '../../bindings/card/update.ts'
import { defineCommand } from '../command.ts'
import { NEXT_OPTIONS, writeNext } from '../next-card.ts'

export const command = defineCommand({
  usage: '[FILE|-] [--key KEY] [--out FILE]',
  details: [
    'Raises seq by one, sets metadata.updated_at and takes out the signature, which',
    'is one of the card before; everything else stays as it is. With --key, signs it.',
    'Writes to stdout or to the file of --out, which may be FILE.',
  ],
  options: NEXT_OPTIONS,
  examples: ['blazon bump card.json --out card.json', 'blazon bump card.json --key agent.key --out card.json'],
  run: (context) => writeNext(context, (card) => update(card)),
})
