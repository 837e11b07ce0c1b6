// Random ADL documents: node test/soak/adl.mjs [documents, 100000] [seed, from the clock]
// Whatever stands wherever, checking ends in a report within its limits (test/adl/sound.ts says what that is).
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { importBundled } from '../support/bundle.mjs'
import { soakReports } from '../support/soak-reports.mjs'

const FOLDER = 'fixtures/adl/rules'

const { flaw, mutations } = await importBundled('soak-adl', `export * from './test/adl/sound.ts'`)
const documents = readdirSync(FOLDER).map((file) => parse(readFileSync(`${FOLDER}/${file}`, 'utf8')).good)
soakReports(flaw, mutations, documents)
