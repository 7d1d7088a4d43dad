/** What is used of the runtime: no more, so that its types and those of the web do not meet. */
declare module 'cloudflare:workers' {
  export abstract class DurableObject<Env> {
    protected readonly ctx: import('./bindings.ts').ObjectState
    protected readonly env: Env
    constructor(ctx: import('./bindings.ts').ObjectState, env: Env)
  }
}
