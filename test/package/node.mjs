// A program that uses the installed package in Node.
import { canonicalize, DocumentError, initSync, sign, verify } from 'blazon'
import { compilePatterns, compileTemplate, formatNumber, DocumentError as SameError } from 'blazon/core'
import { DocumentError as AlsoSame } from 'blazon/document'
import { generateKey } from 'blazon/keys'
import { guardedFetch } from 'blazon/node'

initSync()
const results = {
  canonical: new TextDecoder().decode(canonicalize('{"b":1.0,"a":2}')),
  matches: compilePatterns('path', ['/data/**']).test('/data/a/b'),
  rendered: compileTemplate('Hello {{name}}').render({ name: 'Ada' }),
  number: formatNumber(1e21),
  oneError: DocumentError === SameError && DocumentError === AlsoSame,
}
try {
  canonicalize('[1,]')
} catch (error) {
  results.refused = error instanceof DocumentError && error.diagnostics[0].source.offset
}
for (const algorithm of ['Ed25519', 'Ed448']) {
  const { bytes } = await sign('{}', await generateKey(algorithm), { embedKey: true, force: true })
  results[algorithm] = (await verify(bytes)).verdict
}
results.guard = await guardedFetch()('https://169.254.169.254/latest').catch(({ reason }) => reason)
console.log(JSON.stringify(results))
