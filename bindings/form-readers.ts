// Written by scripts/specifications.mjs from bindings/specifications.ts; do not edit.
import { parseArchive } from './agentlang/container/archive.ts'
import { parseCommented } from './document/parse-commented.ts'
import { parseLines } from './document/split-lines.ts'
import { parseProse } from './document/parse-prose.ts'
import { parseText } from './document/parse-text.ts'
import { parseToml } from './document/toml/parse.ts'
import type { FormReaders } from './frame/source.ts'

export const READERS: FormReaders = { commented: parseCommented, toml: parseToml, prose: parseProse, lines: parseLines, text: parseText, archive: parseArchive }
