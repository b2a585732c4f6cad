// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

// Elements are made one by one: there is no HTML text on this page.

export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (name === 'class') element.className = value
    else element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false))
  return element
}

const paths = {
  add: 'M10 4v12M4 10h12', notes: 'M5 3.5h10v13H5zM7.5 7h5M7.5 10h5M7.5 13h3',
  draft: 'M4 16l1-4 8.5-8.5 3 3L8 15zM11.5 5.5l3 3', archive: 'M3.5 4h13v3.5h-13zM5 7.5V16h10V7.5M8 10.5h4',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.7 10.5h7.6L14.5 6M8.5 9v5M11.5 9v5', gear: 'M4 6h7M15 6h1M4 14h1M9 14h7M13 4v4M7 12v4',
  lock: 'M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9', open: 'M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 5.800-1',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l3.5 3.5',
  pin: 'M7.5 3.5h5l-.5 5 2 2.5H6l2-2.5zM10 11v5.5', clip: 'M14.5 8.5l-5.5 5.5a2.800 2.800 0 0 1-4-4l6.5-6.5a2 2 0 0 1 3 3L8.5 12.5',
  sketch: 'M3.5 15.5c2-8 3.5-10 5-10s0 7 2 7 1.5-4 3-4 1 3 3 3', mic: 'M10 12.5a2.5 2.5 0 0 0 2.5-2.5V5.5a2.5 2.5 0 0 0-5 0V10a2.5 2.5 0 0 0 2.5 2.5zM5.5 10a4.5 4.5 0 0 0 9 0M10 14.5V17',
  camera: 'M3.5 6.5h3L8 4.5h4l1.5 2h3V15.5h-13zM10 13.5a2.700 2.700 0 1 0 0-5.400 2.700 2.700 0 0 0 0 5.400z',
  share: 'M10 12V4M7 6.5L10 3.5l3 3M6 9.5H4.5v7h11v-7H14', more: 'M4 10a.6.6 0 1 0 1.2 0 .6.6 0 0 0-1.2 0M9.4 10a.6.6 0 1 0 1.2 0 .6.6 0 0 0-1.2 0M14.8 10a.6.6 0 1 0 1.2 0 .6.6 0 0 0-1.2 0',
  history: 'M4 10a6 6 0 1 0 2-4.5L4 7.5M4 4v3.5h3.5M10 7v3.5l2 1.5', back: 'M12 4.5L6.5 10l5.5 5.5', close: 'M5 5l10 10M15 5L5 15',
  fork: 'M6 4v9M6 16.5a1.700 1.700 0 1 0 0-3.400 1.700 1.700 0 0 0 0 3.400zM14 7.5a1.700 1.700 0 1 0 0-3.400 1.700 1.700 0 0 0 0 3.400zM14 7.5c0 3-4 3-6.5 5.5',
  undo: 'M7 5L3.5 8.5 7 12M4 8.5h8a4 4 0 0 1 0 8h-3', redo: 'M13 5l3.5 3.5L13 12M16 8.5H8a4 4 0 0 0 0 8h3',
  eraser: 'M8 16.5L3.5 12 11 4.5l5.5 5.5-6.5 6.5zM7 8.5l5.5 5.5', check: 'M4.5 10.5l4 4 7-8', file: 'M6 3h6l3 3v11H6zM12 3v3h3',
  book: 'M10 5.5C8.500 4.200 6 4 3.500 4v11c2.500 0 5 .2 6.500 1.500 1.500-1.300 4-1.500 6.500-1.500V4c-2.500 0-5 .2-6.500 1.500zM10 5.500v11', grip: 'M7.500 5.500v.01M12.500 5.500v.01M7.500 10v.01M12.500 10v.01M7.500 14.500v.01M12.500 14.500v.01',
  rule: 'M3.5 6h13M3.5 10h13M3.5 14h13', cloud: 'M6 15.5a3.5 3.5 0 0 1 0-7 4.5 4.5 0 0 1 8.5 1.5 2.800 2.800 0 0 1 0 5.5z',
}

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 20 20')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', paths[name])
  svg.append(path)
  return svg
}

export function button(name, label, onclick, attributes = {}) {
  return el('button', { type: 'button', class: 'tool', title: label, 'aria-label': label, onclick, ...attributes }, icon(name))
}

// Builds a rendered text. `made(kind, value, label)` makes what refers to other things: attachments and notes.
const tags = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ol', 'ul', 'li', 'em', 'strong', 'del', 'a', 'img',
  'table', 'tr', 'th', 'td', 'aside', 'code', 'pre', 'br', 'hr', 'sup'])

export function rendered(nodes, made) {
  const part = document.createDocumentFragment()
  for (const node of nodes) part.append(...one(node, made))
  return part
}

function one(node, made) {
  if (typeof node === 'string') return text(node, made)
  const [tag, children, attributes = {}] = node
  if (!tags.has(tag)) return children.flatMap(child => one(child, made))
  if (attributes.att !== undefined) return [made(tag === 'img' ? 'picture' : 'file', attributes.att, plain(children))]
  if (attributes.note !== undefined) return [made('address', attributes.note, plain(children))]
  const element = document.createElement(tag === 'aside' ? 'div' : tag)
  if (tag === 'a' && attributes.href) {
    element.href = attributes.href
    element.target = '_blank'
    element.rel = 'noopener noreferrer'
  }
  if (attributes.start !== undefined) element.start = attributes.start
  if (attributes.checked !== undefined) {
    element.className = 'task'
    const box = el('input', { type: 'checkbox', disabled: true, 'aria-label': attributes.checked ? 'done' : 'to do' })
    box.checked = attributes.checked
    element.append(box)
  }
  if (tag === 'table') element.className = 'table'
  const isCode = tag === 'code' || tag === 'pre'
  for (const child of children) {
    if (isCode) element.append(typeof child === 'string' ? child : '')
    else element.append(...one(child, made))
  }
  return [element]
}

const plain = nodes => nodes.map(node => typeof node === 'string' ? node : plain(node[1])).join('')

// [[A title]] leads to a note.
function text(words, made) {
  const parts = []
  let at = 0
  for (const match of words.matchAll(/\[\[([^[\]\n]{1,300})\]\]/g)) {
    if (match.index > at) parts.push(words.slice(at, match.index))
    const [target, label] = match[1].split('|')
    parts.push(made('note', target, label ?? target))
    at = match.index + match[0].length
  }
  if (at < words.length) parts.push(words.slice(at))
  return parts
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const year = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

export function when(text) {
  const date = new Date(text), now = new Date()
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 86400000)
  if (days === 0) return clock.format(date)
  if (days === 1) return 'Yesterday'
  return (date.getFullYear() === now.getFullYear() ? day : year).format(date)
}

export const whole = text => `${year.format(new Date(text))}, ${clock.format(new Date(text))}`

export function size(count) {
  for (const [unit, name] of [[1 << 30, 'GB'], [1 << 20, 'MB'], [1 << 10, 'KB']]) {
    if (count >= unit) return `${(count / unit).toFixed(count / unit < 10 ? 1 : 0)} ${name}`
  }
  return `${count} bytes`
}

let hiding
export function say(words, isBad = false) {
  const status = document.getElementById('status')
  status.textContent = words
  status.classList.toggle('bad', isBad)
  status.classList.add('shown')
  clearTimeout(hiding)
  // A failure does not fade by itself.
  if (!isBad) hiding = setTimeout(() => status.classList.remove('shown'), 4000)
  else status.onclick = () => status.classList.remove('shown')
}

export function fail(failure) {
  if (failure.isVault || failure.status === 0 || failure.status === 401) return
  say(failure.message + (failure.hint ? ` — ${failure.hint}` : ''), true)
}
