import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { workflowFiles } from '../scripts/n8n/all-workflows.ts'

it('n8n/workflows is what scripts/n8n makes (npm run build:n8n writes it)', () => {
  const shipped = new Map(
    readdirSync('n8n/workflows').map((name) => [
      name,
      readFileSync(`n8n/workflows/${name}`, 'utf8'),
    ]),
  )
  expect(shipped).toEqual(workflowFiles())
})
