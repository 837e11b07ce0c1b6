/**
 * The bindings that the page needs at its start. They are a script of their own (scripts/page.mjs), so it stays in the
 * browser's cache when only the page changes. Other bindings are loaded with the modules that use them.
 */

export { compile, grants } from '../bindings/adl/policy.ts'
export { renderPrompt } from '../bindings/adl/prompt.ts'
export { newDefinition, TEMPLATES } from '../bindings/adl/templates.ts'
export { CHECKED } from '../bindings/all-specifications.ts'
export { compileTemplate } from '../bindings/core/template.ts'
export { firstDifference } from '../bindings/document/difference.ts'
export { applyEdits } from '../bindings/document/edit.ts'
export { DocumentError } from '../bindings/document/finding.ts'
export { formatJson } from '../bindings/document/fmt.ts'
export { kindOfMembers } from '../bindings/frame/detect.ts'
export { glanceYaml } from '../bindings/frame/open.ts'
export { formatPointer, parsePointer } from '../bindings/text/members.ts'
export { holdsPrivateKey } from '../bindings/text/private-keys.ts'
export { verify } from '../bindings/verify.ts'
export { examine } from './examine.ts'
export { findRule } from './find-rule.ts'
