// `npm run release`: makes a new build, checks it, and packs the package for publication, in build/,
// with the tool as one executable (executable.mjs). package.json has
// `private`, so a package that `npm pack` makes without this script, perhaps without a build, cannot be published. Before
// npm packs, it runs this with `--prepack`, which refuses a package without a build.
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { anchorOf } from './docs/markdown.mjs'
import { filesOf, isStarted, readJson, readText } from './files.mjs'
import { ensureInstalled, npmCommand } from './setup.mjs'

const STAGE = 'build/package'

/** Packs the build into a folder; returns the path of the archive. Throws when something is missing in it. */
export async function pack(destination) {
  const [{ files }] = await npmPack('--dry-run')
  rmSync(STAGE, { recursive: true, force: true })
  for (const { path } of files) {
    mkdirSync(dirname(join(STAGE, path)), { recursive: true })
    copyFileSync(path, join(STAGE, path))
  }
  for (const { path } of files) if (path.endsWith('.md')) writeFileSync(join(STAGE, path), withoutFarLinks(path, STAGE))
  writeFileSync(join(STAGE, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  const problems = packageProblems(STAGE)
  if (problems.length > 0) throw new Error(`not packed:\n  ${problems.join('\n  ')}`)
  mkdirSync(destination, { recursive: true })
  const [{ filename }] = await npmPack(`./${STAGE}`, '--pack-destination', destination)
  return join(destination, filename)
}

/** What `npm pack` reports, without its scripts. */
export async function npmPack(...args) {
  const [command, ...first] = npmCommand()
  const options = [...first, 'pack', '--json', '--ignore-scripts', ...args]
  const { stdout } = await promisify(execFile)(command, options, { maxBuffer: 1 << 24 })
  return JSON.parse(stdout)
}

/** The part of package.json that users need. The publishing workflow provides the address of the project. */
export function manifest(env = process.env) {
  const { private: _, published, scripts, devDependencies, ...kept } = readJson('package.json')
  const address = addressIn(env)
  if (address === undefined) return kept
  return {
    ...kept,
    homepage: `${address}#readme`,
    repository: { type: 'git', url: `git+${address}.git` },
    bugs: { url: `${address}/issues` },
  }
}

function addressIn({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }) {
  return GITHUB_SERVER_URL && GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : undefined
}

/** A page of the project for `folder`: links to pages that only the repository has are replaced by their labels. */
export function withoutFarLinks(page, folder) {
  const parts = readText(page).split(/^(```[\s\S]*?^```)/m)
  const near = (link, label, path) => {
    const target = join(dirname(page), path).replaceAll('\\', '/')
    if (existsSync(join(folder, target)) || !existsSync(target)) return link
    return label === target ? `${target} (in the repository)` : `${label} (in the repository: ${target})`
  }
  return parts
    .map((part, i) => (i % 2 ? part : part.replace(/\[([^\]]+)\]\((?!\w+:)([^)#\s]+)[^)\s]*\)/g, near)))
    .join('')
}

/** Files that package.json names and the folder lacks, and dead links in its pages, a line each. */
export function packageProblems(folder) {
  const pages = filesOf(folder).filter((path) => path.endsWith('.md'))
  return [...missingFiles(folder), ...pages.flatMap(deadLinks)]
}

/** Files that package.json names and the folder lacks, a line each. */
export function missingFiles(folder) {
  const { exports, imports, bin } = readJson(join(folder, 'package.json'))
  const missing = targetsOf([exports, imports, bin]).filter((path) => !existsSync(join(folder, path)))
  return missing.map((path) => `${path} is missing: npm run build makes it`)
}

function targetsOf(value) {
  return typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(targetsOf)
}

function deadLinks(page) {
  const links = [...prose(page).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
  return links.flatMap(([, path, anchor]) => {
    const target = path === '' ? page : join(dirname(page), path)
    if (!existsSync(target)) return [`${page}: ${path} leads nowhere`]
    if (anchor === undefined || anchorsOf(target).includes(anchor)) return []
    return [`${page}: ${path}#${anchor} is no heading`]
  })
}

/** The headings of a page as links name them. */
const anchorsOf = (page) => Array.from(prose(page).matchAll(/^#+ (.+)$/gm), ([, text]) => anchorOf(text))

/** The text of a page without its code blocks, which may contain anything. */
const prose = (page) => readText(page).replace(/^```[\s\S]*?^```/gm, '')

async function release() {
  // Packing alone does not need it.
  const { printExecutable } = await import('./executable.mjs')
  ensureInstalled({ tests: true })
  for (const args of [['scripts/build.mjs', '--force'], ['scripts/check.mjs']])
    if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) process.exit(1)
  const archive = await pack('build')
  console.log(`${archive}\nsha512 ${createHash('sha512').update(readFileSync(archive)).digest('hex')}`)
  await printExecutable()
  if (addressIn(process.env) === undefined)
    console.warn(
      'The package names no homepage, repository and bugs: set GITHUB_SERVER_URL (https://github.com) and GITHUB_REPOSITORY (owner/name).\nnpm refuses provenance for a package that does not say where it was built from.',
    )
}

function refuseMissing(folder) {
  const missing = missingFiles(folder)
  if (missing.length === 0) return
  console.error(`not packed:\n  ${missing.join('\n  ')}`)
  console.error('npm run release builds, checks and packs what is to be published')
  process.exitCode = 1
}

const folder = process.cwd()
if (isStarted(import.meta.url)) await (process.argv.includes('--prepack') ? refuseMissing(folder) : release())
