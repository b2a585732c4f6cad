// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { addBook } from './addbook.js'
import { showDetail } from './bookdetail.js'
import { counted, cover, shelves, stars } from './bookparts.js'
import { el, fail, icon } from './dom.js'
import { wire } from './wire.js'

// All books on their three shelves. What is shown of them is in the vault: no service is asked.
const empty = { reading: 'You are reading no book.', wishlist: 'Your wishlist is empty.', archived: 'No book is archived.' }
const firstCount = 60, countMax = 1000

export class Books {
  constructor(app) {
    this.app = app
    this.turn = 0
    this.query = ''
    this.search = el('input', {
      type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: 'Search books', 'aria-label': 'Search books',
      oninput: () => this.typed(), onkeydown: event => this.searchKey(event),
    })
    this.found = el('p', { class: 'unseen', role: 'status' })
    this.shelves = shelves.map(([name, title]) => new Shelf(this, name, title))
    this.root = el('section', { class: 'books', 'aria-label': 'Books' },
      el('header', {}, el('h1', {}, 'Books'), el('label', { class: 'search' }, icon('search'), this.search, el('kbd', {}, '/')),
        el('button', { type: 'button', class: 'main', onclick: () => addBook(app) }, 'Add a book')),
      this.found, this.shelves.map(shelf => shelf.root))
  }

  open(id) { return showDetail(this.app, id) }

  // Asks for all shelves again; what is shown stays until the answers are here.
  async reload(unattended = false) {
    const turn = ++this.turn
    try {
      const all = await Promise.all(this.shelves.map(shelf => shelf.fetch(this.query, unattended)))
      if (turn !== this.turn) return
      const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.id : null
      this.shelves.forEach((shelf, at) => shelf.draw(all[at], this.query))
      if (focused && !this.root.contains(document.activeElement)) this.root.querySelector(`[data-id="${focused}"]`)?.focus({ preventScroll: true })
      const total = this.shelves.reduce((sum, shelf) => sum + shelf.total, 0)
      this.found.textContent = this.query ? `${counted(total, 'book')} found` : ''
    } catch (failure) { fail(failure) }
  }

  typed() {
    clearTimeout(this.typing)
    this.typing = setTimeout(() => this.look(), 80)
  }

  look() {
    this.query = this.search.value.trim()
    return this.reload()
  }

  async searchKey(event) {
    if (event.key === 'Escape') { this.search.value = ''; this.search.blur(); return this.look() }
    if (event.key === 'ArrowDown') { event.preventDefault(); this.root.querySelector('.card')?.focus() }
    if (event.key !== 'Enter') return
    clearTimeout(this.typing)
    await this.look()
    const first = this.root.querySelector('.card')
    first?.focus()
    if (this.query && first) this.open(first.dataset.id)
  }
}

class Shelf {
  constructor(books, name, title) {
    Object.assign(this, { books, name, total: 0, limit: firstCount })
    this.count = el('span', { class: 'soft' })
    this.list = el('ul', { class: 'cards' })
    this.nothing = el('p', { class: 'soft' })
    this.more = el('button', { type: 'button', class: 'link', hidden: true, onclick: () => this.showMore() }, 'Show more')
    this.root = el('section', { class: 'shelf', 'data-shelf': name, 'aria-labelledby': `shelf-${name}` },
      el('h2', { id: `shelf-${name}` }, title, ' ', this.count), this.list, this.nothing, this.more)
  }

  fetch(words, unattended) { return wire.ask('/api/books', { shelf: this.name, words, limit: this.limit, unattended }) }

  draw(answer, query) {
    this.total = answer.counts[this.name]
    this.count.textContent = this.total.toLocaleString()
    this.list.replaceChildren(...answer.books.map(book => this.card(book)))
    this.list.hidden = answer.books.length === 0
    this.nothing.hidden = answer.books.length > 0 && (!answer.more || this.limit < countMax)
    this.nothing.textContent = answer.books.length > 0 ? 'Search to find the others.' : query ? 'Nothing matches.' : empty[this.name]
    this.more.hidden = !answer.more || this.limit >= countMax
    this.more.setAttribute('aria-label', `Show more of ${this.name}`)
  }

  showMore() {
    this.limit = Math.min(countMax, this.limit * 3)
    return this.books.reload()
  }

  card(book) {
    const isRead = book.shelf === 'reading' && book.percent > 0
    const facts = [isRead && `${book.percent}%`, stars(book.rating), book.notes > 0 && counted(book.notes, 'note')].filter(Boolean)
    const bar = el('progress', { max: 100, value: book.percent, 'aria-hidden': 'true' })
    return el('li', {}, el('button', { type: 'button', class: 'card', 'data-id': book.id, onclick: () => this.books.open(book.id) },
      cover(book), el('span', { class: 'title', dir: 'auto' }, book.title), el('span', { class: 'soft', dir: 'auto' }, book.authors.join(', ')),
      isRead && bar, facts.length > 0 && el('span', { class: 'soft' }, facts.join(' · '))))
  }
}
