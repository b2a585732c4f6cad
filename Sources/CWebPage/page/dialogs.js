// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { button, el } from './dom.js'

// A dialog over the page. What is behind it can neither be seen by a screen reader nor be reached by a key.
export function dialog(title, content, { wide = false } = {}) {
  const before = document.activeElement
  const app = document.getElementById('app')
  const box = el('div', { class: wide ? 'box wide' : 'box', role: 'dialog', 'aria-modal': 'true', 'aria-label': title })
  const veil = el('div', { class: 'veil', onclick: event => { if (event.target === veil) close() } }, box)
  function close() {
    veil.remove()
    if (!document.getElementById('layer').hasChildNodes()) app.inert = false
    before?.focus?.()
    done()
  }
  let done
  const closed = new Promise(resolve => { done = resolve })
  box.append(el('header', {}, el('h2', {}, title), button('close', 'Close', close)), content)
  box.addEventListener('keydown', event => {
    if (event.key === 'Escape') { event.stopPropagation(); close() }
  })
  app.inert = true
  document.getElementById('layer').append(veil)
  const first = box.querySelector('[autofocus]') ?? box.querySelector('header button')
  first.focus()
  return { close, closed, box }
}

export const isOpen = () => document.getElementById('layer').hasChildNodes()

// Asks for a text, such as a password. What is typed is remembered nowhere.
export function prompt(title, { label, action = 'OK', isPassword = false, value = '', help = '', repeat = false }) {
  return new Promise(resolve => {
    const field = text => el('input', {
      type: isPassword ? 'password' : 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', required: true,
      'aria-label': text, placeholder: text,
    })
    const input = field(label)
    input.setAttribute('autofocus', '')
    input.value = value
    const again = repeat ? field('Repeat it') : null
    const trouble = el('p', { class: 'trouble', role: 'alert' })
    let answer = null
    const form = el('form', {
      class: 'stack', autocomplete: 'off',
      onsubmit: event => {
        event.preventDefault()
        if (again && again.value !== input.value) { trouble.textContent = 'The passwords do not match.'; return }
        answer = input.value
        input.value = ''
        if (again) again.value = ''
        shown.close()
      },
    }, help && el('p', { class: 'soft' }, help), input, again, trouble, el('button', { class: 'main' }, action))
    const shown = dialog(title, form)
    shown.closed.then(() => resolve(answer))
  })
}

export function confirm(title, words, action) {
  return new Promise(resolve => {
    let answer = false
    const shown = dialog(title, el('div', { class: 'stack' }, el('p', {}, words),
      el('button', { class: 'main', autofocus: true, onclick: () => { answer = true; shown.close() } }, action)))
    shown.closed.then(() => resolve(answer))
  })
}

// A list of things that can be done, below the button that opened it.
export function menu(anchor, entries) {
  document.querySelector('.menu')?.remove()
  const items = entries.filter(Boolean).map(([label, act]) =>
    el('button', { type: 'button', onclick: () => { end(); act() } }, label))
  const box = el('div', { class: 'menu' }, items)
  const rect = anchor.getBoundingClientRect()
  box.style.top = `${rect.bottom + 6}px`
  box.style.right = `${Math.max(8, innerWidth - rect.right)}px`
  function end() {
    box.remove()
    removeEventListener('pointerdown', outside, true)
    anchor.focus()
  }
  const outside = event => { if (!box.contains(event.target)) end() }
  box.addEventListener('keydown', event => {
    const at = items.indexOf(document.activeElement)
    if (event.key === 'Escape') { event.stopPropagation(); end() }
    if (event.key === 'ArrowDown') items[(at + 1) % items.length].focus()
    if (event.key === 'ArrowUp') items[(at + items.length - 1) % items.length].focus()
  })
  addEventListener('pointerdown', outside, true)
  document.body.append(box)
  items[0]?.focus()
}
