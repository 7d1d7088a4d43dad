import { z } from 'zod'
import { answer, refuse } from '../../http/envelope.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { addOperation, NO_QUERY } from '../../http/operation.ts'
import type { DoctorDeps } from '../doctor/care.ts'
import { CODES, type FindingCode } from '../doctor/codes.ts'
import { type Machine, runDoctor } from '../doctor/run-doctor.ts'
import { siteOf } from '../sealed-settings.ts'
import type { SitesOptions } from '../sites.ts'
import { siteMissing } from './site-parameter.ts'

const FINDING = z.object({
  code: z.enum(Object.keys(CODES) as FindingCode[]),
  level: z.enum(['ok', 'warning', 'error']),
  site: z.string().optional().describe('Absent where it is about the machine'),
  subject: z.string(),
  message: z.string(),
  fix: z.string().optional().describe('What to do; on everything that is not ok'),
  details: z.record(z.string(), z.unknown()).optional(),
})

const DOCTOR = {
  methods: ['get'],
  path: '/api/sites/:id/doctor',
  // It sends requests out, and tells of the machine.
  access: 'admin',
  subject: 'Sites',
  summary: 'Look for what keeps a site from being submitted; submits nothing',
  query: NO_QUERY,
  status: 200,
  answer: {
    checks: z.array(FINDING),
    summary: z.object({ ok: z.number(), warnings: z.number(), errors: z.number() }),
  },
  refusals: ['NOT_FOUND'],
} as const

export interface DoctorRoutesOptions {
  readonly sites: SitesOptions
  readonly doctor: Omit<DoctorDeps, 'signal'>
  readonly machine: Machine
}

/** The doctor (SPEC R09), for one site and the machine that runs it. */
export function doctorRoutes({ sites, doctor, machine }: DoctorRoutesOptions): RouteModule {
  return (app) => {
    addOperation(app, DOCTOR, async (c) => {
      const id = c.req.param('id') ?? ''
      const record = await sites.sites.get(id)
      if (!record) return refuse(c, siteMissing(id))
      const patient = await siteOf(record, sites.sealer, sites.defaults)
      const { signal } = c.req.raw
      const report = await runDoctor({ machine, sites: [patient] }, { ...doctor, signal })
      return answer(c, { ...report })
    })
  }
}
