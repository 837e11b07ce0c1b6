import { defineCommand } from '../command.ts'
import { UsageError } from '../usage.ts'

const USAGE = 'as in blazon diff OLD NEW, or blazon diff --canonical A B'

/** `blazon diff`: the changes in meaning between two definitions, or the first difference of two canonical forms. */
export const command = defineCommand({
  usage: 'OLD NEW [--check-version] | diff --canonical A B',
  details: [
    'Lists the changes in meaning: wider or narrower grants, tools, schemas,',
    'classification, lifecycle, keys; and the version step that each needs (ADL 5.5).',
    'Exits 1 if a grant is wider. With --canonical, finds the first byte that differs',
    'in the canonical forms of any two documents, and exits 1 if there is one. For',
    'two run records, finds the first step where they part. For two AgentLang agents,',
    'exits 1 if one asks for more. One document may be -.',
  ],
  options: {
    canonical: { about: 'compare canonical forms (RFC 8785)' },
    'check-version': { about: 'exit 1 if the version step is too small' },
  },
  examples: [
    'blazon diff old.adl.json new.adl.json --check-version',
    'git show HEAD:agent.adl.json | blazon diff - agent.adl.json',
    'blazon diff --canonical mine.json theirs.json',
  ],
  async run(context) {
    const { options, positionals, reader } = context
    const [nameA, nameB, ...others] = positionals
    if (nameA === undefined || nameB === undefined || others.length > 0) {
      throw new UsageError('wrong-arguments', `diff: expected two documents, got ${positionals.length}`, USAGE)
    }
    const requirements = { anything: options.canonical, jsonByDefault: options.canonical }
    const [a, b] = [await reader.tryDocument(nameA, requirements), await reader.tryDocument(nameB, requirements)]
    if (options.canonical) {
      const { compareCanonical } = await import('../diff/canonical.ts')
      return compareCanonical(a, b, context)
    }
    if (a.kind === 'run' && b.kind === 'run') {
      const { compareRuns } = await import('../diff/runs.ts')
      return compareRuns(a, b, context)
    }
    if ([a, b].every(({ kind }) => kind === 'agentlang' || kind === 'container')) {
      const { compareAgents } = await import('../agentlang/diff.ts')
      return compareAgents(a, b, context)
    }
    const { compareMeaning } = await import('../diff/meaning.ts')
    return compareMeaning(a, b, options['check-version'], context)
  },
})
