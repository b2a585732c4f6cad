// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { showDetail } from './bookdetail.js'
import { field, shelves, text, told } from './bookparts.js'
import { dialog } from './dialogs.js'
import { el } from './dom.js'
import { wire } from './wire.js'

// Adds books: those that services know, or by hand. This page and its server reach no service: another program asks,
// and only once its owner has agreed to what is sent where.
export function addBook(app) { return new AddBook(app) }

const summaryMax = 280

// A summary is Markdown: here are its first words alone.
const plain = summary => summary.replace(/^#+ |\*\*|__|(?<!\\)[*_`]/gm, '').replace(/\\([!-/:-@[-`{-~])/g, '$1').replace(/\s+/g, ' ').trim()

class AddBook {
  constructor(app) {
    this.app = app
    this.words = text({ 'aria-label': 'Title, author or ISBN', placeholder: 'Title, author or ISBN', autofocus: true, required: true })
    this.go = el('button', { class: 'main' }, 'Search')
    this.state = el('p', { class: 'soft', role: 'status' })
    this.trouble = el('div', { class: 'trouble', role: 'alert' })
    this.found = el('ul', { class: 'found', 'aria-label': 'Found' })
    const search = el('form', { class: 'asking', autocomplete: 'off', onsubmit: event => { event.preventDefault(); this.search() } }, this.words, this.go)
    this.shown = dialog('Add a book', el('div', { class: 'stack' }, search, this.state, this.trouble, this.found, this.byHand()), { wide: true })
  }

  tell(...failures) { this.trouble.replaceChildren(...failures.map(failure => el('p', { dir: 'auto' }, told(failure)))) }

  // The button keeps the focus meanwhile.
  wait(isAsking) {
    this.isAsking = isAsking
    this.go.setAttribute('aria-disabled', String(isAsking))
  }

  async search() {
    const words = this.words.value.trim()
    if (!words || this.isAsking) return
    this.tell()
    this.found.replaceChildren()
    this.state.textContent = 'Asking the services…'
    this.wait(true)
    let answer
    try { answer = await wire.bytes('/api/book/search', words) } catch (failure) { this.tell(failure) }
    this.wait(false)
    this.state.textContent = ''
    if (!answer) return
    if (answer.asks) return this.askFirst(answer.asks)
    this.tell(...answer.failures)
    this.state.textContent = answer.books.length ? `${answer.books.length} found` : answer.failures.length ? '' : 'No service found such a book. You can add it by hand.'
    this.found.replaceChildren(...answer.books.map(book => this.row(book)))
  }

  // Nothing is sent before this was read and agreed to.
  askFirst(addresses) {
    const agree = el('button', { type: 'button', class: 'main', onclick: async () => {
      agree.disabled = true
      try {
        // What was shown is sent along: other addresses are shown first.
        const answer = await wire.bytes('/api/book/agree', addresses.join('\n'))
        if (answer.asks) return this.askFirst(answer.asks)
        await this.search()
        this.words.focus()
      } catch (failure) {
        agree.disabled = false
        this.tell(failure)
      }
    } }, 'Ask them, now and from now on')
    this.found.replaceChildren(el('li', { class: 'agree' },
      el('p', {}, 'A search for books sends what you search for to these services:'),
      el('ul', {}, addresses.map(address => el('li', {}, el('code', {}, address)))),
      el('p', {}, 'They learn your words and the address of this machine, the first one also books.country and the key of vault book key, if they are set; and nothing else of the vault. Covers come from books.google.com, books.googleusercontent.com, covers.openlibrary.org and archive.org. Nothing was sent yet.'), agree))
    agree.focus()
  }

  row(book) {
    const title = book.subtitle ? `${book.title}: ${book.subtitle}` : book.title
    const facts = [book.authors.join(', '), book.published.slice(0, 4), book.pages > 0 && `${book.pages.toLocaleString()} pages`].filter(Boolean)
    const letters = [...plain(book.summary)]
    const summary = letters.slice(0, summaryMax).join('') + (letters.length > summaryMax ? '…' : '')
    const buttons = el('div', { class: 'acts' })
    buttons.append(...shelves.slice(0, 2).map(([shelf, name]) => el('button', {
      type: 'button', 'aria-label': `Add to ${name}: ${title}`, onclick: event => this.add(book, shelf, name, buttons, event.currentTarget),
    }, `Add to ${name}`)))
    return el('li', {}, el('h3', { dir: 'auto' }, title), el('p', { class: 'soft', dir: 'auto' }, facts.join(' · ')),
      summary && el('p', { dir: 'auto' }, summary), buttons)
  }

  async add(book, shelf, name, buttons, pressed) {
    for (const one of buttons.children) one.disabled = true
    this.words.focus()
    this.tell()
    this.state.textContent = `Adding ${book.title}…`
    try {
      const added = await wire.bytes(`/api/book/found/${shelf}`, book.volume)
      if (added.asks) return this.askFirst(added.asks)
      if (added.message) this.tell(added)
      this.state.textContent = `${book.title} is added to ${name}.`
      const open = el('button', { type: 'button', onclick: () => { this.shown.close(); showDetail(this.app, added.id) } }, 'Show it')
      buttons.replaceChildren(el('span', { class: 'soft' }, `Added to ${name}`), open)
      open.focus()
      this.app.refresh()
    } catch (failure) {
      this.state.textContent = ''
      this.tell(failure)
      for (const one of buttons.children) one.disabled = false
      pressed.focus()
    }
  }

  // MARK: By hand

  byHand() {
    const title = text({ required: true }), author = text(), pages = text({ inputmode: 'numeric' }), isbn = text({ inputmode: 'text' })
    const shelf = el('select', {}, [...shelves].reverse().sort(([one]) => one === 'wishlist' ? -1 : 0).map(([name, label]) => el('option', { value: name }, label)))
    const trouble = el('p', { class: 'trouble', role: 'alert' })
    const form = el('form', { class: 'stack', autocomplete: 'off', onsubmit: async event => {
      event.preventDefault()
      if (form.isBusy) return
      trouble.textContent = ''
      const number = isbn.value.replace(/[\s-]/g, '').toUpperCase()
      if (number && !/^(\d{9}[\dX]|\d{13})$/.test(number)) { trouble.textContent = 'An ISBN has 10 or 13 digits.'; return isbn.focus() }
      const authors = author.value.split(';').map(one => one.trim()).filter(Boolean)
      form.isBusy = true
      try {
        const { book } = await wire.ask('/api/book/add', {
          title: title.value, author: authors.length ? authors : null, pages: pages.value.trim() || null, shelf: shelf.value,
          identifier: number ? `isbn${number.length}:${number}` : null,
        })
        this.shown.close()
        this.app.refresh()
        showDetail(this.app, book.id)
      } catch (failure) { trouble.textContent = told(failure) }
      form.isBusy = false
    } }, field('Title', title), field('Authors, with ; between', author), field('Pages', pages), field('ISBN', isbn), field('Shelf', shelf), trouble,
    el('button', { class: 'main' }, 'Add it'))
    return el('details', {}, el('summary', {}, 'Add by hand: no service is asked'), form)
  }
}
