import { parseText } from '../document/parse-text.ts'
import { read } from '../document/read.ts'
import { type Agent, type AgentFolder, folderWith } from './folder.ts'

/** Sorts out the files of an agent, once; undefined for agent.yaml alone. */
export const folderOf = (agent: Agent): AgentFolder | undefined => folderWith(agent, read, parseText)
