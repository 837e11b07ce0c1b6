// Random Agent Cards: node test/soak/cards.mjs [cards, 100000] [seed, from the clock]
// Whatever stands wherever, checking ends in a report within its limits (test/adl/sound.ts says what that is).
import { importBundled } from '../support/bundle.mjs'
import { soakReports } from '../support/soak-reports.mjs'

const source = `export { mutations } from './test/adl/sound.ts'; export { CARDS, flaw } from './test/card/sound.ts'`
const { CARDS, flaw, mutations } = await importBundled('soak-cards', source)
soakReports(flaw, mutations, CARDS)
