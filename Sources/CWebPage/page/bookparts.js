// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { el } from './dom.js'
import * as files from './files.js'

// What the views of books have in common.

export const shelves = [['reading', 'Reading'], ['wishlist', 'Wishlist'], ['archived', 'Archived']]

// A book's cover; its title and authors on a colour where it has none, or until it is there.
//
// `path` is the address of the picture.
export function cover(book, path = book.cover ? `/cover/${book.id}` : null) {
  const colour = [...book.title].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 6
  const box = el('span', { class: `cover colour${colour}`, 'aria-hidden': 'true' },
    el('b', { dir: 'auto' }, book.title), el('span', { dir: 'auto' }, (book.authors ?? []).join(', ')))
  if (!path) return box
  const picture = files.picture(path, { alt: '', decoding: 'async', loading: 'lazy' })
  picture.addEventListener('error', () => picture.remove())
  box.append(picture)
  return box
}

// 425 is four stars and a quarter.
export const stars = rating => rating ? '★'.repeat(Math.floor(rating / 100)) + ['', '¼', '½', '¾'][rating % 100 / 25] : ''
export const counted = (count, noun) => `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`

// Today, as this browser's calendar has it.
export function today() {
  const now = new Date(), digits = number => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${digits(now.getMonth() + 1)}-${digits(now.getDate())}`
}

// A failure in words, with what helps.
export const told = failure => failure.message + (failure.hint ? ` — ${failure.hint}` : '')
export const field = (label, input) => el('label', { class: 'named' }, el('span', {}, label), input)
export const text = (attributes = {}) => el('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', ...attributes })
