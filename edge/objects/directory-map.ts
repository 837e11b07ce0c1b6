import type { Checkpoint } from 'blazon/runs'
import type { A2aVersion, Claim, DirectoryMapObject, Growth, HandOver, Layout } from '../contracts/directory.ts'
import { claimsOf, MOST_SHARDS, widest } from '../directory/layout.ts'
import { aboutIn, OwnCard } from '../directory/settings.ts'
import { type Env, moderation, shardStub } from '../env.ts'
import { publicOrigins } from '../http/origins.ts'
import { StoredObject } from '../platform/objects.ts'
import type { ObjectState, Serves, Sql } from '../platform/types.ts'
import { numberIn, rowsOf } from '../storage/log.ts'

/** Cards that move to another shard in one step; writes to them wait until the step is over. */
const STEP_CARDS = 256
/** The pause between steps, in which the shards answer queries, and the pause after a failed step. */
const PAUSE_MS = 10
const RETRY_MS = 1000

/** A range that is being split: `from` of the new shard falls to `goal`. */
type Cut = Omit<HandOver, 'limit'>

/**
 * Knows the shard of every card. Only callers without a current layout ask it, so it is rarely used. It grows the
 * directory in steps. A step freezes the topmost cards of a range, copies them, moves the boundary, and tells both
 * shards. The boundary decides: whatever fails at any moment, each card has one owner, and the next alarm repeats or
 * completes the step.
 */
export class DirectoryMap extends StoredObject<Env> implements Serves<DirectoryMapObject> {
  readonly #sql: Sql
  readonly #own: OwnCard

  constructor(state: ObjectState, env: Env) {
    super(state, env)
    this.#sql = state.storage.sql
    this.#own = new OwnCard(state.storage.kv)
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS ranges (start INTEGER PRIMARY KEY, shard INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS growth (
        only INTEGER PRIMARY KEY CHECK (only = 0), version INTEGER NOT NULL, wanted INTEGER NOT NULL, cut TEXT
      );
      CREATE TABLE IF NOT EXISTS token_generations (id TEXT PRIMARY KEY, generation INTEGER NOT NULL) WITHOUT ROWID;
      INSERT OR IGNORE INTO growth VALUES (0, 1, 1, NULL);
      INSERT INTO ranges SELECT 0, 0 WHERE NOT EXISTS (SELECT * FROM ranges);
    `)
    // The alarm is already set, unless the object died between recording the goal and setting it.
    if (this.growth().moving) state.waitUntil(state.storage.setAlarm(Date.now()))
  }

  card(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#own.read(aboutIn(this.env), publicOrigins(this.env), new Date())
  }

  async a2aCard(version: A2aVersion, kid: string): Promise<Uint8Array<ArrayBuffer>> {
    return this.#own.a2a(await this.card(), version, kid)
  }

  signCheckpoint(checkpoint: Checkpoint): Promise<Uint8Array<ArrayBuffer>> {
    return this.#own.signCheckpoint(checkpoint)
  }

  identity(): Promise<{ readonly id: string; readonly jwk: JsonWebKey }> {
    return this.#own.identity()
  }

  tokenGeneration(holder: string): number {
    return numberIn(this.#sql, 'SELECT IFNULL(MAX(generation), 0) FROM token_generations WHERE id = ?', holder)
  }

  withdrawTokens(holders: readonly (readonly [holder: string, least: number])[]): void {
    for (const [holder, least] of holders) {
      this.#sql.exec(
        `INSERT INTO token_generations VALUES (?1, ?2 + 1)
          ON CONFLICT (id) DO UPDATE SET generation = MAX(generation, ?2) + 1`,
        holder,
        least,
      )
    }
  }

  layout(): Layout {
    const query = 'SELECT start AS "from", shard FROM ranges ORDER BY start'
    return { version: this.#growth().version, ranges: rowsOf(this.#sql, query) }
  }

  shards(): readonly number[] {
    const shards = this.layout().ranges.map(({ shard }) => shard)
    const cut = this.#cut()
    return [...new Set([...shards, ...(cut === null ? [] : [cut.target])])]
  }

  growth(): Growth {
    const { version, wanted } = this.#growth()
    const shards = this.layout().ranges.length
    return { shards, wanted, version, moving: this.#cut() !== null || shards < wanted }
  }

  async grow(wanted: number): Promise<Growth> {
    const { wanted: before } = this.#growth()
    const next = Math.min(Math.max(wanted, before), MOST_SHARDS)
    this.#sql.exec('UPDATE growth SET wanted = ?', next)
    await this.store.setAlarm(Date.now())
    return this.growth()
  }

  override async alarm(): Promise<void> {
    try {
      const more = await this.#step()
      if (more) await this.store.setAlarm(Date.now() + PAUSE_MS)
    } catch (error) {
      // The shard cannot be reached. Nothing is lost: the same step is repeated.
      console.error(error)
      await this.store.setAlarm(Date.now() + RETRY_MS)
    }
  }

  /** Takes one step; returns true when there are more. */
  async #step(): Promise<boolean> {
    const cut = this.#cut() ?? this.#begin()
    if (cut === null) return false
    const { source, target, goal } = cut
    const layout = this.layout()
    const taken = claimsOf(layout).find(({ shard }) => shard === target)
    if (taken?.from === goal) {
      await this.#tell(source, target)
      this.#sql.exec('UPDATE growth SET cut = NULL')
      return true
    }
    if (taken === undefined) await moderation(this.env).teach(target)
    const from = await shardStub(this.env, source).handOver(layout, { ...cut, limit: STEP_CARDS })
    this.#move(taken, from, target)
    await this.#tell(source, target)
    return true
  }

  #begin(): Cut | null {
    const layout = this.layout()
    const shards = layout.ranges.length
    if (shards >= this.#growth().wanted) return null
    const { shard: source, from, to } = widest(layout)
    const cut: Cut = { source, target: shards, goal: from + Math.floor((to - from) / 2) }
    this.#sql.exec('UPDATE growth SET cut = ?', JSON.stringify(cut))
    return cut
  }

  #move(taken: Claim | undefined, from: number, target: number): void {
    this.store.transactionSync(() => {
      if (taken !== undefined) this.#sql.exec('DELETE FROM ranges WHERE start = ?', taken.from)
      this.#sql.exec('INSERT INTO ranges VALUES (?, ?)', from, target)
      this.#sql.exec('UPDATE growth SET version = version + 1')
    })
  }

  /**
   * Tells shards about the layout, which thaws frozen cards sooner. A shard that misses it learns the layout from the
   * next query.
   */
  async #tell(...shards: readonly number[]): Promise<void> {
    const layout = this.layout()
    await Promise.all(shards.map((shard) => shardStub(this.env, shard).applyLayout(layout, shard)))
  }

  #cut(): Cut | null {
    const { cut } = this.#growth()
    return cut === null ? null : (JSON.parse(cut) as Cut)
  }

  #growth() {
    type Row = { version: number; wanted: number; cut: string | null }
    return this.#sql.exec<Row>('SELECT version, wanted, cut FROM growth').one()
  }
}
