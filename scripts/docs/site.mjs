// docs/ and the pages next to README.md -> site/docs/ of the build: a page for each file, each command and each finding,
// with an index for the search. The pages need no server: their links are relative, and the search is a script.
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { bundledText, tableOf } from '../bundler.mjs'
import { filesOf, readJson, readText } from '../files.mjs'
import { findingRows } from '../findings.mjs'
import { fill, sharedMarkup } from '../page.mjs'
import { anchorOf, codeBlock, escaped, rendered, textOf } from './markdown.mjs'

const STYLE = 'browser-demo/docs'
const PROJECT = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
/** What a change of the pages is seen in. */
export const DOCS = ['docs', ...PROJECT]
const REFERENCE = 'docs/reference/cli.md'
const OUTPUTS = 'docs/reference/outputs.md'
/** Pages in which a search looks at headings alone: long tables. */
const TABLES_ONLY = /^reference\/(?:conformance|benchmarks)\.html$/
/** Pages whose third level is that of the commands, which have pages of their own. */
const OF_COMMANDS = /^reference\/(?:cli|outputs)\.html$/
const GROUPS = { start: 'Start', guide: 'Guides', reference: 'Reference', commands: 'Commands', findings: 'Findings' }
const LATER_GROUPS = { design: 'Design', project: 'Project' }
const ALL_GROUPS = { ...GROUPS, ...LATER_GROUPS }

/** The place of a file of the repository in the site; undefined if it has none. */
function placeOf(path) {
  if (PROJECT.includes(path)) return `project/${path.replace('.md', '').toLowerCase()}.html`
  if (/^docs\/images\/[\w.-]+$/.test(path)) return path.slice('docs/'.length)
  return /^docs\/.+\.md$/.test(path) ? path.slice('docs/'.length).replace(/\.md$/, '.html') : undefined
}

/** Every file of the site by its path, and links of the sources that lead nowhere, a line each. */
export async function docsFiles() {
  const problems = []
  const sources = DOCS.flatMap(filesOf).filter((path) => path.endsWith('.md'))
  const pages = sources.map((path) => {
    const at = placeOf(path)
    return { at, group: at.split('/')[0], ...rendered(readText(path), linkFrom(path, at, problems)) }
  })
  for (const page of pages) page.title = textOf(page.headings[0].html)
  const { COMMANDS } = await tableOf('cli/commands.ts')
  pages.push(...commandPages(COMMANDS, problems), ...findingPages(pages))
  pages.push(...Object.entries(GROUPS).map(([group, title]) => groupPage(group, title, pages)), firstPage(pages))
  const [template, style, script, shared] = await Promise.all([
    readFile(`${STYLE}/page.html`, 'utf8'),
    bundledText({ minify: true, entryPoints: [`${STYLE}/docs.css`] }),
    bundledText({ minify: true, entryPoints: [`${STYLE}/docs.ts`], format: 'iife' }),
    sharedMarkup(),
  ])
  const files = new Map([
    ['docs.css', style],
    ['docs.js', script],
    ['search-index.js', searchIndex(pages)],
  ])
  for (const path of filesOf('docs/images')) files.set(placeOf(path), readFileSync(path))
  const lists = listsOf(pages)
  for (const page of pages) files.set(page.at, filled(template, { ...shared, ...page, pages: lists(page) }))
  return { files, problems }
}

/** Writes the site into a folder. */
export async function buildDocs(folder) {
  const { files } = await docsFiles()
  const folders = new Set(Array.from(files.keys(), (path) => dirname(join(folder, path))))
  await Promise.all(Array.from(folders, (path) => mkdir(path, { recursive: true })))
  await Promise.all(Array.from(files, ([path, text]) => writeFile(join(folder, path), text)))
}

/** Turns links between files into links between pages. What the site does not have keeps only its label. */
function linkFrom(path, at, problems) {
  return (address) => {
    const [file, anchor] = address.split('#')
    if (file === '') return address
    const target = join(dirname(path), file).replaceAll('\\', '/')
    if (!existsSync(target)) problems.push(`${path}: ${address} leads nowhere`)
    const place = placeOf(target)
    return place && `${way(at, place)}${anchor === undefined ? '' : `#${anchor}`}`
  }
}

const way = (from, to) => relative(dirname(from), to).replaceAll('\\', '/')

function filled(template, { at, title, html, headings, ...values }) {
  const about = escaped(aboutOf(html))
  const given = { title: `${escaped(title)} · Blazon`, about, root: way(at, 'x').slice(0, -1), content: html }
  const parts = headings.filter(({ level }) => level === 2)
  const links = parts.map(({ id, html: label }) => `<li><a href="#${id}">${escaped(textOf(label))}</a></li>`)
  const contents = `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`
  const all = { ...values, ...given, contents: parts.length > 1 ? contents : '' }
  return fill(template, all)
}

/** The first sentences of a page, for lists and search engines. */
function aboutOf(html) {
  const text = textOf(/<p[^>]*>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? '').replaceAll('\n', ' ')
  return text.length < 140 ? text : `${text.slice(0, 140).replace(/\s\S*$/, '')} …`
}

// --- lists of pages

/** The list next to a page: all groups, with the pages of its own. Findings are listed by their families. */
function listsOf(pages) {
  const links = new Map(Object.keys(ALL_GROUPS).map((group) => [group, linksOf(group, pages)]))
  return ({ at, group }) => {
    const parts = Object.entries(ALL_GROUPS).map(([name, title]) => {
      const first = name in GROUPS ? `${name}/index.html` : links.get(name)[0].to
      const label = `<p><a href="${way(at, first)}">${title}</a></p>`
      if (name !== group) return label
      const items = links.get(name).map(({ to, text }) => {
        return `<li><a href="${way(at, to)}"${to === at ? ' aria-current="page"' : ''}>${escaped(text)}</a></li>`
      })
      return `${label}<ul>${items.join('')}</ul>`
    })
    return parts.join('\n')
  }
}

function linksOf(group, pages) {
  const own = pagesOf(group, pages)
  if (group !== 'findings') return own.map(({ at, title }) => ({ to: at, text: title }))
  return [...new Set(own.map(familyOf))].map((family) => ({
    to: `findings/index.html#${family.toLowerCase()}`,
    text: family,
  }))
}

const familyOf = ({ at }) => /([A-Z0-9]+)-[^/]*$/.exec(at)[1]
const pagesOf = (group, pages) =>
  pages
    .filter((page) => page.group === group && !page.at.endsWith('/index.html'))
    .sort((a, b) => (a.title < b.title ? -1 : 1))

function tiles(from, pages) {
  const items = pages.map(({ at, title, html }) => {
    return `<li><a href="${way(from, at)}">${escaped(title)}</a><small>${escaped(aboutOf(html))}</small></li>`
  })
  return `<ul class="tiles">\n${items.join('\n')}\n</ul>`
}

function groupPage(group, title, pages) {
  const [at, own] = [`${group}/index.html`, pagesOf(group, pages)]
  const whole = rendered(`# ${title}`)
  if (group !== 'findings') return { at, group, title, headings: [], html: whole.html + tiles(at, own) }
  const families = [...new Set(own.map(familyOf))].map((family) => {
    const rows = own
      .filter((page) => familyOf(page) === family)
      .map(
        (page) =>
          `<tr><td class="code"><a href="${way(at, page.at)}">${page.code}</a></td><td>${escaped(page.titles)}</td></tr>`,
      )
    const table = `<div class="wide" tabindex="0"><table><tbody>\n${rows.join('\n')}\n</tbody></table></div>`
    return { family, part: rendered(`## ${family}`), table }
  })
  const html = families.map(({ part, table }) => part.html + table)
  const about = `<p class="about">Every finding has a code. <code>blazon explain CODE</code> shows the same in the terminal.</p>`
  const headings = families.flatMap(({ part }) => part.headings)
  return { at, group, title, headings, html: `${whole.html}${about}\n${html.join('\n')}` }
}

function firstPage(pages) {
  const at = 'index.html'
  const parts = Object.entries(ALL_GROUPS).map(([group, title]) => {
    const own = pagesOf(group, pages)
    const large = own.length > 30
    const list = large ? `<p><a href="${group}/index.html">${own.length} pages</a>: one for each.</p>` : tiles(at, own)
    return `<h2 id="${group}">${title}</h2>\n${list}`
  })
  const about = aboutOf(pages.find(({ at }) => at === placeOf('README.md')).html)
  const html = `<h1>Blazon</h1>\n<p class="about">${escaped(about)}</p>\n${parts.join('\n')}`
  return { at, group: '', title: 'Docs', headings: [], html }
}

// --- commands

/** A page for each command: what help says, what it prints, and its section of the reference. */
function commandPages(table, problems) {
  const help = readJson('cli/help.json')
  const sections = sectionsOf(readText(REFERENCE))
  const outputs = new Map(
    existsSync(OUTPUTS) ? sectionsOf(readText(OUTPUTS)).map(({ title, body }) => [title, body]) : [],
  )
  return namesOf(table).map(([name, about]) => {
    const at = `commands/${name.replace(' ', '-')}.html`
    const { usage, details, examples } = help[name]
    const [group, verb = group] = name.split(' ')
    const own = sections.filter(({ title }) => title.split(/[ [|]/)[0] === group)
    const section = own.find(({ title }) => title.split(/\W+/).includes(verb)) ?? own[0]
    if (section === undefined) problems.push(`${REFERENCE}: no section for ${name}`)
    const markdown = [
      `# blazon ${name}`,
      `    blazon ${name} ${usage}`.trimEnd(),
      details.map((line) => line.replace(/[\\*_`[\]<>]/g, '\\$&')).join('\n'),
      `## Examples\n\n\`\`\`console\n${examples.map((line) => `$ ${line}\n`).join('')}\`\`\``,
      ...(outputs.has(name) ? [`## What it prints\n\n${outputs.get(name)}`] : []),
      `## In detail\n\n${section?.body ?? ''}`,
    ]
    const link = linkFrom(REFERENCE, at, problems)
    const toReference = (address) => (address.startsWith('#') ? way(at, placeOf(REFERENCE)) + address : link(address))
    const page = rendered(markdown.join('\n\n'), toReference)
    const html = page.html.replace('</h1>', `</h1>\n<p class="about">${escaped(sentence(about))}</p>`)
    return { at, group: 'commands', title: name, headings: page.headings, html }
  })
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`

/** The commands of the table with their purpose; a group is named before its own. */
const namesOf = (table, before = '') =>
  Object.entries(table).flatMap(([word, [about, what]]) =>
    typeof what === 'function' ? [[`${before}${word}`, about]] : namesOf(what, `${before}${word} `),
  )

/** The sections of the third level. */
function sectionsOf(markdown) {
  const parts = markdown.split(/^(?=#{2,3} )/m).filter((part) => part.startsWith('### '))
  return parts.map((part) => {
    const [first, ...lines] = part.split('\n')
    return { title: first.slice(4).trim(), body: lines.join('\n').trim() }
  })
}

// --- findings

/** A page for each code, with every rule that has it, and the place of the docs that describes it. */
function findingPages(pages) {
  const places = new Map()
  for (const { at, headings } of pages)
    for (const { id, html } of headings) {
      const code = /^[A-Z][A-Z0-9]*-\d+/.exec(textOf(html))?.[0]
      if (code !== undefined) places.set(code, `${at}#${id}`)
    }
  const codes = new Map()
  for (const row of findingRows()) codes.set(row.code, [...(codes.get(row.code) ?? []), row])
  return Array.from(codes, ([code, rows]) => {
    const at = `findings/${code}.html`
    const place = places.get(code)
    const more = place === undefined ? '' : `\n<p><a href="${way(at, place)}">${code} in the reference</a></p>`
    const titles = [...new Set(rows.map(({ title }) => title))].join(', ')
    const first = rows.length === 1 ? `${code}: ${titles}` : code
    const parts = rows.map((row) => `${rows.length === 1 ? '' : ruleHeading(row)}${ruleOf(row)}`)
    const html = `<h1 id="${anchorOf(code)}">${escaped(first)}</h1>\n${parts.join('\n')}${more}`
    const headings =
      rows.length === 1 ? [] : rows.map(({ rule, title }) => ({ level: 2, id: anchorOf(rule), html: escaped(title) }))
    return { at, group: 'findings', code, title: `${code} ${titles}`, titles, headings, html }
  })
}

const ruleHeading = ({ rule, title }) => `<h2 id="${anchorOf(rule)}">${escaped(title)}</h2>\n`

function ruleOf({ rule, section, severity, rulesets = {}, why, bad, good }) {
  const others = Object.entries(rulesets).map(
    ([name, level]) => `, <span class="${level}">${level}</span> in ${escaped(name)}`,
  )
  return [
    `<p>${escaped(why)}</p>`,
    '<dl class="facts">',
    `<dt>Rule</dt><dd><code>${escaped(rule)}</code></dd>`,
    `<dt>Severity</dt><dd><span class="${severity}">${severity}</span>${others.join('')}</dd>`,
    `<dt>Section</dt><dd>${escaped(section)}</dd>`,
    '</dl>',
    `<h3>Breaks it</h3>\n${codeBlock(pretty(bad))}`,
    `<h3>Keeps it</h3>\n${codeBlock(pretty(good))}`,
  ].join('\n')
}

/** JSON on several lines, unless that would change a value. */
function pretty(text) {
  try {
    const value = JSON.parse(text)
    const dense = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
    return JSON.stringify(value) === dense ? JSON.stringify(value, null, 2) : text
  } catch {
    return text
  }
}

// --- search

/** A script with each section: its address, its heading, the title of its page, and its text. */
function searchIndex(pages) {
  // Of equal sections, the first of this order is shown first.
  const groups = new Set(['commands', 'findings', ...Object.keys(ALL_GROUPS)])
  const rows = [...groups].flatMap((group) => pagesOf(group, pages)).flatMap(sectionRows)
  return `blazonDocs(${JSON.stringify(rows)})\n`
}

function sectionRows({ at, group, title, html }) {
  const text = (part) =>
    textOf(part.replace(/<\/\w+>/g, (end) => (/code|strong|em|a>/.test(end) ? end : `${end} `)))
      .replace(/\s+/g, ' ')
      .trim()
  if (group === 'commands')
    return [[at, title, 'Commands', text(html.split('<h2 id="what-it-prints">')[0].split('<h2 id="in-detail">')[0])]]
  if (group === 'findings') return [[at, title, 'Findings', text(html.split('<h3>')[0])]]
  const parts = html.replace(/ <a class="here".*?<\/a>/g, '').split(/(?=<h[1-3] id=")/)
  const own = parts.filter((part) => !(OF_COMMANDS.test(at) && part.startsWith('<h3')))
  return own.map((part) => {
    const [, id, heading, body] = /^<h\d id="([^"]*)">(.*?)<\/h\d>([\s\S]*)$/.exec(part)
    return [`${at}#${id}`, text(heading), title, TABLES_ONLY.test(at) ? '' : text(body)]
  })
}
