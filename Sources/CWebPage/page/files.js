// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { el, fail } from './dom.js'
import { wire } from './wire.js'

// Files of notes on the page. Where no cookie keeps the session (`vault web --host`), an element cannot ask for a file by
// itself: the page asks for all of it, and holds it in memory while it is shown.

const held = new Set()
let turn = 0

async function fetched(path) {
  const mine = turn, bytes = await wire.get(path)
  // The note was left, or the vault locked, while it came.
  if (mine !== turn) throw new Error('it is no longer shown')
  const address = URL.createObjectURL(bytes)
  held.add(address)
  return address
}

// Lets all of it go: another note is shown, or none.
export function forget() {
  turn++
  for (const address of held) URL.revokeObjectURL(address)
  held.clear()
}

// A picture; another one where it cannot be shown.
export function picture(path, attributes, other = null) {
  const shown = el('img', attributes)
  const show = async one => {
    const mine = turn
    try { shown.src = wire.hasCookie ? one : await fetched(one) } catch { if (mine === turn) shown.dispatchEvent(new Event('error')) }
  }
  if (other) shown.addEventListener('error', () => show(other), { once: true })
  show(path)
  return shown
}

// A recording or a film.
export function media(tag, path, label) {
  if (wire.hasCookie) return el(tag, { src: path, controls: true, preload: 'none' })
  const place = el('div', {}, el('button', {
    type: 'button', onclick: async event => {
      const mine = turn
      event.target.disabled = true
      try { place.replaceChildren(el(tag, { src: await fetched(path), controls: true, autoplay: true })) } catch (failure) {
        event.target.disabled = false
        if (mine === turn) fail(failure)
      }
    },
  }, `Play ${label}`))
  return place
}

// A link that saves a file.
export function saving(path, name, label, attributes = {}) {
  return el('a', {
    ...attributes, href: path, download: name, onclick: async event => {
      if (wire.hasCookie) return
      event.preventDefault()
      const mine = turn
      try {
        const address = await fetched(path)
        el('a', { href: address, download: name }).click()
        setTimeout(() => { held.delete(address); URL.revokeObjectURL(address) }, 10_000)
      } catch (failure) { if (mine === turn) fail(failure) }
    },
  }, label)
}
