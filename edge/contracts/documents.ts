// The object with everything that agents publish here: definitions, metadata, hosts and invitations.
import type { Condition } from '../http/published.ts'

/** A published agent definition as it is stored. */
export interface PublishedDefinition {
  readonly name: string
  /** The bytes as they were published: signed documents must be served unchanged. */
  readonly bytes: ArrayBuffer
  readonly etag: string
  /** The media type, with the profiles in its parameter. */
  readonly type: string
  /** Milliseconds since 1970. */
  readonly updated: number
  /** Its entry in the discovery document, as JSON. */
  readonly entry: string
}

/** A definition, and whether its agent is private. */
export interface StoredDefinition {
  readonly published: PublishedDefinition | null
  readonly isPrivate: boolean
}

/** Bytes as they were published or generated. */
export interface Part {
  readonly bytes: ArrayBuffer
  readonly etag: string
}

/** A row of the operator's table. */
export interface AgentRow {
  readonly name: string
  readonly host: string | null
  readonly isPrivate: boolean
}

/** Everything that one read of an agent needs. */
export interface Identity {
  readonly host: string | null
  readonly isPrivate: boolean
  readonly metadata: Part | null
  readonly capabilities: Part | null
}

/** The agent of a host. */
export interface AgentOn {
  readonly agent: string
  /** Absent if it has not been read yet. */
  readonly identity?: Identity
}

/** An invitation as it is listed. Its id reveals nothing about its code. */
export interface InvitationRow {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly expires: number
  /** How many times it may still be redeemed. */
  readonly uses: number
}

/** A redeemed invitation, for which a token is issued. */
export interface Redemption {
  readonly name: string
  readonly id: string
  readonly expires: number
}

export type Written = 'created' | 'replaced' | 'unchanged' | 'condition-failed' | 'full'
export type Removed = 'removed' | 'absent' | 'condition-failed'
export type Placement = 'placed' | 'taken' | 'full'

/** The name and discovery entry of every public definition, by name, and the names of private agents. */
export interface Listed {
  readonly entries: readonly Pick<PublishedDefinition, 'name' | 'entry'>[]
  readonly hidden: readonly string[]
}

export interface DocumentsObject {
  read(name: string): Promise<StoredDefinition>
  list(): Promise<Listed>
  write(document: PublishedDefinition, condition: Condition): Promise<Written>
  remove(name: string, condition: Condition): Promise<Removed>
  agentOn(host: string): Promise<AgentOn | null>
  agentRow(name: string): Promise<AgentRow | null>
  agentRows(after: string, limit: number, isPrivateToo: boolean): Promise<readonly AgentRow[]>
  placeAgent(row: AgentRow): Promise<Placement>
  /** Returns false when nothing was stored for the agent. */
  forgetAgent(name: string): Promise<boolean>
  identity(name: string): Promise<Identity>
  writeIdentity(name: string, metadata: Part, capabilities: Part, condition: Condition): Promise<Written>
  removeIdentity(name: string, condition: Condition): Promise<Removed>
  /** Returns false when the agent has too many invitations. */
  invite(name: string, digest: string, row: InvitationRow): Promise<boolean>
  invitations(name: string): Promise<readonly InvitationRow[]>
  redeem(name: string | null, digest: string): Promise<Redemption | null>
  revokeInvitation(name: string, id: string): Promise<void>
}
