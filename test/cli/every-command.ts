// Every command, loaded: help, docs, completion and reports are held against what each declares.
import type { Command } from '../../cli/command.ts'
import { COMMANDS } from '../../cli/commands.ts'
import type { Table } from '../../cli/run.ts'

interface Named {
  /** `tags list` */
  readonly name: string
  readonly about: string
  readonly command: Command
}

async function everyCommand(table: Table, before: string): Promise<readonly Named[]> {
  const loaded = Object.entries(table).map(async ([word, [about, what]]) => {
    const name = `${before}${word}`
    return typeof what === 'function' ? [{ name, about, ...(await what()) }] : everyCommand(what, `${name} `)
  })
  return (await Promise.all(loaded)).flat()
}

export const EVERY_COMMAND = await everyCommand(COMMANDS, '')
