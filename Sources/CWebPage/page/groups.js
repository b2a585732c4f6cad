// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { showDetail } from './bookdetail.js'
import { counted, cover } from './bookparts.js'
import { el } from './dom.js'
import { wire } from './wire.js'

// What a search finds besides notes: books, and how much of the vault is locked and was not searched.
const bookCountMax = 20

export class FoundGroups {
  constructor(app) {
    this.app = app
    this.turn = 0
    this.toBooks = el('button', { type: 'button', class: 'link', onclick: () => this.books.scrollIntoView({ block: 'nearest' }) })
    this.head = el('div', { class: 'line group', hidden: true }, el('h2', {}, 'Notes'), this.toBooks)
    this.rows = el('ul', { class: 'entries' })
    this.more = el('p', { class: 'soft' })
    this.books = el('section', { 'aria-label': 'Books' }, el('h2', {}, 'Books'), this.rows, this.more)
    this.locked = el('section', { 'aria-label': 'Locked' }, el('h2', {}, 'Locked'), el('p', { class: 'soft' }))
    this.root = el('div', { class: 'groups', hidden: true }, this.books, this.locked)
  }

  async look(query, unattended) {
    const turn = ++this.turn
    if (!query) { this.head.hidden = this.root.hidden = true; return }
    try {
      const [found, status] = await Promise.all([
        wire.ask('/api/books', { words: query, limit: bookCountMax, unattended }), wire.ask('/api/status', { unattended: true })])
      if (turn === this.turn) this.draw(found, status.lockedNotes ?? 0)
    } catch {
      // The notes that were found are shown all the same, and no books of another search.
      if (turn === this.turn) this.head.hidden = this.root.hidden = true
    }
  }

  draw(found, lockedCount) {
    const total = Object.values(found.counts).reduce((sum, count) => sum + count, 0)
    this.head.hidden = this.root.hidden = false
    this.toBooks.hidden = this.books.hidden = total === 0
    this.toBooks.textContent = counted(total, 'book')
    this.rows.replaceChildren(...found.books.map(book => el('li', {}, el('button', { type: 'button', class: 'foundbook', 'data-book': book.id, onclick: () => showDetail(this.app, book.id) },
      cover(book), el('span', {}, el('b', { dir: 'auto' }, book.title), el('span', { class: 'soft', dir: 'auto' }, [book.authors.join(', '), book.shelf].filter(Boolean).join(' · ')))))))
    this.more.hidden = total <= found.books.length
    this.more.textContent = `and ${(total - found.books.length).toLocaleString()} more`
    this.locked.hidden = lockedCount === 0
    this.locked.lastChild.textContent = lockedCount === 1 ? '1 private note is locked: it was not searched.' : `${lockedCount.toLocaleString()} private notes are locked: they were not searched.`
  }
}
