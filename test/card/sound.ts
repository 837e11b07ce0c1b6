// Cards for random changes, and the conditions for every report: for the tests with odd values, and for test/soak.
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { validate } from '../../bindings/card/verbs.ts'
import { flawBy } from '../adl/sound.ts'
import { CLEAN, NOW } from './clean.ts'

const FOLDER = 'fixtures/card/rules'
const EXAMPLE: object = JSON.parse(readFileSync('fixtures/card/translator-zh-en.json', 'utf8'))

/** Returns the first fault in the report on a card. */
export const flaw = flawBy('card', (source) => validate(source, { now: NOW, format: 'json' }))

/** A card with every member of tables 1 to 7. */
export const FULL = {
  ...EXAMPLE,
  extensions: { 'clawnet.reputation': { score: 78.5 }, 'com.example.data': {} },
  seq: 7,
  signature: CLEAN.signature,
}

/** One card that breaks each rule, and the full card. */
export const CARDS: readonly object[] = [
  ...readdirSync(FOLDER).map((file) => parse(readFileSync(`${FOLDER}/${file}`, 'utf8')).bad as object),
  FULL,
]
