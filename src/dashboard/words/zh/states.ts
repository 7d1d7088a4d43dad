import type { CookieStatus } from '../../../stores/cookie-store.ts'
import type { RunStatus } from '../../../stores/run-store.ts'

/** 页面和告警说的是同一个状态。 */
export const RUN_STATES = {
  running: '运行中',
  succeeded: '成功',
  partial: '部分成功',
  failed: '失败',
  interrupted: '中断',
} as const satisfies Record<RunStatus, string>

export const COOKIE_STATES = {
  active: '可用',
  cooling: '冷却中',
  invalid: '失效',
  banned: '被封',
  disabled: '已停用',
} as const satisfies Record<CookieStatus, string>
