// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { counted, cover, field, stars, text, today, told } from './bookparts.js'
import { dialog } from './dialogs.js'
import { el, fail, rendered, say } from './dom.js'
import { wire } from './wire.js'

// A book with all that is known of it, and what can be done with it.
export async function showDetail(app, id) {
  let book
  try { book = (await wire.ask('/api/book', { id })).book } catch (failure) { return fail(failure) }
  new Detail(app, book)
}

const day = () => el('input', { type: 'date', autocomplete: 'off', value: today(), required: true })
const ratings = () => el('select', {}, Array.from({ length: 21 }, (_, quarters) =>
  el('option', { value: quarters * 25 }, quarters ? `${quarters / 4} ${stars(quarters * 25)}` : 'Not rated')))
const act = (label, onclick, attributes = {}) => el('button', { type: 'button', onclick, ...attributes }, label)
const span = ({ started, finished }) => started && finished ? `${started} to ${finished}` : started ? `since ${started}` : finished ? `until ${finished}` : ''

class Detail {
  constructor(app, book) {
    this.app = app
    this.id = book.id
    this.trouble = el('p', { class: 'trouble', role: 'alert' })
    this.panel = el('div', { class: 'panel', hidden: true })
    this.content = el('div', { class: 'detail' })
    this.draw(book)
    this.shown = dialog(book.title, this.content, { wide: true })
  }

  async reload() {
    try { this.draw((await wire.ask('/api/book', { id: this.id })).book) } catch (failure) { this.trouble.textContent = told(failure) }
  }

  // Does something with the book, and shows what came of it.
  async perform(path, fields, words) {
    if (this.isBusy) return false
    this.isBusy = true
    this.trouble.textContent = ''
    try { await wire.ask(path, { id: this.id, ...fields }) } catch (failure) {
      this.isBusy = false
      this.trouble.textContent = told(failure)
      // It may be another book than was shown; what was typed stays.
      if (this.panel.hidden) { await this.reload(); this.content.querySelector('.acts button')?.focus() }
      return false
    }
    this.isBusy = false
    say(words)
    this.app.refresh()
    if (path === '/api/book/remove') { this.shown.close(); return true }
    await this.reload()
    this.content.querySelector('.acts button')?.focus()
    return true
  }

  draw(book) {
    this.book = book
    this.close()
    const picture = cover(book, book.coverID ? `/file/${book.id}/${book.coverID}` : null)
    picture.classList.add('whole')
    this.content.replaceChildren(el('div', { class: 'side' }, picture),
      el('div', { class: 'stack' }, book.subtitle && el('p', { dir: 'auto' }, book.subtitle), el('p', { class: 'soft', dir: 'auto' }, book.authors.join(', ')),
        el('div', { class: 'acts' }, this.acts()), this.trouble, this.panel, this.facts(), this.chapters(), this.description(), this.log()))
  }

  acts() {
    const book = this.book, to = (move, words) => () => this.perform('/api/book/move', { to: move, day: today() }, words)
    const leave = then => () => { this.shown.close(); then() }
    const byShelf = {
      reading: () => [act('Finish…', () => this.finish()), act('Archive', to('archive', 'Archived.'))],
      wishlist: () => [act('Start reading', to('start', 'Moved to the reading shelf.'))],
      archived: () => [act('Start again', to('start', 'Moved back to the reading shelf.')), act('Finish…', () => this.finish())],
    }
    return [act(`Notes (${book.notes})`, leave(() => this.app.showBook(this.id)), { class: 'main' }), ...byShelf[book.shelf](),
      book.shelf !== 'wishlist' && act('Log…', () => this.logForm()), act('Rate…', () => this.rate()), act('Edit…', () => this.edit()),
      act('Description…', leave(() => this.app.begin({ id: this.id }))), act('Remove…', () => this.remove())].filter(Boolean)
  }

  facts() {
    const book = this.book
    const read = [book.page > 0 && `page ${book.page}`, book.percent > 0 && `${book.percent}%`].filter(Boolean).join(', ')
    const rows = [['Shelf', book.shelf], ['Progress', read], ['Rating', stars(book.rating)], ['Read', book.readings.map(span).filter(Boolean).join(', ')],
      ['Publisher', book.publishers.join(', ')], ['Published', book.published], ['Pages', book.pages || ''], ['Language', book.language],
      ['Numbers', book.identifiers.join(', ')], ['Tags', book.tags.join(', ')], ['Source', book.source.split('\n').pop()]]
    return el('dl', {}, rows.filter(([, value]) => value !== '').flatMap(([name, value]) => [el('dt', {}, name), el('dd', { dir: 'auto' }, String(value))]))
  }

  chapters() {
    const { chapters, looseNotes } = this.book
    if (!chapters.length) return null
    const rows = chapters.map(chapter => [chapter.title, chapter.notes])
    if (looseNotes) rows.push(['No chapter', looseNotes])
    return el('section', {}, el('h3', {}, 'Chapters'), el('ul', { class: 'entries' }, rows.map(([title, count]) =>
      el('li', {}, el('span', { dir: 'auto' }, title), el('span', { class: 'soft' }, counted(count, 'note'))))))
  }

  description() {
    const words = this.book.description.trim()
    if (!words) return null
    const place = el('div', { class: 'text', dir: 'auto' })
    const named = (kind, value, label) => el('span', { class: 'soft' }, label || value)
    wire.bytes('/api/preview', words).then(nodes => place.replaceChildren(rendered(nodes, named)), fail)
    return el('section', {}, el('h3', {}, 'Description'), place)
  }

  log() {
    const log = this.book.log
    if (!log.length) return null
    const words = entry => entry.page !== undefined ? `page ${entry.page}` : entry.percent !== undefined ? `${entry.percent}%` : entry.minutes !== undefined ? `${entry.minutes} min` : ''
    return el('section', {}, el('h3', {}, 'Reading log'), el('ul', { class: 'entries' }, [...log].reverse().map(entry =>
      el('li', {}, el('span', { dir: 'auto' }, [entry.day, words(entry), entry.line].filter(Boolean).join(' · '))))),
    act('Remove the last line', () => this.perform('/api/book/log', { back: true }, 'The last line was removed.'), { class: 'link' }))
  }

  // MARK: Panels

  // Opens a form in the dialog; another one closes.
  open(label, action, content, submit) {
    this.trouble.textContent = ''
    const form = el('form', { class: 'stack', autocomplete: 'off', 'aria-label': label, onsubmit: event => { event.preventDefault(); submit() } }, content,
      el('div', { class: 'acts' }, action && el('button', { class: 'main' }, action), act('Cancel', () => { this.close(); this.content.querySelector('.acts button')?.focus() })))
    this.panel.replaceChildren(form)
    this.panel.hidden = false
    this.rest(true)
    form.querySelector('input, select, textarea, button').focus()
  }

  close() {
    this.panel.hidden = true
    this.panel.replaceChildren()
    this.rest(false)
  }

  // While a form is being filled nothing else is done: it would throw away what was typed.
  rest(isFilled) {
    for (const button of this.content.querySelectorAll(':scope > .stack > .acts button, :scope > .stack > section > button')) button.disabled = isFilled
  }

  finish() {
    const when = day(), rating = ratings()
    rating.value = this.book.rating ?? 0
    this.open('Finish', 'Finish', [field('Rating', rating), field('Read to its end on', when)], () =>
      this.perform('/api/book/move', { to: 'finish', day: when.value, rating: Number(rating.value) === (this.book.rating ?? 0) ? null : rating.value }, 'Finished, and archived.'))
  }

  rate() {
    const rating = ratings()
    rating.value = this.book.rating ?? 0
    this.open('Rate', 'Rate', [field('Rating', rating)], () => this.perform('/api/book/change', { rating: rating.value }, 'Rated.'))
  }

  logForm() {
    const when = day(), amount = text({ inputmode: 'numeric' }), line = text()
    const kind = el('select', {}, [['page', 'Up to page'], ['percent', 'Up to percent'], ['minutes', 'Minutes'], ['', 'Only a line']].map(([value, label]) => el('option', { value }, label)))
    const number = field('Number', amount)
    kind.addEventListener('change', () => { number.hidden = kind.value === '' })
    this.open('Log', 'Log it', [field('What', kind), number, field('A line', line), field('Day', when)], () =>
      this.perform('/api/book/log', { kind: kind.value, amount: kind.value ? amount.value.trim() : null, line: line.value, day: when.value }, 'Logged.'))
  }

  edit() {
    const book = this.book, lists = { author: book.authors, publisher: book.publishers, identifier: book.identifiers }
    const names = [['title', 'Title'], ['subtitle', 'Subtitle'], ['author', 'Authors, with ; between'], ['publisher', 'Publishers, with ; between'],
      ['published', 'Published'], ['pages', 'Pages'], ['language', 'Language'], ['identifier', 'Numbers, such as isbn13:9780441013593, with ; between']]
    const inputs = names.map(([name, label]) => {
      const input = text(name === 'title' ? { required: true } : {})
      input.value = lists[name] ? lists[name].join('; ') : book[name] || ''
      return [name, label, input, input.value]
    })
    this.open('Edit', 'Save', inputs.map(([, label, input]) => field(label, input)), () => {
      // What was not touched stays as it is.
      const changed = inputs.filter(([, , input, before]) => input.value !== before)
      if (!changed.length) return this.close()
      const fields = Object.fromEntries(changed.map(([name, , input]) => [name, lists[name] ? input.value.split(';') : input.value]))
      this.perform('/api/book/change', fields, 'Saved.')
    })
  }

  remove() {
    const count = this.book.notes, gone = notes => () => this.perform('/api/book/remove', { notes }, 'Moved to the trash. Ctrl+Z brings it back.')
    const words = count ? `Keep its ${counted(count, 'note')}? Kept notes become ordinary notes.` : 'The book goes to the trash.'
    const buttons = count ? [act('Remove, keep its notes', gone(false)), act('Remove with its notes', gone(true))] : [act('Remove it', gone(false))]
    this.open('Remove', null, [el('p', {}, words), el('div', { class: 'acts' }, buttons)], () => {})
  }
}
