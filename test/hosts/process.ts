// Node, Deno and Bun: a job from one file, its answer to another.
import { readFileSync, writeFileSync } from 'node:fs'
import { answer } from './answer.ts'

const [job, to] = process.argv.slice(2) as [string, string]
writeFileSync(to, await answer(readFileSync(job)))
