import { translator } from '../phrases.ts'
import { ALERT_PHRASES } from './alerts.ts'
import { DOCTOR_PHRASES } from './doctor.ts'
import { DOCTOR_MACHINE_PHRASES } from './doctor-machine.ts'
import { DOCTOR_SITEMAP_PHRASES } from './doctor-sitemap.ts'
import { ENGINE_PHRASES } from './engines.ts'
import { REQUEST_PHRASES } from './requests.ts'
import { ROUTE_PHRASES } from './routes.ts'
import { RUN_PHRASES } from './runs.ts'
import { SITE_PHRASES } from './sites.ts'
import { SITEMAP_PHRASES } from './sitemaps.ts'

export const ZH_PHRASES = [
  ...REQUEST_PHRASES,
  ...SITEMAP_PHRASES,
  ...ENGINE_PHRASES,
  ...RUN_PHRASES,
  ...ALERT_PHRASES,
  ...SITE_PHRASES,
  ...DOCTOR_PHRASES,
  ...DOCTOR_MACHINE_PHRASES,
  ...DOCTOR_SITEMAP_PHRASES,
  ...ROUTE_PHRASES,
]

export const inChinese = translator(ZH_PHRASES, '、')
