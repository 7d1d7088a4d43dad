import { WORKER_ASSETS } from './dashboard-assets.ts'
import { openWorker } from './worker.ts'

export { SiteDirectory } from './site-directory.ts'
export { SiteRunner } from './site-runner.ts'

export default openWorker(WORKER_ASSETS)
