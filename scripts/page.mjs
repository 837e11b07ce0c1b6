// browser-demo/ and edge/public/ -> site/ of the build, which the Worker serves: the first page, the page under app/,
// and live discovery under discover/.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { transform } from 'esbuild'
import { bundle, bundledText, TARGET, tableOf, wasmModule } from './bundler.mjs'
import { openapi } from './openapi.mjs'
import { packagesOf, thirdParty } from './third-party.mjs'

const PAGE = 'browser-demo'
const SMALL = { minify: true, legalComments: 'none', logLevel: 'warning' }
const APP = `${PAGE}/app.ts`
const ENGINE = `${PAGE}/engine.ts`

/**
 * Content-Security-Policy of the page. With `connect-src 'none'`, the browser enforces the page's promise that no data
 * leaves it. Workers are the service worker, which is a file, and those that the page makes from its own scripts as
 * blobs. Blobs have the policy of the page that made them.
 */
const policy = (script, style) => policyOf(script, style, ["connect-src 'none'", "worker-src 'self' blob:"])

/** Live discovery connects to the resolver that its reader names, and to the servers that DNS names. */
const livePolicy = (script, style) => policyOf(script, style, ['connect-src https:'])

function policyOf(script, style, more) {
  const own = [`script-src ${script} 'wasm-unsafe-eval'`, `style-src ${style}`, "img-src 'self' data:", ...more]
  return ["default-src 'none'", ...own, "base-uri 'none'", "form-action 'none'"].join('; ')
}

/** The Worker's stylesheets, which import those of the page. */
const SHEETS = ['site.css', 'directory/directory.css']

/** Writes the folder; returns the packages that are bundled. `module` is the script with the core's module. */
export async function buildSite(folder, module) {
  const { ROOMS } = await tableOf(`${PAGE}/rooms.ts`)
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
  const page = servedPage({ template, shared, styleFile, first, later })
  const copy = copiedPage({ template, shared, style, first, later, packages })
  const define = {
    FILES: JSON.stringify(['./', ...files.keys()]),
    BUILD: JSON.stringify(hash(page + style, 'hex').slice(0, 12)),
  }
  const worker = await bundledText({ ...SMALL, entryPoints: [`${PAGE}/sw.ts`], format: 'iife', define })
  const directory = await bundledText({ ...SMALL, entryPoints: ['edge/directory-page/page.mjs'] })
  const sheets = SHEETS.map(async (path) => [
    path,
    await bundledText({ ...SMALL, entryPoints: [`edge/public/${path}`] }),
  ])
  const policies = { policy: policy("'self'", "'self'"), live: livePolicy("'self'", "'self'") }
  const headers = fill(await readFile('edge/public/_headers', 'utf8'), policies)
  await write(folder, {
    ...Object.fromEntries(Array.from(files, ([file, text]) => [`app/${file}`, text])),
    'app/index.html': page,
    'app/blazon.html': copy,
    'app/sw.js': worker,
    'directory/directory.js': directory,
    ...Object.fromEntries(await Promise.all(sheets)),
    _headers: headers,
    'openapi.json': JSON.stringify(await openapi()),
  })
  return packages
}

/** The page whose scripts and style are files. */
function servedPage({ template, shared, styleFile, first, later }) {
  const places = JSON.stringify(Object.fromEntries(later.map(({ part, file }) => [part, file])))
  const [opening, ...others] = first.map(({ file }) => file)
  return fill(template, {
    ...shared,
    // From file://, not every browser counts the page's own folder as 'self'. When the page is served, the header is
    // stricter.
    policy: policy("'self' file:", "'self' file:"),
    style: `<link rel="stylesheet" href="${styleFile}">`,
    script: [
      `<script src="${opening}" data-parts='${places}'></script>`,
      ...others.map((file) => `<script src="${file}"></script>`),
    ].join('\n'),
    keep: '<a href="blazon.html" download="blazon.html">Save a copy</a>: one file, which works without a network. <a href="../docs/index.html">Docs</a>. <a href="../third-party.txt">Third-party licences</a>. <a href="../discover/index.html">Live discovery</a>: a page of its own, because it uses the network.',
    live: '<a href="../discover/index.html">Live discovery</a> makes one: a page of its own, because it uses the network.',
    notices: '',
  })
}

/** The page with everything in one file. */
function copiedPage({ template, shared, style, first, later, packages }) {
  // The last of the first scripts starts the page, so everything that it may load comes before it.
  const inline = [...first.slice(0, -1), ...later, first.at(-1)].map(({ text }) =>
    text.replaceAll('</script', '<\\/script'),
  )
  const sources = inline.map((text) => `'sha256-${hash(text, 'base64')}'`).join(' ')
  return fill(template, {
    ...shared,
    policy: policy(sources, `'sha256-${hash(style, 'base64')}'`),
    style: `<style>${style}</style>`,
    script: inline.map((text) => `<script>${text}</script>`).join('\n'),
    keep: 'This is a copy in one file. It works without a network.',
    live: '',
    // The copy contains third-party code, so it includes the licences.
    notices: `<!--\n${thirdParty({ 'the page': packages }).replaceAll('--', '- -')}-->`,
  })
}

/** Live discovery is a separate document with one script: it needs permissions that the page must not have. */
async function buildLive(folder, module, shared) {
  const plugins = [wasmModule(module)]
  const [template, script, style] = await Promise.all([
    readFile(`${PAGE}/live/index.html`, 'utf8'),
    bundledText({ ...SMALL, entryPoints: [`${PAGE}/live/live.ts`], format: 'iife', plugins }),
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
  await write(folder, { [scriptFile]: script, [styleFile]: style, 'index.html': page })
}

const write = (folder, files) =>
  Promise.all(Object.entries(files).map(([file, text]) => writeFile(`${folder}/${file}`, text)))

/** The markup that the documents share. */
export async function sharedMarkup() {
  const [shield, theme, icon] = await Promise.all(
    [`${PAGE}/shield.html`, `${PAGE}/theme.html`, 'edge/public/favicon.svg'].map((path) => readFile(path, 'utf8')),
  )
  const image = `data:image/svg+xml,${encodeURIComponent(icon.trim())}`
  return { shield: shield.trim(), theme: theme.trim(), icon: image }
}

/** The markup of the page with the rooms and views of the tables. It lacks only what `buildSite` fills in. */
async function markup(rooms) {
  const { VIEWS } = await tableOf(`${PAGE}/views.ts`)
  const read = (path) => readFile(`${PAGE}/${path}.html`, 'utf8')
  const hidden = (i) => (i === 0 ? '' : ' hidden')
  const roomButtons = rooms.map(({ name, title }, i) => {
    return `<button type="button" id="to-${name}" aria-current="${i === 0 ? 'page' : 'false'}">${title}</button>`
  })
  const roomParts = rooms.map(async ({ name }, i) => {
    return `<div id="room-${name}"${hidden(i)}>\n${await read(`${name}/room`)}</div>`
  })
  const tabs = VIEWS.map(({ name, title, count }, i) => {
    const state = i === 0 ? 'aria-selected="true"' : 'aria-selected="false" tabindex="-1"'
    const counted = count === undefined ? '' : ` <span class="count" id="${count}"></span>`
    return `<button type="button" role="tab" id="tab-${name}" aria-controls="view-${name}" ${state}>${title}${counted}</button>`
  })
  const views = VIEWS.map(async ({ name, otherwise }, i) => {
    const frame = `class="view stack" role="tabpanel" id="view-${name}" aria-labelledby="tab-${name}"${hidden(i)}`
    const none = otherwise === undefined ? '' : `<p class="nothing" id="${name}-none" hidden></p>\n`
    return `<div ${frame}>\n${none}${await read(`views/${name}`)}</div>`
  })
  const given = { roomButtons, tabs, views: await Promise.all(views), rooms: await Promise.all(roomParts) }
  const filled = (text) =>
    text.replace(/\{\{(roomButtons|tabs|views|rooms)\}\}/g, (_, name) => filled(given[name].join('\n')))
  return filled(await read('index'))
}

/**
 * The scripts of the page: those that it starts with, which are the bindings and the page with its first room, and
 * those that are loaded on demand: other rooms, the editor, heavy views.
 */
async function scripts([{ name: first }], module) {
  const [loader, { texts, closure, source, metafile }] = await Promise.all([
    bundledText({ ...SMALL, entryPoints: [`${PAGE}/loader.ts`], format: 'iife', globalName: 'blazon' }),
    classicParts({ ...SMALL, entryPoints: [APP, ENGINE], plugins: [wasmModule(module)] }),
  ])
  const text = (parts) => parts.map((part) => texts.get(part)).join('')
  const engine = closure(ENGINE)
  const start = closure(APP)
  const page = [...closure(`${PAGE}/${first}/room.ts`), ...start].filter((part) => !engine.includes(part))
  const there = new Set([...engine, ...page])
  return {
    first: [
      script('engine', loader + text(engine)),
      script('page', `${text([...new Set(page)])}blazon.require("${start.at(-1)}");\n`),
    ],
    later: [...texts.keys()]
      .filter((part) => !there.has(part))
      .map((part) => ({ part, ...script(titleOf(source(part)), texts.get(part)) })),
    packages: packagesOf(metafile),
  }
}

/**
 * Bundles modules, splits them wherever one is loaded by `import()`, and writes each part as a classic script for
 * browser-demo/loader.ts, because from file:// neither modules nor import() work. `texts` has the scripts by name.
 * `closure` lists everything that a source needs before it runs, ending with its own part; `source` is the module that a
 * part was split off for, unless it is only shared by others.
 */
async function classicParts(options) {
  const { outputFiles, metafile } = await bundle({ ...options, splitting: true, outdir: 'dist', metafile: true })
  const parts = new Map(Object.entries(metafile.outputs).map(([path, part]) => [basename(path), part]))
  const imported = (name, found = new Set()) => {
    for (const { path, kind } of parts.get(name).imports) {
      if (kind === 'import-statement') imported(basename(path), found)
    }
    return found.add(name)
  }
  const classic = async ({ path, text }) => {
    const { code } = await transform(text, { format: 'cjs', minify: true, target: TARGET })
    const body = code.replace(/\b(require|import)\("\.\/([\w.-]+)"\)/g, (_, how, name) =>
      how === 'require' ? `require("${name}")` : `blazon.load("${[...imported(name)].join('","')}")`,
    )
    const name = basename(path)
    return [name, `blazon.part("${name}",(function(require,module){${body.trim()}}));\n`]
  }
  return {
    texts: new Map(await Promise.all(outputFiles.map(classic))),
    closure: (source) => [...imported([...parts].find(([, { entryPoint }]) => entryPoint === source)[0])],
    source: (name) => parts.get(name).entryPoint,
    metafile,
  }
}

/** Joins several stylesheets. Some rooms have none of their own. */
function styles(paths) {
  const there = paths.filter((path) => existsSync(`${PAGE}/${path}`))
  const contents = there.map((path) => `@import './${path}';`).join('')
  return bundledText({ ...SMALL, stdin: { contents, loader: 'css', resolveDir: PAGE } })
}

const script = (title, text) => ({ file: named(title, text, 'js'), text })

/** A room is named after its folder, any other module after its file. */
function titleOf(source) {
  if (source === undefined) return 'shared'
  const name = basename(source).replace(/\.\w+$/, '')
  return ['room', 'index'].includes(name) ? basename(dirname(source)) : name
}

const named = (title, text, end) => `app-${title}-${hash(text, 'hex').slice(0, 12)}.${end}`

/** Replaces each `{{name}}`; a name without a value is a mistake in the template. */
export function fill(template, values) {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name) => {
    if (!Object.hasOwn(values, name)) throw new Error(`nothing is given for {{${name}}}`)
    return values[name]
  })
}

const hash = (text, encoding) => createHash('sha256').update(text).digest(encoding)
