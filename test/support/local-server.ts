import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface LocalServer {
  /** `http://127.0.0.1:port`, without a slash at its end. */
  readonly origin: string
  readonly seen: readonly SeenRequest[]
  /** Connections made so far; those open now. */
  readonly connections: { readonly made: number; readonly open: number }
  /** When the next request has arrived as a whole. */
  arrival(): Promise<SeenRequest>
  /** When no connection is open any more. */
  deserted(): Promise<void>
  close(): Promise<void>
}

/** A real server on this machine that remembers what it was asked, and does to the answer what `answer` does. */
export async function localServer(answer: RequestListener): Promise<LocalServer> {
  const seen: SeenRequest[] = []
  const sockets = new Set<Socket>()
  const arrivals: ((request: SeenRequest) => void)[] = []
  const departures: (() => void)[] = []
  let made = 0
  const server = createServer((request, response) => {
    // What the other side does to a connection is part of the tests.
    response.on('error', () => undefined)
    bodyOf(request).then(
      (body) => {
        const { method = '', url = '', headers } = request
        const arrived = { method, url, headers, body }
        seen.push(arrived)
        for (const arrive of arrivals.splice(0)) arrive(arrived)
        return answer(request, response)
      },
      () => undefined,
    )
  })
  server.on('connection', (socket) => {
    made++
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) for (const depart of departures.splice(0)) depart()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    get connections() {
      return { made, open: sockets.size }
    },
    arrival: () => new Promise((arrive) => arrivals.push(arrive)),
    deserted: () =>
      new Promise((depart) => {
        if (sockets.size === 0) depart()
        else departures.push(depart)
      }),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** The same for one test, closed when that is over. */
export async function serve(answer: RequestListener): Promise<LocalServer> {
  const server = await localServer(answer)
  onTestFinished(() => server.close())
  return server
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
  return body
}
