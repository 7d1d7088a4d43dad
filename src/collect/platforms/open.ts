import type { Secret } from '../../core/secret.ts'
import type { Outside } from './ask-platform.ts'
import { openAuthors } from './author.ts'
import { openFeed } from './feed/feed.ts'
import { importPlatform } from './import/import.ts'
import { openPage } from './page/page.ts'
import type { Platform, PlatformName } from './platform.ts'
import { openWeibo } from './weibo/weibo.ts'
import { openXhs } from './xhs/xhs.ts'

export interface PlatformsOptions extends Outside {
  /** COLLECT_PLATFORMS */
  readonly on: readonly PlatformName[]
  /** What authors are hidden with. The same for ever: with another one, every author is somebody else. */
  readonly authorKey: Secret
  /** As requests carry it. */
  readonly userAgent: string
  readonly xhsBaseUrl: string
  readonly weiboBaseUrl: string
}

export interface Platforms {
  /** All there are, so that those which are off can be told from those which do not exist. */
  readonly all: readonly Platform[]
  /** Those that are on. */
  readonly on: readonly Platform[]
  /** Undefined where it is off. */
  get(name: string): Platform | undefined
}

export function openPlatforms(options: PlatformsOptions): Platforms {
  const { authorKey, userAgent, http, clock } = options
  const outside = { http, clock, authors: openAuthors(authorKey) }
  const isOn = ({ name }: Platform) => options.on.includes(name)
  const xhs = openXhs({ ...outside, baseUrl: options.xhsBaseUrl })
  const weibo = openWeibo({ ...outside, baseUrl: options.weiboBaseUrl })
  const all = [
    openPage({ ...outside, userAgent }),
    openFeed({ ...outside, homes: [xhs, weibo].filter(isOn) }),
    importPlatform,
    xhs,
    weibo,
  ]
  const on = all.filter(isOn)
  return { all, on, get: (name) => on.find((platform) => platform.name === name) }
}
