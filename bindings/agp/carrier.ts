// Carries the messages of one conversation between its socket and its link, within limits and one after the other. The
// library and the Worker differ only in what they do with the acts of the link.
import { diagnoseNowhere } from '../document/diagnose.ts'
import type { FindingKind } from '../document/finding.ts'
import { CLOSE_CODES } from '../net/frames.ts'
import { AGP_FULL, AGP_HELLO, AGP_SHAPE } from './findings.ts'
import type { Link } from './link.ts'
import { MESSAGE_BYTES } from './message.ts'

/** Limits of messages received but not judged yet. A sender that exceeds them is disconnected. */
const MOST_WAITING = 256
const MOST_CHARACTERS = 4 * MESSAGE_BYTES
const OPEN = 1

interface TextSocket {
  readonly readyState: number
  send(text: string): void
}

type AnyLink = Pick<Link, 'state' | 'receive' | 'takeTexts' | 'leave'>

type CloseAct = Extract<Link.Act, { readonly act: 'close' }>

interface CarrierOptions<Result> {
  /** Performs an act of the link. The next message is judged afterwards. */
  perform(act: Link.Act): Promise<Result>
  /** Closes the socket at once, because a message exceeds a limit. The message is not read. */
  refuse(act: CloseAct): Result
  /** The messages of this side could not be signed. */
  fail(error: unknown): void
  /** The state of the link may have changed. */
  save?(): void
  readonly room?: Room
}

/** A limit for the characters that wait in all conversations together. */
export class Room {
  readonly #most: number
  #characters = 0

  constructor(most: number) {
    this.#most = most
  }

  has(characters: number): boolean {
    return this.#characters + characters <= this.#most
  }

  take(characters: number): void {
    this.#characters += characters
  }
}

/** @typeParam Own the link, which the Worker takes from the package. */
export class Carrier<Result, Own extends AnyLink = Link> {
  readonly link: Own
  readonly #socket: TextSocket
  readonly #options: CarrierOptions<Result>
  readonly #own = new Room(MOST_CHARACTERS)
  #waiting = 0
  /** Settles when all received messages are judged, and their acts performed. */
  judged: Promise<unknown> = Promise.resolve()
  /** Settles when all messages of this side are signed and sent. */
  sent: Promise<unknown> = Promise.resolve()

  constructor(socket: TextSocket, link: Own, options: CarrierOptions<Result>) {
    this.#socket = socket
    this.link = link
    this.#options = options
  }

  /** Judges what the socket received; returns the results of its acts. Checks limits before anything is parsed. */
  receive(data: unknown): Promise<Result[]> {
    const refusal = this.#refusalOf(data)
    if (refusal !== undefined) {
      const [code, kind, detail] = refusal
      return Promise.resolve([
        this.#options.refuse({ act: 'close', code, diagnostic: diagnoseNowhere(kind, { detail }) }),
      ])
    }
    const text = data as string
    this.#count(1, text.length)
    const judged = this.judged.then(() => this.#judge(text)).finally(() => this.#count(-1, -text.length))
    this.judged = judged.catch(() => undefined)
    return judged
  }

  /** An unverified peer may send one message, and has to wait for the answer. */
  #refusalOf(data: unknown): readonly [code: number, kind: FindingKind, detail: string] | undefined {
    if (typeof data !== 'string') return [CLOSE_CODES.notText, AGP_SHAPE, 'messages are text']
    if (data.length > MESSAGE_BYTES)
      return [CLOSE_CODES.tooLarge, AGP_SHAPE, `a message of more than ${MESSAGE_BYTES} bytes`]
    if (this.link.state.phase === 'waiting' && this.#waiting > 0)
      return [CLOSE_CODES.policy, AGP_HELLO, 'a second message before the hello was answered']
    const rooms = [this.#own, this.#options.room]
    const hasRoom = this.#waiting < MOST_WAITING && rooms.every((room) => room?.has(data.length) !== false)
    return hasRoom ? undefined : [CLOSE_CODES.later, AGP_FULL, `${this.#waiting} messages wait to be judged`]
  }

  #count(messages: 1 | -1, characters: number): void {
    this.#waiting += messages
    this.#own.take(characters)
    this.#options.room?.take(characters)
  }

  async #judge(text: string): Promise<Result[]> {
    const acts = await this.link.receive(text)
    this.#carry()
    const results: Result[] = []
    for (const act of acts) results.push(await this.#options.perform(act))
    return results
  }

  /** Lets the link say something, and sends it once it is signed. */
  say(something: (link: Own) => void): void {
    something(this.link)
    this.#carry()
  }

  /** Signs a disconnect message if the conversation is open; resolves when everything is sent. */
  leave(): Promise<unknown> {
    if (this.link.state.phase === 'open') this.say((link) => link.leave())
    return this.sent
  }

  #carry(): void {
    for (const texts of this.link.takeTexts()) {
      const sent = Promise.all([texts, this.sent]).then(([all]) => {
        // The peer may have left while its acks were stored and signed.
        if (this.#socket.readyState === OPEN) for (const text of all) this.#socket.send(text)
      })
      this.sent = sent.catch((error) => this.#options.fail(error))
    }
    this.#options.save?.()
  }
}
