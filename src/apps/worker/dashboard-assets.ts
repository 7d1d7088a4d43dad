import css from '../../dashboard/assets/sluice.css'
import icon from '../../dashboard/assets/icon.svg'
import script from '../../dashboard/assets/sluice.js'
import uplotCss from 'uplot/dist/uPlot.min.css'
import uplot from 'uplot/dist/uPlot.iife.min.js'
import type { Assets } from '../../dashboard/assets.ts'

/** The files of the pages, as text: the `rules` of the wrangler configurations make them so. */
export const WORKER_ASSETS: Assets = {
  'sluice.css': css,
  'sluice.js': script,
  'icon.svg': icon,
  'uplot.js': uplot,
  'uplot.css': uplotCss,
}
