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

async function ask(path, type, body, headers = {}) {
  let answer
  try {
    answer = await fetch(path, {
      method: 'POST', body, cache: 'no-store', redirect: 'error',
      headers: type ? { ...headers, 'Content-Type': type } : headers,
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
      const answer = await fetch('/api/status', { method: 'POST', body: 'unattended=1', headers: { 'Content-Type': 'application/vnd.notevault.fields' } })
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
  // An answer that is a file.
  async blob(path) {
    const answer = await fetch(path, { method: 'POST', cache: 'no-store', redirect: 'error' })
    if (answer.ok && answer.headers.get('Content-Type') !== 'application/json') return answer.blob()
    if (answer.status === 423) await heard.locked()
    if (answer.status === 401) heard.ended()
    throw new Failure(answer.status, (await answer.json().catch(() => null))?.error)
  },
  bytes: (path, bytes, headers) => ask(path, 'application/octet-stream', bytes, headers),
  file: (path, blob, name) => ask(path, 'application/octet-stream', blob, { 'X-Name': encodeURIComponent(name) }),
}

// Changes of notes as they come; begins again by itself while the vault is open.
export function follow(changed, locked) {
  const source = new EventSource('/events')
  source.addEventListener('changed', event => changed(JSON.parse(event.data)))
  source.addEventListener('locked', () => { source.close(); locked() })
  source.addEventListener('error', async () => {
    if (source.readyState !== EventSource.CLOSED && await isThere()) return
    source.close()
    heard.ended()
  })
  return source
}
