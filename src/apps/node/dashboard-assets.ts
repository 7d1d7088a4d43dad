import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Assets } from '../../dashboard/assets.ts'

/** The files of the pages. `scripts/pack` puts their text in the place of this module. */
export function dashboardAssets(): Assets {
  return {
    'sluice.css': own('sluice.css'),
    'sluice.js': own('sluice.js'),
    'icon.svg': own('icon.svg'),
    'uplot.js': file(import.meta.resolve('uplot/dist/uPlot.iife.min.js')),
    'uplot.css': file(import.meta.resolve('uplot/dist/uPlot.min.css')),
  }
}

const file = (url: string) => readFileSync(fileURLToPath(url), 'utf8')
const own = (name: string) => file(new URL(`../../dashboard/assets/${name}`, import.meta.url).href)
