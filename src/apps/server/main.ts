import { enableCompileCache } from 'node:module'

// From the second start on nothing is stripped of its types again: that took time, and 20 MB for as long as it ran.
enableCompileCache()
const { serverRoutes } = await import('./routes.ts')
const { run } = await import('./run.ts')

await run({ routes: serverRoutes })
