// edge/site/agents/*.adl.json -> agents.js of the build: the documents that the Worker serves before anything is
// published.
import { readdir, readFile, writeFile } from 'node:fs/promises'

const FOLDER = 'edge/site/agents'
const ENDING = '.adl.json'

export async function buildAgents(folder) {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(ENDING)).sort()
  const entries = await Promise.all(
    files.map(async (file) => [file.slice(0, -ENDING.length), await readFile(`${FOLDER}/${file}`, 'utf8')]),
  )
  await writeFile(`${folder}/agents.js`, `export default new Map(${JSON.stringify(entries)})\n`)
  await writeFile(`${folder}/agents.d.ts`, 'declare const agents: ReadonlyMap<string, string>\nexport default agents\n')
}
