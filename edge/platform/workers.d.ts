declare module 'cloudflare:workers' {
  export abstract class DurableObject<State, Env> {
    constructor(state: State, env: Env)
    protected readonly ctx: State
    protected readonly env: Env
    alarm?(): void | Promise<void>
    fetch?(request: Request): Response | Promise<Response>
    webSocketMessage?(socket: unknown, data: string | ArrayBuffer): void | Promise<void>
    webSocketClose?(socket: unknown, code: number): void | Promise<void>
    webSocketError?(socket: unknown): void | Promise<void>
  }
  export abstract class RpcTarget {}
}
