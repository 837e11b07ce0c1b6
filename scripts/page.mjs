// browser-demo/ and edge/public/ -> site/ of the build, which the Worker serves: the first page, the page under app/,
// and live discovery under discover/.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { build } from 'esbuild'
import { classicParts } from './classic.mjs'
import { markup, tableOf } from './markup.mjs'
import { openapi } from './openapi.mjs'
import { packagesOf, thirdParty } from './third-party.mjs'

const COMMON = {
  bundle: true,
  minify: true,
  target: 'es2022',
  write: false,
  legalComments: 'none',
  logLevel: 'warning',
}

/**
 * Content-Security-Policy of the page. With `connect-src 'none'`, the browser enforces the page's promise that no data
 * leaves it.
 */
const policy = (script, style) =>
  policyOf(script, style, [
    "connect-src 'none'",
    // Workers are the service worker, which is a file, and those that the page makes from its own scripts as blobs.
    // Blobs have the policy of the page that made them.
    "worker-src 'self' blob:",
  ])

/**
 * The policy of live discovery, which connects to the resolver that its reader names and to the servers that DNS names.
 */
const livePolicy = (script, style) => policyOf(script, style, ['connect-src https:'])

function policyOf(script, style, more) {
  return [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    `style-src ${style}`,
    "img-src 'self' data:",
    ...more,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** The Worker's stylesheets, which import those of the page. */
const SHEETS = ['site.css', 'directory/directory.css']

/** Writes the folder; returns the packages that are bundled. `module` is the script with the core's module. */
export async function buildSite(folder, module) {
  const { ROOMS } = await tableOf('browser-demo/rooms.ts')
  const [{ first, later, packages }, style, template, shared] = await Promise.all([
    scripts(ROOMS, module),
    styles(['style.css', ...ROOMS.map(({ name }) => `${name}/room.css`)]),
    markup(ROOMS),
    sharedMarkup(),
  ])
  await cp('edge/public', folder, { recursive: true })
  await Promise.all([mkdir(`${folder}/app`, { recursive: true }), buildLive(`${folder}/discover`, module, shared)])

  const files = new Map([...first, ...later].map(({ file, text }) => [file, text]))
  const styleFile = named('page', style, 'css')
  files.set(styleFile, style)
  const places = JSON.stringify(Object.fromEntries(later.map(({ part, file }) => [part, file])))
  const [opening, ...others] = first.map(({ file }) => file)
  const page = fill(template, {
    ...shared,
    // From file://, not every browser counts the page's own folder as 'self'. When the page is served, the header is
    // stricter.
    policy: policy("'self' file:", "'self' file:"),
    style: `<link rel="stylesheet" href="${styleFile}">`,
    script: [
      `<script src="${opening}" data-parts='${places}'></script>`,
      ...others.map((file) => `<script src="${file}"></script>`),
    ].join('\n'),
    keep: '<a href="blazon.html" download="blazon.html">Save a copy</a>: one file, which works without a network. <a href="../third-party.txt">Third-party licences</a>. <a href="../discover/index.html">Live discovery</a>: a page of its own, because it uses the network.',
    live: '<a href="../discover/index.html">Live discovery</a> makes one: a page of its own, because it uses the network.',
    notices: '',
  })
  // The last of the first scripts starts the page, so everything that it may load comes before it.
  const inline = [...first.slice(0, -1), ...later, first.at(-1)].map(({ text }) =>
    text.replaceAll('</script', '<\\/script'),
  )
  const sources = inline.map((text) => `'sha256-${hash(text, 'base64')}'`).join(' ')
  const copy = fill(template, {
    ...shared,
    policy: policy(sources, `'sha256-${hash(style, 'base64')}'`),
    style: `<style>${style}</style>`,
    script: inline.map((text) => `<script>${text}</script>`).join('\n'),
    keep: 'This is a copy in one file. It works without a network.',
    live: '',
    // The copy contains third-party code, so it includes the licences.
    notices: `<!--\n${thirdParty({ 'the page': packages }).replaceAll('--', '- -')}-->`,
  })
  const worker = await bundle({
    entryPoints: ['browser-demo/sw.ts'],
    format: 'iife',
    define: {
      FILES: JSON.stringify(['./', ...files.keys()]),
      BUILD: JSON.stringify(hash(page + style, 'hex').slice(0, 12)),
    },
  })
  const directory = await bundle({ entryPoints: ['edge/directory-page/page.mjs'], format: 'esm' })
  const sheets = await Promise.all(
    SHEETS.map(async (path) => [path, await bundle({ entryPoints: [`edge/public/${path}`] })]),
  )
  const headers = fill(await readFile('edge/public/_headers', 'utf8'), {
    policy: policy("'self'", "'self'"),
    live: livePolicy("'self'", "'self'"),
  })
  await Promise.all([
    ...[...files].map(([file, text]) => writeFile(`${folder}/app/${file}`, text)),
    writeFile(`${folder}/app/index.html`, page),
    writeFile(`${folder}/app/blazon.html`, copy),
    writeFile(`${folder}/app/sw.js`, worker),
    writeFile(`${folder}/directory/directory.js`, directory),
    ...sheets.map(([path, text]) => writeFile(`${folder}/${path}`, text)),
    writeFile(`${folder}/_headers`, headers),
    writeFile(`${folder}/openapi.json`, JSON.stringify(await openapi())),
  ])
  return packages
}

/** Live discovery is a separate document with one script: it needs permissions that the page must not have. */
async function buildLive(folder, module, shared) {
  const [template, script, style] = await Promise.all([
    readFile('browser-demo/live/index.html', 'utf8'),
    bundle({ entryPoints: ['browser-demo/live/live.ts'], format: 'iife', plugins: [given(module)] }),
    styles(['style.css', 'discover/room.css', 'live/live.css']),
    mkdir(folder, { recursive: true }),
  ])
  const [scriptFile, styleFile] = [named('live', script, 'js'), named('live', style, 'css')]
  const page = fill(template, {
    ...shared,
    policy: livePolicy("'self' file:", "'self' file:"),
    style: `<link rel="stylesheet" href="${styleFile}">`,
    script: `<script src="${scriptFile}"></script>`,
  })
  await Promise.all([
    writeFile(`${folder}/${scriptFile}`, script),
    writeFile(`${folder}/${styleFile}`, style),
    writeFile(`${folder}/index.html`, page),
  ])
}

/** The markup that both documents share. */
async function sharedMarkup() {
  const read = (path) => readFile(path, 'utf8').then((text) => text.trim())
  const [shield, theme, icon] = await Promise.all(
    ['browser-demo/shield.html', 'browser-demo/theme.html', 'edge/public/favicon.svg'].map(read),
  )
  return { shield, theme, icon: `data:image/svg+xml,${encodeURIComponent(icon)}` }
}

/**
 * The scripts of the page: those that it starts with, which are the bindings and the page with its first room, and
 * those that are loaded on demand: other rooms, the editor, heavy views.
 */
async function scripts([{ name: first }], module) {
  const [loader, { scripts, closure, source, metafile }] = await Promise.all([
    bundle({ entryPoints: ['browser-demo/loader.ts'], format: 'iife', globalName: 'blazon' }),
    classicParts({ ...COMMON, plugins: [given(module)] }, ['browser-demo/app.ts', 'browser-demo/engine.ts']),
  ])
  const text = (parts) => parts.map((part) => scripts.get(part)).join('')
  const engine = closure('browser-demo/engine.ts')
  const start = closure('browser-demo/app.ts')
  const page = [...closure(`browser-demo/${first}/room.ts`), ...start].filter((part) => !engine.includes(part))
  const there = new Set([...engine, ...page])
  return {
    first: [
      script('engine', loader + text(engine)),
      script('page', `${text([...new Set(page)])}blazon.require("${start.at(-1)}");\n`),
    ],
    later: [...scripts.keys()]
      .filter((part) => !there.has(part))
      .map((part) => ({ part, ...script(titleOf(source(part)), scripts.get(part)) })),
    packages: packagesOf(metafile),
  }
}

/** An esbuild plugin that resolves `#wasm`: the package would find the module of the last build in dist/. */
const given = (contents) => ({
  name: 'given',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#wasm$/ }, ({ path }) => ({ path, namespace: 'given' }))
    onLoad({ filter: /.*/, namespace: 'given' }, () => ({ contents }))
  },
})

/** Joins several stylesheets. Some rooms have none of their own. */
function styles(paths) {
  const there = paths.filter((path) => existsSync(`browser-demo/${path}`))
  const contents = there.map((path) => `@import './${path}';`).join('')
  return bundle({ stdin: { contents, loader: 'css', resolveDir: 'browser-demo' } })
}

const bundle = async (options) => (await build({ ...COMMON, ...options })).outputFiles[0].text

const script = (title, text) => ({ file: named(title, text, 'js'), text })

/** A room is named after its folder, any other module after its file. */
function titleOf(source) {
  if (source === undefined) return 'shared'
  const name = basename(source).replace(/\.\w+$/, '')
  return ['room', 'index'].includes(name) ? basename(dirname(source)) : name
}

function named(title, text, end) {
  return `app-${title}-${hash(text, 'hex').slice(0, 12)}.${end}`
}

/** Replaces each `{{name}}`; a name without a value is a mistake in the template. */
function fill(template, values) {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name) => {
    if (!Object.hasOwn(values, name)) throw new Error(`nothing is given for {{${name}}}`)
    return values[name]
  })
}

function hash(text, encoding) {
  return createHash('sha256').update(text).digest(encoding)
}
