// Lists the third-party code in the bundles of the package and the page, with the licences, based on the files that
// esbuild used. The build puts the list next to the page; `node scripts/third-party.mjs` copies it to THIRD-PARTY.md
// for the package.
import { existsSync, readdirSync } from 'node:fs'
import { keep, readJson, readText, runAlone } from './files.mjs'

/** The packages of node_modules among the inputs of a bundle. */
export function packagesOf(metafile) {
  const names = Object.keys(metafile.inputs).flatMap(
    (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  )
  return new Set(names)
}

/** The text for the packages that each product is bundled from, by product name. */
export function thirdParty(products) {
  const names = [...new Set(Object.values(products).flatMap((packages) => [...packages]))].sort()
  const sections = names.map((name) => {
    const { version, license } = readJson(`node_modules/${name}/package.json`)
    const where = Object.keys(products).filter((product) => products[product].has(name))
    const head = `## ${name} ${version} (${license})\n\nIn ${where.join(' and in ')}.`
    return `${head}\n\n\`\`\`\n${licenceOf(name)}\n\`\`\`\n`
  })
  const about = 'Blazon is under Apache-2.0 (LICENSE). It is bundled with the following, each under its own licence.'
  return `# What others wrote\n\n${about}\n\n${sections.join('\n')}`
}

function licenceOf(name) {
  const folder = `node_modules/${name}`
  const file = existsSync(folder) && readdirSync(folder).find((entry) => /^licen[cs]e(?:\.\w+)?$/i.test(entry))
  if (!file) throw new Error(`${name} is bundled and has no file with its licence`)
  return readText(`${folder}/${file}`).replaceAll('\r\n', '\n').trim()
}

/** Writes THIRD-PARTY.md from the last build; with `check` reports if it is out of date. */
export function noticesOfPackage({ check }) {
  return keep('THIRD-PARTY.md', readText('dist/site/third-party.txt'), 'scripts/third-party.mjs', { check })
}

await runAlone(import.meta.url, noticesOfPackage)
