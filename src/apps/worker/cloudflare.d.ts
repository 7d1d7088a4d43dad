/** What is used of the runtime: no more, so that its types and those of the web do not meet. */
declare module 'cloudflare:workers' {
  export abstract class DurableObject<Env, State> {
    protected readonly ctx: State
    protected readonly env: Env
    constructor(ctx: State, env: Env)
  }
}

/** What the `rules` of the wrangler configurations make a text. */
declare module '*.css' {
  const text: string
  export default text
}
declare module '*.svg' {
  const text: string
  export default text
}
declare module '*/assets/sluice.js' {
  const text: string
  export default text
}
declare module 'uplot/dist/uPlot.iife.min.js' {
  const text: string
  export default text
}
