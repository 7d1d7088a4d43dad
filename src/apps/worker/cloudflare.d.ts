/** What is used of the runtime: no more, so that its types and those of the web do not meet. */
declare module 'cloudflare:workers' {
  export abstract class DurableObject<Env, State> {
    protected readonly ctx: State
    protected readonly env: Env
    constructor(ctx: State, env: Env)
  }
}
