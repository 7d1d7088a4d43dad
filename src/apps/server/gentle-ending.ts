import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'

export interface GentleEnding {
  /** Takes no more connections, lets requests in flight finish, and cuts those that take longer than `graceMs`. */
  close(graceMs: number): Promise<void>
}

/**
 * `server.close` alone waits for connections that a client keeps open after its answer, and for those that never
 * sent a byte: both would use up the whole grace.
 */
export function gentleEnding(
  server: Server,
  { clock, log }: { clock: Clock; log: Log },
): GentleEnding {
  const connections = new Set<Socket>()
  const answers = new Set<ServerResponse>()
  let ending = false
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', (_, answer: ServerResponse) => {
    answers.add(answer)
    if (ending) answer.shouldKeepAlive = false
    answer.once('close', () => {
      answers.delete(answer)
      // Its headers may have been sent, with the promise to keep the connection, before the end began.
      if (ending) server.closeIdleConnections()
    })
  })
  return {
    async close(graceMs) {
      ending = true
      const closed = new Promise<void>((done) => server.close(() => done()))
      for (const answer of answers) answer.shouldKeepAlive = false
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
      const cancel = clock.after(graceMs, () => {
        log.warn('server.cut', `Requests still under way after ${graceMs} ms were cut off.`, {
          count: answers.size,
        })
        server.closeAllConnections()
      })
      await closed
      cancel()
    },
  }
}
