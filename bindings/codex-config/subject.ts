import { type Reading, RootSubject } from '../frame/subject.ts'
import { objectMember, objectsIn } from '../text/members.ts'
import { ROOT_OBJECT } from './findings.ts'

/** A configuration of Codex as rules read it. */
export class CodexSubject extends RootSubject {
  readonly workspaceWrite = objectMember(this.root, 'sandbox_workspace_write')
  readonly profiles = objectsIn(objectMember(this.root, 'profiles'))
  readonly servers = objectsIn(objectMember(this.root, 'mcp_servers'))
  readonly permissions = objectsIn(objectMember(this.root, 'permissions'))
  /** The tables that may set a mode and a policy: a profile replaces what the root has. */
  readonly holders = [this.root, ...this.profiles]
}

/** How configurations are parsed. */
export const CODEX_READING: Reading<CodexSubject> = {
  kind: 'codex-config',
  rootObject: ROOT_OBJECT,
  subject: (document) => new CodexSubject(document),
}
