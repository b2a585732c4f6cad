// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { showDetail } from './bookdetail.js'
import { draggable } from './bookdrag.js'
import { counted, cover } from './bookparts.js'
import { confirm, menu, prompt } from './dialogs.js'
import { button, el, fail } from './dom.js'
import { wire } from './wire.js'

// The notes of a book, chapter by chapter, in its owner's order. They are read where all notes are.
const pageSize = 500

export class BookNotes {
  constructor(app, id) {
    this.app = app
    this.id = id
    this.pageCount = 1
    this.head = el('header', { class: 'ofbook' })
    this.body = el('div', { class: 'scroller chapters' })
    this.news = el('p', { class: 'unseen', role: 'status' })
    this.count = el('span')
    this.root = el('section', { class: 'list', 'aria-label': 'Notes of a book' }, this.head, this.news, this.body,
      el('footer', {}, this.count, el('span', { class: 'keys' }, el('kbd', {}, 'Alt'), el('kbd', {}, '↑'), el('kbd', {}, '↓'), ' move a note')))
    draggable(this)
  }

  async load(unattended = false) {
    const turn = this.turn = (this.turn ?? 0) + 1
    try {
      const asked = [wire.ask('/api/book', { id: this.id, unattended })]
      for (let page = 1; page <= this.pageCount; page++) asked.push(wire.ask('/api/book/notes', { id: this.id, limit: pageSize, page, unattended }))
      const [{ book }, ...pages] = await Promise.all(asked)
      if (this.app.side !== this || turn !== this.turn) return
      // What is dragged stays where it is until it was dropped.
      if (this.isDragged) { this.isOld = true; return }
      this.isOld = false
      this.book = book
      this.hasMore = pages.at(-1).more
      this.sections = pages[0].sections.map(({ chapter, count }) => ({ chapter, count, notes: [] }))
      for (const page of pages) page.sections.forEach((section, at) => this.sections[at]?.notes.push(...section.notes))
      this.draw()
    } catch (failure) {
      // The book was removed.
      if (failure.code === 5 && this.app.side === this) return this.app.goTo('books')
      fail(failure)
    }
  }

  draw() {
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.key : null
    const top = this.body.scrollTop, book = this.book
    this.head.replaceChildren(button('back', 'All books', () => this.app.goTo('books')),
      el('button', { type: 'button', class: 'link ofwhich', 'data-key': 'book', 'aria-label': `${book.title}: details`, onclick: () => showDetail(this.app, this.id) }, cover(book),
        el('span', {}, el('h1', { dir: 'auto' }, book.title), el('span', { class: 'soft', dir: 'auto' }, book.authors.join(', ')))),
      el('div', { class: 'acts' }, el('button', { type: 'button', 'data-key': 'new', onclick: () => this.write(null) }, 'New note'),
        el('button', { type: 'button', 'data-key': 'chapter', onclick: () => this.addChapter() }, 'Add a chapter')))
    this.body.replaceChildren(...this.sections.map((section, at) => this.section(section, at)))
    if (!this.sections.length) this.body.append(el('p', { class: 'empty' }, 'This book has no chapters and no notes yet.'))
    if (this.hasMore) this.body.append(el('button', { type: 'button', class: 'link', onclick: () => { this.pageCount++; this.load() } }, 'Show more'))
    const total = this.sections.reduce((sum, section) => sum + section.count, 0)
    this.count.textContent = counted(total, 'note')
    this.body.scrollTop = top
    this.mark()
    if (focused && !this.root.contains(document.activeElement)) this.focus(focused)
  }

  focus(key) { this.root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true }) }

  section(section, at) {
    const { chapter } = section, name = chapter ?? 'No chapter', key = `section-${at}`
    return el('section', { class: 'chapter', 'data-section': at, 'aria-labelledby': key },
      el('div', { class: 'line' }, el('h2', { id: key, dir: 'auto' }, name, ' ', el('span', { class: 'soft' }, section.count)),
        el('span', { class: 'acts' }, button('add', `New note in ${name}`, () => this.write(chapter), { 'data-key': `add-${name}` }),
          chapter !== null && button('more', `Chapter ${name}`, event => this.chapterMenu(event.currentTarget, section), { 'aria-haspopup': 'true', 'data-key': `more-${name}` }))),
      el('ol', { class: 'placed' }, section.notes.map(note => this.row(note, section))))
  }

  row(note, section) {
    const title = note.title || (note.locked ? 'Private note' : '(untitled)')
    const keys = event => {
      if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return
      event.preventDefault()
      event.stopPropagation()
      this.step(note.id, event.key === 'ArrowUp' ? -1 : 1)
    }
    return el('li', { 'data-note': note.id, onkeydown: keys },
      el('button', { type: 'button', class: 'row', 'data-id': note.id, 'data-key': note.id, 'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown', onclick: () => this.app.open(note.id) },
        el('span', { class: 'title', dir: 'auto' }, title), el('span', { class: 'snippet', dir: 'auto' }, note.locked ? 'Locked' : note.snippet)),
      button('grip', `Move ${title}`, event => this.noteMenu(event.currentTarget, note, section), { class: 'tool grip', 'aria-haspopup': 'true', 'data-key': `grip-${note.id}` }))
  }

  mark() {
    for (const row of this.body.querySelectorAll('.row')) {
      if (row.dataset.id === this.app.selected) row.setAttribute('aria-current', 'true')
      else row.removeAttribute('aria-current')
    }
  }

  // Goes to the next note, or the one before, and shows it.
  move(step) {
    const all = this.sections.flatMap(section => section.notes), at = all.findIndex(note => note.id === this.app.selected)
    const note = all[Math.min(all.length - 1, Math.max(0, at + step))]
    if (!note) return
    this.body.querySelector(`[data-note="${note.id}"]`)?.scrollIntoView({ block: 'nearest' })
    this.app.open(note.id, { quiet: true })
  }

  // MARK: Notes

  write(chapter) { return this.app.begin({ book: this.id, chapter }) }

  place(id) {
    for (const [at, section] of this.sections.entries()) {
      const index = section.notes.findIndex(note => note.id === id)
      if (index >= 0) return { at, section, index }
    }
    return null
  }

  // Moves a note by one: within its chapter, and at its end into the next one.
  step(id, by) {
    const found = this.place(id)
    if (!found) return null
    const { section, index, at } = found, other = section.notes[index + by]
    if (!other && by > 0 && section.notes.length < section.count) {
      this.pageCount++
      return this.load().then(() => this.sections[at]?.notes.length > section.notes.length ? this.step(id, by) : null)
    }
    if (other) return this.put(id, section.chapter, by < 0 ? 'before' : 'after', other.id)
    const next = this.sections[at + by]
    if (!next && by < 0 && section.chapter !== null) return this.put(id, null, 'last')
    if (!next) { this.news.textContent = by < 0 ? 'It is the first note already.' : 'It is the last note already.'; return null }
    return this.put(id, next.chapter, by < 0 ? 'last' : 'first')
  }

  async put(id, chapter, spot, other = null) {
    try {
      await wire.ask('/api/book/place', { note: id, book: this.id, chapter, spot, other })
      await this.load()
    } catch (failure) {
      fail(failure)
      return this.load(true)
    }
    const now = this.place(id)
    if (!now) return
    const title = now.section.notes[now.index].title || 'The note'
    this.news.textContent = `${title} is number ${now.index + 1} of ${now.section.notes.length} in ${now.section.chapter ?? 'no chapter'}.`
    if (!document.activeElement || document.activeElement === document.body || this.root.contains(document.activeElement)) {
      if (document.activeElement?.dataset.key !== `grip-${id}`) this.focus(id)
    }
    this.body.querySelector(`[data-note="${id}"]`)?.scrollIntoView({ block: 'nearest' })
  }

  noteMenu(anchor, note, section) {
    const others = this.sections.filter(one => one !== section)
    menu(anchor, [['Move up (Alt+↑)', () => this.step(note.id, -1)], ['Move down (Alt+↓)', () => this.step(note.id, 1)],
      ...others.map(one => [one.chapter === null ? 'Remove from its chapter' : `To ${one.chapter}`, () => this.put(note.id, one.chapter, 'last')]),
      ['Remove from this book', async () => {
        try { await wire.ask('/api/book/place', { note: note.id }) } catch (failure) { return fail(failure) }
        await this.load()
        this.news.textContent = 'The note is no longer in a book.'
        this.app.reader?.id === note.id && this.app.reader.load()
      }]])
  }

  // MARK: Chapters

  async addChapter() {
    const title = await prompt('Add a chapter', { label: 'Its title', action: 'Add' })
    if (title !== null) await this.change({ what: 'put', title }, `Chapter ${title} is added.`)
  }

  async change(fields, words) {
    try { await wire.ask('/api/book/chapter', { id: this.id, ...fields }) } catch (failure) { return fail(failure) }
    await this.load()
    this.news.textContent = words
    this.focus(`more-${fields.what === 'rename' ? fields.other : fields.title}`)
  }

  chapterMenu(anchor, section) {
    const title = section.chapter, all = this.sections.map(one => one.chapter).filter(one => one !== null), at = all.indexOf(title)
    const to = (other, words) => () => this.change({ what: 'move', title, other }, words)
    menu(anchor, [
      ['Rename…', async () => {
        const other = await prompt('Rename the chapter', { label: 'Its title', value: title, action: 'Rename' })
        if (other !== null) this.change({ what: 'rename', title, other }, `Renamed to ${other}.`)
      }],
      at > 0 && ['Move up', to(all[at - 1], `${title} is chapter ${at} of ${all.length}.`)],
      at < all.length - 1 && ['Move down', to(all[at + 2] ?? null, `${title} is chapter ${at + 2} of ${all.length}.`)],
      ['Remove…', async () => {
        if (await confirm('Remove a chapter', `The chapter ${title} is removed. Its notes stay in the book.`, 'Remove')) this.change({ what: 'remove', title }, `Chapter ${title} is removed; its notes are in the book.`)
      }],
    ])
  }
}

// Above a note that stands in a book: its cover, its title and the chapter.
export function bookHeader(app, spot) {
  return el('header', { class: 'stands' }, cover({ title: spot.title }, `/cover/${spot.id}`),
    el('span', {}, el('button', { type: 'button', class: 'link', dir: 'auto', onclick: () => app.showBook(spot.id) }, spot.title),
      spot.chapter !== null && el('span', { class: 'soft', dir: 'auto' }, spot.chapter)))
}
