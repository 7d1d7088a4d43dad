import type { IncomingMessage } from 'node:http'

const ASKED_FOR: ReadonlySet<string> = new Set(['/health', '/ready'])

/**
 * Balancers check by HTTP/1.0, which knows no Host, and HAProxy by `OPTIONS /` unless it is told better: they hear how
 * the process is, as anybody does by GET. Whatever else names no host is refused: a page of a stranger, whose name was
 * made to lead here, is told from ours by nothing else.
 */
export function admitHealthCheck(incoming: IncomingMessage): void {
  if (incoming.httpVersion !== '1.0') return
  const { method = '', url = '', headers } = incoming
  const [path = ''] = url.split('?', 1)
  const isOptions = method === 'OPTIONS' && (path === '/' || ASKED_FOR.has(path))
  const isLook = (method === 'GET' || method === 'HEAD') && ASKED_FOR.has(path)
  if (!isOptions && !isLook) return
  headers.host ??= 'localhost'
  if (!isOptions) return
  incoming.method = 'GET'
  if (path === '/') incoming.url = '/health'
}
