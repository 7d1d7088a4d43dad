import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Assets } from '../../dashboard/assets.ts'

/** The files of the pages. `scripts/pack` puts their text in the place of this module. */
export function dashboardAssets(): Assets {
  return {
    'sluice.css': own('sluice.css'),
    'sluice.js': own('sluice.js'),
    'icon.svg': own('icon.svg'),
    'uplot.js': ofPackage('uplot/dist/uPlot.iife.min.js'),
    'uplot.css': ofPackage('uplot/dist/uPlot.min.css'),
  }
}

const own = (name: string) =>
  readFileSync(new URL(`../../dashboard/assets/${name}`, import.meta.url), 'utf8')

const ofPackage = (file: string) => readFileSync(fileURLToPath(import.meta.resolve(file)), 'utf8')
