// Runs for `npm pack` and `npm publish` if npm runs scripts: refuses a package without a build. `npm run release` packs
// the published package.
import { missingFiles } from './release.mjs'

const missing = missingFiles('.')
if (missing.length > 0) {
  console.error(`not packed:\n  ${missing.join('\n  ')}`)
  console.error('npm run release builds, checks and packs what is to be published')
  process.exitCode = 1
}
