// browser-demo/ and edge/public/ -> dist/site/, which the Worker serves: the first page, and the page under app/.
import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { packagesOf, thirdParty } from './third-party.mjs'

const SITE = 'dist/site'
const COMMON = {
  bundle: true,
  minify: true,
  target: 'es2022',
  write: false,
  legalComments: 'none',
  logLevel: 'warning',
}

/** Content-Security-Policy of the page. `connect-src 'none'` is its promise kept by the browser: nothing leaves. */
function policy(script, style) {
  return [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    `style-src ${style}`,
    "img-src 'self' data:",
    "connect-src 'none'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** Writes dist/site/; gives the packages that are in it. The core's module must be in dist/wasm/ already. */
export async function buildSite() {
  const packages = new Set()
  const bundle = async (options) => {
    const { outputFiles, metafile } = await build({ ...COMMON, ...options, metafile: true })
    for (const name of packagesOf(metafile)) packages.add(name)
    return outputFiles[0].text
  }
  const [engine, editor, directory, script, style, template, icon] = await Promise.all([
    bundle({ entryPoints: ['browser-demo/engine.ts'], format: 'iife', globalName: 'blazonEngine' }),
    bundle({ entryPoints: ['browser-demo/codemirror.ts'], format: 'iife', globalName: 'blazonEditor' }),
    bundle({ entryPoints: ['browser-demo/directory/index.ts'], format: 'iife', globalName: 'blazonDirectory' }),
    bundle({ entryPoints: ['browser-demo/app.ts'], format: 'iife' }),
    bundle({ entryPoints: ['browser-demo/style.css'] }),
    readFile('browser-demo/index.html', 'utf8'),
    readFile('edge/public/favicon.svg', 'utf8'),
  ])
  await cp('edge/public', SITE, { recursive: true })
  await mkdir(`${SITE}/app`, { recursive: true })
  const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon.trim())}`

  const named = (part, text, end) => `app-${part}-${hash(text, 'hex').slice(0, 12)}.${end}`
  const scriptFile = named('page', script, 'js')
  const engineFile = named('engine', engine, 'js')
  const editorFile = named('editor', editor, 'js')
  const directoryFile = named('directory', directory, 'js')
  const styleFile = named('page', style, 'css')
  const page = fill(template, {
    // From file:// not every browser takes the page's own folder for 'self'; when served, the header is stricter.
    policy: policy("'self' file:", "'self' file:"),
    icon: iconUrl,
    style: `<link rel="stylesheet" href="${styleFile}">`,
    // Classic scripts: from file:// there are no modules. The page loads the editor when it has shown itself, the directory
    // when somebody enters it.
    script: `<script src="${engineFile}"></script>\n<script src="${scriptFile}" data-editor="${editorFile}" data-directory="${directoryFile}"></script>`,
    keep: '<a href="blazon" download="blazon.html">Keep a copy</a>: one file, which works without a network. <a href="/third-party.txt">What others wrote</a>.',
    notices: '',
  })
  const inline = [engine, editor, directory, script].map((text) => text.replaceAll('</script', '<\\/script'))
  const sources = inline.map((text) => `'sha256-${hash(text, 'base64')}'`).join(' ')
  const copy = fill(template, {
    policy: policy(sources, `'sha256-${hash(style, 'base64')}'`),
    icon: iconUrl,
    style: `<style>${style}</style>`,
    script: inline.map((text) => `<script>${text}</script>`).join('\n'),
    keep: 'This is a copy in one file. It works without a network.',
    // Who passes the copy on passes on what others wrote, too: their licences want to come along.
    notices: `<!--\n${thirdParty({ 'the page': packages }).replaceAll('--', '- -')}-->`,
  })
  const worker = await bundle({
    entryPoints: ['browser-demo/sw.ts'],
    format: 'iife',
    define: {
      FILES: JSON.stringify(['./', engineFile, editorFile, directoryFile, scriptFile, styleFile]),
      BUILD: JSON.stringify(hash(page + style, 'hex').slice(0, 12)),
    },
  })
  const headers = fill(await readFile('edge/public/_headers', 'utf8'), { policy: policy("'self'", "'self'") })
  await Promise.all([
    writeFile(`${SITE}/app/${engineFile}`, engine),
    writeFile(`${SITE}/app/${editorFile}`, editor),
    writeFile(`${SITE}/app/${directoryFile}`, directory),
    writeFile(`${SITE}/app/${scriptFile}`, script),
    writeFile(`${SITE}/app/${styleFile}`, style),
    writeFile(`${SITE}/app/index.html`, page),
    writeFile(`${SITE}/app/blazon.html`, copy),
    writeFile(`${SITE}/app/sw.js`, worker),
    writeFile(`${SITE}/_headers`, headers),
  ])
  return packages
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
