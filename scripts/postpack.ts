import { restoreManifest } from './pack/manifest.ts'

restoreManifest()
