// `npm pack` and `npm publish`, where npm runs scripts: refuses what has no build. `npm run release` packs what is published.
import { missingFiles } from './release.mjs'

const missing = missingFiles('.')
if (missing.length > 0) {
  console.error(`not packed:\n  ${missing.join('\n  ')}`)
  console.error('npm run release builds, checks and packs what is to be published')
  process.exitCode = 1
}
