// The installation instructions in the docs. package.json decides: `name`, and `published`, which is true when we own
// that name on npm. Until then someone else could register it, so no page may install it by name. `node
// scripts/install.mjs` writes the pages.
import { filesOf, keep, readJson, readText, runAlone } from './files.mjs'

const TO = '<!-- end of install -->'
/** A mark, the instructions, and the end. */
const PLACE = new RegExp(`(<!-- install (tool|library): written by scripts/install\\.mjs -->)[^]*?${TO}`, 'g')

export const { name: NAME, published: PUBLISHED } = readJson(new URL('../package.json', import.meta.url))

/** The text between the marks: for the command line tool, and for a program that imports Blazon. */
const CHECKOUT = {
  tool: `Blazon is not in a package registry yet. Clone this repository and run one of these lines in it. The first call of \`blazon\` builds it:

    alias blazon="node '$PWD/scripts/blazon.mjs'"                                # Bash, Zsh
    $blazon = "$PWD/scripts/blazon.mjs"; function blazon { node $blazon @args }  # PowerShell`,
  library: `Blazon is not in a package registry yet. Clone this repository and run \`npm ci\` and \`npm run build\` in it. Then install the
checkout in your project by its path:

    npm install /path/to/blazon`,
}
const REGISTRY = {
  tool: `    npm install --global ${NAME}\n\nThen \`blazon\` is a command.`,
  library: `    npm install ${NAME}`,
}

/** Writes the installation instructions of the pages; with `check`, returns the pages that are out of date. */
export function install({ check }) {
  const pages = ['README.md', ...filesOf('docs').filter((path) => path.endsWith('.md'))]
  return pages.flatMap((page) => {
    const text = readText(page)
    if (!text.includes(TO)) return []
    const written = text.replace(PLACE, (_, mark, who) => `${mark}\n${(PUBLISHED ? REGISTRY : CHECKOUT)[who]}\n${TO}`)
    return keep(page, written, 'scripts/install.mjs', { check })
  })
}

await runAlone(import.meta.url, install)
