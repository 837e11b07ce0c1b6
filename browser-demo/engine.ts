/**
 * The bindings that the page needs from its start, in a script of their own (scripts/page.mjs): a change of the page
 * leaves it in the browser's cache. Bindings that are needed later come with their users.
 */

export { grants } from '../bindings/adl/permissions/grants.ts'
export { compile } from '../bindings/adl/permissions/policy.ts'
export { renderPrompt } from '../bindings/adl/prompt.ts'
export { newDefinition, TEMPLATES } from '../bindings/adl/templates.ts'
export { findRule } from '../bindings/catalogue.ts'
export { compileTemplate } from '../bindings/core/template.ts'
export { firstDifference } from '../bindings/document/difference.ts'
export { DocumentError } from '../bindings/document/error.ts'
export { formatJson } from '../bindings/document/fmt.ts'
export { formatPointer, parsePointer } from '../bindings/text/pointer.ts'
export { holdsPrivateKey } from '../bindings/text/private-keys.ts'
export { verify } from '../bindings/verify.ts'
export { examine } from './examine.ts'
