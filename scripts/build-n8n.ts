/** `npm run build:n8n`: writes n8n/workflows from scripts/n8n, where they are easier to read and to change. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workflowFiles } from './n8n/all-workflows.ts'

const FOLDER = 'n8n/workflows'

mkdirSync(FOLDER, { recursive: true })
const files = workflowFiles()
for (const name of readdirSync(FOLDER)) if (!files.has(name)) rmSync(join(FOLDER, name))
for (const [name, text] of files) writeFileSync(join(FOLDER, name), text)
console.log(`${files.size} workflows in ${FOLDER}`)
