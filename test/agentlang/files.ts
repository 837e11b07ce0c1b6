// Folders of agents, as maps from path to bytes.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files of a folder. */
export function filesIn(folder: string): Map<string, Uint8Array> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    paths
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      )
      .sort()
      .map((path) => [path, new Uint8Array(readFileSync(join(folder, path)))]),
  )
}

/** Files from texts. */
export function filesOf(texts: Readonly<Record<string, string>>): Map<string, Uint8Array> {
  return new Map(Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)]))
}

/** The agent of the specification's examples, each at its place in one folder. */
export const RESEARCH_ASSISTANT = 'fixtures/agentlang/research-assistant'
