// Misspelled members of an MCP server's description.
import { expect, test } from 'vitest'
import { validate } from '../../bindings/index.ts'

const PACKAGE = { registryType: 'npm', identifier: 'w', version: '1.0.0', transport: { type: 'stdio' } }

test.each<[object, string[]]>([
  [{ websiteURL: 'https://w.example' }, ['/websiteURL websiteUrl']],
  [{ website_url: 'https://w.example' }, ['/website_url websiteUrl']],
  [{ remote: [] }, ['/remote remotes']],
  [{ packages: [{ ...PACKAGE, enviromentVariables: [] }] }, ['/packages/0/enviromentVariables environmentVariables']],
  [
    { packages: [{ ...PACKAGE, environmentVariables: [{ name: 'KEY', isSecrt: true }] }] },
    ['/packages/0/environmentVariables/0/isSecrt isSecret'],
  ],
  // Members of others, and one that is written both ways.
  [{ rating: 5, capabilities: {}, websiteUrl: 'https://w.example', websiteURL: 'https://w.example' }, []],
])('of %j: %j', (members, expected) => {
  const one = { name: 'com.example/w', description: 'Tells the weather.', version: '1.0.0', packages: [PACKAGE] }
  const { diagnostics } = validate(JSON.stringify({ ...one, ...members }), { file: 'server.json' })
  const found = diagnostics.map(({ rule, source, fix }) => `${rule} ${source.pointer} ${fix?.edits?.[0]?.text}`)
  expect(found).toEqual(expected.map((line) => `misspelled-member ${line.replace(/ (.*)/, ' "$1"')}`))
})
