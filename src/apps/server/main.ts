import { serverRoutes } from './routes.ts'
import { run } from './run.ts'

await run({ routes: serverRoutes })
