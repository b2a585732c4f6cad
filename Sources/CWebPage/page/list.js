// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { el, fail, icon, when } from './dom.js'
import { FoundGroups } from './groups.js'
import { wire } from './wire.js'

// The list: as many rows in the page as can be seen, of pages of a hundred that are asked for as they come into view.
const rowHeight = 62, pageSize = 100, spare = 6

export class NoteList {
  constructor(app) {
    this.app = app
    this.place = 'live'
    this.tag = null
    this.query = ''
    this.turn = 0
    this.search = el('input', {
      type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: 'Search', 'aria-label': 'Search notes',
      oninput: () => this.typed(), onkeydown: event => this.searchKey(event),
    })
    this.chips = el('div', { class: 'chips' })
    this.banner = el('div', { class: 'banner', hidden: true })
    this.rows = el('ul', { class: 'rows', 'aria-label': 'Notes' })
    this.empty = el('p', { class: 'empty', hidden: true })
    this.groups = new FoundGroups(app)
    this.scroller = el('div', { class: 'scroller', tabindex: '-1', onscroll: () => this.draw() }, this.rows, this.empty, this.groups.root)
    this.count = el('span')
    this.root = el('section', { class: 'list', 'aria-label': 'List' },
      el('header', {}, el('h1', { class: 'unseen' }, 'Notes'), el('label', { class: 'search' }, icon('search'), this.search, el('kbd', {}, '/')), this.chips), this.banner,
      this.groups.head, this.scroller, el('footer', {}, this.count, el('span', { class: 'keys' }, el('kbd', {}, 'j'), el('kbd', {}, 'k'), ' move · ', el('kbd', {}, '?'), ' keys')))
    new ResizeObserver(() => this.draw()).observe(this.scroller)
    this.forget()
  }

  forget() {
    this.pages = new Map()
    this.drawn = new Map()
    this.waiting = new Set()
    this.total = 0
    this.hasMore = false
  }

  // Shows another place, tag or search from its beginning.
  async go({ place = this.place, tag = null, query = '' } = {}) {
    Object.assign(this, { place, tag, query })
    this.app.beside(this)
    if (this.search.value.trim() !== query) this.search.value = query
    this.scroller.scrollTop = 0
    await this.reload()
  }

  // Asks again for what is in view; what is shown stays until the answer is here.
  async reload(unattended = false) {
    const turn = ++this.turn
    const first = Math.floor(this.scroller.scrollTop / rowHeight / pageSize)
    try {
      const found = await this.fetch(first, unattended)
      if (turn !== this.turn) return
      this.forget()
      this.take(first, found)
      this.draw(unattended)
      this.groups.look(this.query, unattended)
    } catch (failure) { fail(failure) }
  }

  fetch(page, unattended = false) {
    const common = { limit: pageSize, page: page + 1, unattended }
    if (this.query) return wire.ask('/api/search', { ...common, query: this.query })
    return wire.ask('/api/list', { ...common, place: this.place, tag: this.tag })
  }

  take(page, found) {
    this.pages.set(page, found.notes)
    this.hasMore = found.more
    const known = page * pageSize + found.notes.length
    this.total = found.total ?? Math.max(this.total, known + (found.more ? pageSize : 0))
    if (!found.more && found.total === null) this.total = known
    const words = found.total ?? (found.more ? `${known}+` : known)
    this.count.textContent = `${words.toLocaleString()} ${words === 1 ? 'note' : 'notes'}`
    this.empty.hidden = this.total > 0
    this.empty.textContent = this.query ? 'Nothing found. Press Enter to make a note with that name.' : this.place === 'live' ? 'No notes yet. Press N to write one.' : 'Nothing here.'
  }

  row(index) { return this.pages.get(Math.floor(index / pageSize))?.[index % pageSize] }

  // Finds a note in what is loaded.
  indexOf(id) {
    for (const [page, notes] of this.pages) {
      const at = notes.findIndex(note => note.id === id)
      if (at >= 0) return page * pageSize + at
    }
    return -1
  }

  draw(unattended = false) {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / rowHeight) - spare)
    const last = Math.min(this.total, Math.ceil((this.scroller.scrollTop + this.scroller.clientHeight) / rowHeight) + spare)
    this.rows.style.height = `${this.total * rowHeight}px`
    const shown = [], drawn = new Map()
    for (let index = first; index < last; index++) {
      const note = this.row(index)
      if (!note) { this.want(Math.floor(index / pageSize), unattended); continue }
      // What stands there already stays as it is.
      const before = this.drawn.get(index)
      const item = before?.note === note && before.total === this.total ? before.item : this.item(note, index)
      drawn.set(index, { note, item, total: this.total })
      shown.push(item)
    }
    this.drawn = drawn
    const focused = this.rows.contains(document.activeElement) ? document.activeElement.dataset.id : null
    const stays = new Set(shown)
    for (const item of [...this.rows.children]) if (!stays.has(item)) item.remove()
    shown.forEach((item, at) => { if (this.rows.children[at] !== item) this.rows.insertBefore(item, this.rows.children[at] ?? null) })
    this.mark()
    if (focused && !this.rows.contains(document.activeElement)) this.rows.querySelector(`[data-id="${focused}"]`)?.focus({ preventScroll: true })
  }

  async want(page, unattended) {
    if (this.waiting.has(page)) return
    this.waiting.add(page)
    const turn = this.turn
    try {
      const found = await this.fetch(page, unattended)
      if (turn !== this.turn) return
      this.take(page, found)
      this.draw()
    } catch (failure) { fail(failure) } finally { this.waiting.delete(page) }
  }

  item(note, index) {
    const marks = [note.pinned && 'pin', note.hasAttachments && 'clip', note.hasSketches && 'sketch', note.forked && 'fork', note.private && 'lock', note.state === 'pending' && 'cloud']
    const title = note.title || (note.locked ? 'Private note' : '(untitled)')
    const row = el('button', {
      type: 'button', class: 'row', 'data-id': note.id, 'aria-current': note.id === this.app.selected ? 'true' : null,
      onclick: () => this.app.open(note.id),
    }, el('span', { class: 'title' }, title), el('span', { class: 'time' }, when(note.updated)),
    el('span', { class: 'snippet' }, note.locked ? 'Locked' : note.snippet), el('span', { class: 'marks' }, marks.filter(Boolean).map(icon)))
    const item = el('li', { 'aria-setsize': this.total, 'aria-posinset': index + 1 }, row)
    item.style.top = `${index * rowHeight}px`
    return item
  }

  // Moves by rows, and opens what it comes to.
  move(step) {
    const index = Math.min(this.total - 1, Math.max(0, this.indexOf(this.app.selected) + step))
    const note = this.row(index)
    if (!note) return
    const top = index * rowHeight
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top
    if (top + rowHeight > this.scroller.scrollTop + this.scroller.clientHeight) this.scroller.scrollTop = top + rowHeight - this.scroller.clientHeight
    this.app.open(note.id, { quiet: true })
  }

  mark() {
    for (const row of this.rows.querySelectorAll('.row')) {
      if (row.dataset.id === this.app.selected) row.setAttribute('aria-current', 'true')
      else row.removeAttribute('aria-current')
    }
  }

  typed() {
    clearTimeout(this.typing)
    this.typing = setTimeout(() => this.go({ query: this.search.value.trim() }), 60)
  }

  async searchKey(event) {
    if (event.key === 'Escape') { this.search.value = ''; this.search.blur(); return this.go({}) }
    if (event.key === 'ArrowDown') { event.preventDefault(); this.rows.querySelector('.row')?.focus(); return }
    if (event.key !== 'Enter') return
    clearTimeout(this.typing)
    const query = this.search.value.trim()
    if (query !== this.query) await this.go({ query })
    this.search.blur()
    const first = this.row(0)
    if (first) this.app.open(first.id)
    else if (query) this.app.begin({ text: `${query}\n\n` })
  }

  async showTags() {
    try {
      const { tags } = await wire.order('/api/tags')
      tags.sort((one, other) => other.notes - one.notes)
      const chip = (label, tag) => el('button', {
        type: 'button', class: 'chip', 'aria-pressed': String(this.tag === tag && !this.query && this.place === 'live'),
        onclick: () => this.go({ place: 'live', tag }).then(() => this.showTags()),
      }, label)
      const shown = tags.slice(0, 12)
      if (this.tag && !shown.some(tag => tag.name === this.tag)) shown.unshift({ name: this.tag })
      this.chips.replaceChildren(chip('All', null), ...shown.map(tag => chip(tag.name, tag.name)))
    } catch (failure) { fail(failure) }
  }
}
