/**
 * What the page asks of the bindings: a script of its own, loaded before the page's, so that a change of the page leaves
 * it in the browser's cache.
 */

export { grants } from '../bindings/adl/permissions/grants.ts'
export { compile } from '../bindings/adl/permissions/policy.ts'
export { renderPrompt } from '../bindings/adl/prompt.ts'
export { newDefinition, TEMPLATES } from '../bindings/adl/templates.ts'
export { isAgentUri } from '../bindings/card/agent-uri.ts'
export { newCard } from '../bindings/card/templates.ts'
export { findRule } from '../bindings/catalogue.ts'
export { convert } from '../bindings/convert/convert.ts'
export { FORMATS } from '../bindings/convert/types.ts'
export { DEFAULT_WEIGHTS } from '../bindings/core/index-query.ts'
export { compileTemplate } from '../bindings/core/template.ts'
export { createDirectory } from '../bindings/directory/create.ts'
export { createMemoryStore } from '../bindings/directory/memory-store.ts'
export { firstDifference } from '../bindings/document/difference.ts'
export { DocumentError } from '../bindings/document/error.ts'
export { formatJson } from '../bindings/document/fmt.ts'
export { formatPointer, parsePointer } from '../bindings/document/pointer.ts'
export { formatSelftest, runSelftest } from '../bindings/selftest/index.ts'
export { verify } from '../bindings/verify.ts'
export { examine } from './examine.ts'
