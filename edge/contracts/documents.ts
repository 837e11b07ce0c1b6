// The object with everything that agents publish here: definitions, metadata, hosts and invitations.

/** The documents that an agent publishes, by their file names. */
export type PartName = 'adl.json' | 'agent.json' | 'capabilities.json'

/** Bytes as they were published or generated: signed documents must be served unchanged. */
export interface Part {
  readonly bytes: ArrayBuffer
  readonly etag: string
}

/** A published agent definition as it is stored. */
export interface PublishedDefinition extends Part {
  /** The media type, with the profiles in its parameter. */
  readonly type: string
  /** Its entry in the discovery document, as JSON. */
  readonly entry: string
}

export type NamedPart = { readonly part: PartName } & (Part | PublishedDefinition)

/** A definition, and whether its agent is private. */
export interface StoredDefinition {
  readonly published: PublishedDefinition | null
  readonly isPrivate: boolean
}

/** The members of an agent's metadata that this server reads. The metadata was valid when it was stored. */
export interface Metadata {
  readonly identity: {
    readonly id: string
    readonly domain: string
    readonly name: string
    readonly publicKey: { readonly fingerprint: string; readonly full?: string }
  }
  readonly endpoints: Readonly<Record<string, unknown>>
  readonly capabilities: readonly Readonly<Record<string, unknown>>[]
  readonly security?: { readonly authMethods?: readonly string[] }
  readonly availability?: { readonly status?: unknown }
}

/** The condition of a write (RFC 9110 section 13.1). */
export interface Condition {
  /** The stored document must have one of these ETags; `*` means that there must be a document. */
  readonly match?: readonly string[]
  /** `true`: there must not be a document. */
  readonly absent?: boolean
  /** `true`: a definition may have other content than the stored one of the same version. */
  readonly mayReplace?: boolean
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

export type Written = 'created' | 'replaced' | 'unchanged' | 'condition-failed' | 'same-version' | 'full'
export type Removal = 'removed' | 'absent' | 'condition-failed'
export type Placement = 'placed' | 'taken' | 'full'

/** The name and discovery entry of every public definition, by name, and the names of private agents. */
export interface DefinitionList {
  readonly entries: readonly { readonly name: string; readonly entry: string }[]
  readonly hidden: readonly string[]
}

export interface DocumentsObject {
  read(name: string): Promise<StoredDefinition>
  list(): Promise<DefinitionList>
  /** Writes parts together, so that they always match. The condition is about the first. */
  write(name: string, parts: readonly NamedPart[], condition: Condition): Promise<Written>
  remove(name: string, parts: readonly PartName[], condition: Condition): Promise<Removal>
  agentOn(host: string): Promise<AgentOn | null>
  agentRow(name: string): Promise<AgentRow | null>
  agentRows(after: string, limit: number, isPrivateToo: boolean): Promise<readonly AgentRow[]>
  placeAgent(row: AgentRow): Promise<Placement>
  /** Returns false when nothing was stored for the agent. */
  forgetAgent(name: string): Promise<boolean>
  identity(name: string): Promise<Identity>
  /** Returns false when the agent has too many invitations. */
  invite(name: string, digest: string, row: InvitationRow): Promise<boolean>
  invitations(name: string): Promise<readonly InvitationRow[]>
  /**
   * Uses a code once; a null name accepts the code of any agent. Codes are stored as hashes. Returns null for a code that
   * is unknown, expired or used up, without telling which.
   */
  redeem(name: string | null, digest: string): Promise<Redemption | null>
  revokeInvitation(name: string, id: string): Promise<void>
}
