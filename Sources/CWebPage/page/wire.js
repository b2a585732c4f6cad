// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

// What goes between this page and its server. Everything is asked for by POST, with no address but a path.

export class Failure extends Error {
  constructor(status, told) {
    super(told?.message || (status ? `the server answered ${status}` : 'the page\'s server has ended'))
    this.status = status
    this.code = told?.code ?? 0
    this.hint = told?.hint ?? ''
    this.candidates = told?.candidates ?? []
  }
}

// Called when an answer says that the vault is locked, or that nobody serves this page any more.
export const heard = { async locked() { return true }, ended() {} }

// The session's key, where the page's address is a number (`vault web --host`): a cookie of a number would go to every
// server of this machine. It is nowhere but here, so a page that is loaded again needs a new address.
let key = null
const keyed = headers => key === null ? headers : { ...headers, 'X-Vault-Key': key }

async function ask(path, type, body, headers = {}) {
  let answer
  try {
    answer = await fetch(path, {
      method: 'POST', body, cache: 'no-store', redirect: 'error',
      headers: keyed(type ? { ...headers, 'Content-Type': type } : headers),
    })
  } catch {
    // One request that fails is no end: the server is asked whether it is there.
    if (await isThere()) throw new Failure(-1, { message: 'the request failed', hint: 'try it again' })
    heard.ended()
    throw new Failure(0)
  }
  const told = answer.headers.get('Content-Type') === 'application/json' ? await answer.json() : null
  if (answer.ok && told && !told.error) return told
  const failure = new Failure(answer.status, told?.error)
  // A note that is locked is answered in the same way as a vault that is.
  if (answer.status === 423) failure.isVault = await heard.locked()
  if (answer.status === 401) heard.ended()
  throw failure
}

async function isThere() {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const answer = await fetch('/api/status', { method: 'POST', body: 'unattended=1', headers: keyed({ 'Content-Type': 'application/vnd.notevault.fields' }) })
      return answer.status !== 401
    } catch { await new Promise(resolve => setTimeout(resolve, 300)) }
  }
  return false
}

export const wire = {
  // Fields: names with a text, a number, true, or a list of these; null and false are left out.
  ask(path, fields = {}) {
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(fields)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one === null || one === undefined || one === false) continue
        form.append(name, one === true ? '1' : String(one))
      }
    }
    return ask(path, 'application/vnd.notevault.fields', form.toString())
  },
  order: path => ask(path, null, null),
  // Begins the session with a token.
  async open(token) { key = (await ask('/session', 'application/octet-stream', token)).key ?? null },
  // Whether what elements ask for by themselves is answered.
  get hasCookie() { return key === null },
  // Fields of a request that is made elsewhere.
  keyed,
  get: path => file(path, 'GET'),
  // An answer that is a file.
  blob: path => file(path, 'POST'),
  bytes: (path, bytes, headers) => ask(path, 'application/octet-stream', bytes, headers),
  file: (path, blob, name) => ask(path, 'application/octet-stream', blob, { 'X-Name': encodeURIComponent(name) }),
}

async function file(path, method) {
  const answer = await fetch(path, { method, cache: 'no-store', redirect: 'error', headers: keyed({}) })
  if (answer.ok && answer.headers.get('Content-Type') !== 'application/json') return answer.blob()
  if (answer.status === 423) await heard.locked()
  if (answer.status === 401) heard.ended()
  throw new Failure(answer.status, (await answer.json().catch(() => null))?.error)
}

// Changes of notes as they come; begins again by itself while the vault is open.
export function follow(changed, locked) {
  const hear = { changed: data => changed(JSON.parse(data)), locked: () => { source.close(); locked() } }
  const source = key === null ? new EventSource('/events') : new Stream()
  for (const name in hear) source.addEventListener(name, event => hear[name](event.data))
  source.addEventListener('error', async () => {
    if (source.readyState !== EventSource.CLOSED && await isThere()) return
    source.close()
    heard.ended()
  })
  return source
}

// What an `EventSource` is, with a field: that one can send none.
class Stream extends EventTarget {
  constructor() {
    super()
    this.readyState = EventSource.CONNECTING
    this.ending = new AbortController()
    this.run()
  }

  async run() {
    while (this.readyState !== EventSource.CLOSED) {
      try {
        const answer = await fetch('/events', { cache: 'no-store', redirect: 'error', headers: keyed({}), signal: this.ending.signal })
        if (!answer.ok) throw new Error('not answered')
        await this.read(answer.body.pipeThrough(new TextDecoderStream()).getReader())
      } catch { /* It is begun again, or somebody closed it. */ }
      if (this.readyState === EventSource.CLOSED) return
      this.dispatchEvent(new Event('error'))
      await new Promise(resolve => setTimeout(resolve, 1000))
    }
  }

  async read(reader) {
    let text = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const events = (text + value).split('\n\n')
      text = events.pop()
      for (const event of events) {
        const fields = Object.fromEntries(event.split('\n').filter(line => !line.startsWith(':')).map(line => line.split(/: ?(.*)/s, 2)))
        if (fields.event) this.dispatchEvent(new MessageEvent(fields.event, { data: fields.data }))
      }
    }
  }

  close() {
    this.readyState = EventSource.CLOSED
    this.ending.abort()
  }
}
