// The markup of the page: browser-demo/index.html with the rooms and views of the tables. Each has its markup next to
// its code.
import { readFile } from 'node:fs/promises'
import { runInNewContext } from 'node:vm'
import { transform } from 'esbuild'

const PAGE = 'browser-demo'

/** A table as data, without loading the imports of its rows. */
export async function tableOf(path) {
  const { code } = await transform(await readFile(path, 'utf8'), { loader: 'ts', format: 'cjs' })
  const module = { exports: {} }
  runInNewContext(code, { module, require: () => ({}) })
  return module.exports
}

/** The page, complete except for the parts that scripts/page.mjs fills in. */
export async function markup(rows) {
  const { VIEWS } = await tableOf(`${PAGE}/views.ts`)
  const read = (path) => readFile(`${PAGE}/${path}.html`, 'utf8')
  const roomButtons = rows.map(
    ({ name, title }, i) =>
      `<button type="button" id="to-${name}" aria-current="${i === 0 ? 'page' : 'false'}">${title}</button>`,
  )
  const tabs = VIEWS.map(({ name, title, count }, i) => {
    const state = i === 0 ? 'aria-selected="true"' : 'aria-selected="false" tabindex="-1"'
    const counted = count === undefined ? '' : ` <span class="count" id="${count}"></span>`
    return `<button type="button" role="tab" id="tab-${name}" aria-controls="view-${name}" ${state}>${title}${counted}</button>`
  })
  const views = VIEWS.map(async ({ name, otherwise }, i) => {
    const frame = `class="view stack" role="tabpanel" id="view-${name}" aria-labelledby="tab-${name}"${i === 0 ? '' : ' hidden'}`
    const none = otherwise === undefined ? '' : `<p class="nothing" id="${name}-none" hidden></p>\n`
    return `<div ${frame}>\n${none}${await read(`views/${name}`)}</div>`
  })
  const rooms = rows.map(
    async ({ name }, i) => `<div id="room-${name}"${i === 0 ? '' : ' hidden'}>\n${await read(`${name}/room`)}</div>`,
  )
  const given = { roomButtons, tabs, views: await Promise.all(views), rooms: await Promise.all(rooms) }
  const fill = (text) =>
    text.replace(/\{\{(roomButtons|tabs|views|rooms)\}\}/g, (_, name) => fill(given[name].join('\n')))
  return fill(await read('index'))
}
