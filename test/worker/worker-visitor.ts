/** Somebody with a browser, without the browser: cookies are kept as one would. */
export interface WorkerVisitor {
  get(path: string): Promise<Response>
  /** Sends the form of a page, as a person would from that page. */
  send(page: string, to: string, fields?: Readonly<Record<string, string>>): Promise<Response>
}

export async function visitWorker(url: string, token: string): Promise<WorkerVisitor> {
  const cookies = new Map<string, string>()
  const ask = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', cookie, 'accept-language': 'en' }
    const response = await fetch(`${url}${path}`, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    ask(path, { method: 'POST', body: new URLSearchParams(fields) })
  await post('/login', { token })
  return {
    get: (path) => ask(path),
    async send(page, to, fields = {}) {
      const text = await (await ask(page)).text()
      const form_token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
      return post(to, { form_token, ...fields })
    },
  }
}
