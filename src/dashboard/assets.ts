import { openToAll } from '../http/access.ts'
import { refuse } from '../http/envelope.ts'
import type { RouteModule } from '../http/http-env.ts'

export const ASSET_TYPES = {
  'sluice.css': 'text/css; charset=utf-8',
  'sluice.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml; charset=utf-8',
  'uplot.js': 'text/javascript; charset=utf-8',
  'uplot.css': 'text/css; charset=utf-8',
} as const

export type AssetName = keyof typeof ASSET_TYPES

/** The files that pages ask for, as text. Where they come from, only the app knows: a folder, or what was bundled. */
export type Assets = Readonly<Record<AssetName, string>>

export function assetRoutes(assets: Assets): RouteModule {
  return (app) => {
    app.get('/assets/:name', openToAll(), (c) => {
      const name = c.req.param('name')
      if (!isAsset(name)) {
        return refuse(c, { code: 'NOT_FOUND', message: 'There is no such file.' })
      }
      return c.body(assets[name], 200, {
        'Content-Type': ASSET_TYPES[name],
        // The pages name the version in the address; an hour is for who runs an unreleased one.
        'Cache-Control': 'public, max-age=3600',
      })
    })
  }
}

const isAsset = (name: string): name is AssetName => Object.hasOwn(ASSET_TYPES, name)
