// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { addBook } from './addbook.js'
import { BookNotes } from './booknotes.js'
import { Books } from './books.js'
import * as dialogs from './dialogs.js'
import { button, el, fail, icon, say } from './dom.js'
import { Editor } from './editor.js'
import * as files from './files.js'
import { NoteList } from './list.js'
import * as places from './places.js'
import { Reader } from './reader.js'
import { record } from './recorder.js'
import { Sketch } from './sketch.js'
import { follow, heard, wire } from './wire.js'

class App {
  constructor() {
    this.root = document.getElementById('app')
    this.selected = null
    this.editor = this.reader = this.list = null
    this.isOver = false
    // What stops a microphone or a camera: nothing hears or sees behind a lock.
    this.streams = new Set()
  }

  // MARK: Session

  async begin_() {
    heard.locked = async () => {
      try {
        if (!(await wire.ask('/api/status', { unattended: true })).locked) return false
        this.lockedBy('The vault was locked.')
      } catch { /* It was told. */ }
      return true
    }
    heard.ended = () => this.end('This page has ended.')
    const [, token, target, named] = /^#t=([0-9a-f]{32})(?:&([dns])=([A-Za-z0-9%._~-]{1,4096}))?$/.exec(location.hash) ?? []
    this.drawing = target === 'd' ? named : null
    this.asked = target === 'n' ? named : null
    if (target === 's') try { this.handed = decodeURIComponent(named).split('\n') } catch { /* Nothing of ours. */ }
    if (token) {
      history.replaceState(null, '', '/')
      try { await wire.open(token) } catch { return this.end('This address was already used, or has expired.') }
    }
    let status
    try { status = await wire.ask('/api/status', {}) } catch { return this.end('This page has ended.') }
    if (status.locked) this.askPassword(status.directory)
    else this.show()
  }

  askPassword(directory) {
    const input = el('input', { type: 'password', autocomplete: 'off', required: true, 'aria-label': 'Password', placeholder: 'Password' })
    const trouble = el('p', { class: 'trouble', role: 'alert' })
    const go = el('button', { class: 'main' }, 'Unlock')
    const form = el('form', {
      class: 'stack', autocomplete: 'off',
      onsubmit: async event => {
        event.preventDefault()
        const bytes = new TextEncoder().encode(input.value)
        input.value = ''
        trouble.textContent = ''
        go.disabled = true
        go.textContent = 'Unlocking…'
        try {
          await wire.bytes('/api/unlock', bytes)
          this.show()
        } catch (failure) {
          trouble.textContent = failure.code === 4 ? 'Wrong password, or the vault is damaged.' : failure.message
          input.focus()
        } finally {
          bytes.fill(0)
          go.disabled = false
          go.textContent = 'Unlock'
        }
      },
    }, el('h1', {}, 'Vault'), el('p', { class: 'soft' }, directory), input, trouble, go)
    this.root.replaceChildren(el('main', { class: 'gate' }, form))
    input.focus()
  }

  // The page empties itself: what it showed is nowhere in it any more.
  clear() {
    this.source?.close()
    for (const stop of this.streams) stop()
    this.streams.clear()
    this.editor?.stop()
    this.editor = this.reader = this.list = this.side = this.books = null
    this.selected = null
    document.getElementById('layer').replaceChildren()
    document.querySelector('.menu')?.remove()
    for (const media of document.querySelectorAll('audio, video, img')) media.removeAttribute('src')
    files.forget()
    this.root.inert = false
    this.root.replaceChildren()
  }

  async lockedBy(words) {
    if (this.isOver) return
    this.isOver = true
    const editor = this.editor
    const wasChanged = editor?.isChanged
    // The agent still takes what was typed, and keeps it under a key of its own.
    if (wasChanged) await Promise.race([editor.journal(), new Promise(resolve => setTimeout(resolve, 400))])
    const isKept = wasChanged && editor.unsaved === null
    const isDrawing = document.querySelector('.sketch') !== null
    this.clear()
    const more = [wasChanged && (isKept ? 'What you typed is kept as a draft.' : 'What you typed in the last seconds may not have been kept.'),
      isDrawing && 'The open drawing was not saved.']
    this.say_(words, more.filter(Boolean).join(' '), 'vault web opens the page again.')
  }

  end(words) {
    if (this.isOver) return
    this.isOver = true
    const unsaved = this.editor?.unsaved
    this.clear()
    this.say_(words, '', 'vault web opens a new one.')
    // Nobody locked anything: what is nowhere else must not go with the page.
    if (unsaved) this.root.querySelector('.stack').append(el('p', {}, 'This was not saved. Copy it before you close the window:'), el('textarea', { readonly: true, rows: 8, 'aria-label': 'Not saved' }, unsaved))
  }

  say_(words, more, hint) {
    this.root.replaceChildren(el('main', { class: 'gate' }, el('div', { class: 'stack' }, icon('lock'), el('h1', {}, words), more && el('p', {}, more), el('p', { class: 'soft' }, hint))))
  }

  async lock() {
    if (!await this.leave()) return
    try { await wire.order('/api/lock') } catch (failure) { return fail(failure) }
    this.lockedBy('Locked.')
  }

  // MARK: Screen

  show() {
    this.list = this.side = new NoteList(this)
    this.books = new Books(this)
    this.pane = el('section', { class: 'pane', 'aria-label': 'Note' })
    this.counts = {}
    this.features ??= {}
    const place = (name, label, act) => {
      const count = el('span', { class: 'n', hidden: true })
      this.counts[name] = count
      return el('button', { type: 'button', class: 'tool', title: label, 'aria-label': label, 'data-place': name, onclick: act }, icon(name), count)
    }
    this.rail = el('nav', { class: 'rail', 'aria-label': 'Places' },
      el('button', { type: 'button', class: 'tool new', title: 'New note (n)', 'aria-label': 'New note', onclick: () => this.begin({}) }, icon('add')),
      place('notes', 'Notes', () => this.goTo('live')), place('book', 'Books', () => this.goTo('books')), place('draft', 'Drafts', () => places.drafts(this)),
      place('archive', 'Archive', () => this.goTo('archive')), place('trash', 'Trash', () => this.goTo('trash')),
      el('span', { class: 'space' }), place('gear', 'About and settings', () => places.about(this)),
      place('lock', 'Lock (Ctrl+L)', () => this.lock()))
    this.root.replaceChildren(el('main', { class: 'app' }, this.rail, this.list.root, this.pane, this.books.root))
    this.showNothing()
    this.goTo('live')
    this.lookAtDrafts()
    if (this.drawing) this.open(this.drawing).then(() => this.draw())
    if (this.asked) this.open(this.asked)
    if (this.handed) places.shared(this, this.handed)
    this.drawing = this.asked = this.handed = null
    wire.order('/api/features').then(features => { this.features = features }, () => {})
    this.source = follow(changes => this.changed(changes), () => this.lockedBy('The vault was locked.'))
  }

  async goTo(place) {
    if (place === 'books') return this.goToBooks()
    this.root.firstChild.classList.remove('reading')
    await this.list.go({ place })
    this.list.showTags()
  }

  async find() {
    if (this.side !== this.list) await this.goTo('live')
    this.list.search.focus()
  }

  async goToBooks() {
    const wasWriting = this.editor !== null
    if (!await this.leave() || !this.list) return
    if (wasWriting) this.showNothing()
    this.root.firstChild.classList.remove('reading')
    this.beside(this.books)
    this.books.reload()
  }

  // Shows the notes of a book beside the one that is read.
  async showBook(id) {
    const wasWriting = this.editor !== null
    if (!await this.leave() || !this.list) return
    if (wasWriting) this.showNothing()
    this.root.firstChild.classList.remove('reading')
    const notes = new BookNotes(this, id)
    this.beside(notes)
    await notes.load()
    notes.focus('book')
  }

  // Shows the list, the notes of a book, or all books, which leave no room for a note.
  beside(view) {
    const isAll = view === this.books
    this.root.firstChild.classList.toggle('at-books', isAll)
    if (!isAll && this.side !== view) {
      this.side.root.replaceWith(view.root)
      this.side = view
    }
    const here = view !== this.list ? 'book' : this.list.place === 'live' ? 'notes' : this.list.place
    for (const tool of this.rail.querySelectorAll('[data-place]')) {
      if (tool.dataset.place === here) tool.setAttribute('aria-current', 'true')
      else tool.removeAttribute('aria-current')
    }
  }

  get isAtBooks() { return this.root.firstChild.classList.contains('at-books') }

  mark() {
    this.list.mark()
    if (this.side !== this.list) this.side.mark()
  }

  showNothing() {
    this.reader = this.editor = null
    this.pane.replaceChildren(el('p', { class: 'empty' }, 'Choose a note, or press N for a new one.'))
  }

  // Saves what is being written before something else is shown.
  //
  // Returns false when it cannot be saved: then it stays as it is.
  async leave() {
    const editor = this.editor
    if (!editor) return true
    if (!await editor.finish()) return false
    if (this.editor === editor) this.editor = null
    return true
  }

  async open(id, { quiet = false } = {}) {
    if (!await this.leave() || !this.list) return
    this.selected = id
    this.beside(this.side)
    this.mark()
    if (!quiet) this.root.firstChild.classList.add('reading')
    const reader = new Reader(this, id)
    this.reader = reader
    this.pane.replaceChildren(reader.root)
    await reader.load()
  }

  // From the editor to the note, from the note to the list.
  async back() {
    const wasWriting = this.editor !== null
    if (!await this.leave() || !this.list) return
    if (wasWriting && this.selected) return this.open(this.selected)
    this.root.firstChild.classList.remove('reading')
    if (wasWriting) this.showNothing()
  }

  async begin(what) {
    if (this.isBeginning) return
    this.isBeginning = true
    try { await this.beginNow(what) } finally { this.isBeginning = false }
  }

  async beginNow(what) {
    const wasWriting = this.editor !== null
    if (!await this.leave()) return
    try {
      const edit = await wire.ask('/api/edit', what)
      if (!edit.edit) { say('The two versions were merged.'); return this.refresh() }
      if (edit.elsewhere) say('This note is open in another editor too; both will be kept.')
      this.reader = null
      // Files that come now belong to this one.
      this.selected = what.id ?? null
      this.beside(this.side)
      this.mark()
      this.editor = new Editor(this, edit, what.id ?? null)
      this.root.firstChild.classList.add('reading')
      this.pane.replaceChildren(this.editor.root)
      this.editor.focus()
    } catch (failure) {
      fail(failure)
      if (!wasWriting) return
      if (this.selected) this.open(this.selected)
      else this.showNothing()
    }
  }

  async write(id = this.selected) { if (id) await this.begin({ id }) }

  async draw(name = null) {
    const id = await this.noteToAddTo('Sketch')
    if (id) new Sketch(this, id, name)
  }

  async record() {
    const id = await this.noteToAddTo('Recording')
    if (id) record(this, id)
  }

  // The note that is open; a new one where there is none.
  async noteToAddTo(title) {
    const wasWriting = this.editor !== null
    if (!await this.leave()) return null
    if (this.selected && wasWriting) await this.open(this.selected)
    if (this.selected) return this.selected
    try {
      const { notes } = await wire.ask('/api/create', { text: `${title} of ${new Date().toLocaleDateString()}\n` })
      await this.open(notes[0].id)
      return notes[0].id
    } catch (failure) { fail(failure) }
    return null
  }

  attach() {
    const input = el('input', { type: 'file', multiple: true })
    input.onchange = () => this.send([...input.files])
    input.click()
  }

  // A photo of this machine's camera, looked at before it is attached.
  async photograph() {
    let stream
    try { stream = await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 4096 }, facingMode: 'environment' } }) } catch { return say('There is no camera, or this page may not use it.', true) }
    // The vault was locked while the browser asked.
    if (this.isOver) { for (const track of stream.getTracks()) track.stop(); return }
    const view = el('video', { class: 'large', autoplay: true, muted: true, playsinline: true, 'aria-label': 'Camera preview' })
    view.srcObject = stream
    let picture = null
    const stop = () => { for (const track of stream.getTracks()) track.stop() }
    this.streams.add(stop)
    const shown = dialogs.dialog('Photo', el('div', { class: 'stack' }, view, el('button', { class: 'main', autofocus: true, onclick: async () => {
      const canvas = new OffscreenCanvas(view.videoWidth, view.videoHeight)
      canvas.getContext('2d').drawImage(view, 0, 0)
      picture = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 })
      shown.close()
    } }, 'Take it')), { wide: true })
    await shown.closed
    stop()
    this.streams.delete(stop)
    if (picture) await this.send([new File([picture], `photo ${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.jpg`, { type: 'image/jpeg' })])
  }

  async send(files) {
    const id = await this.noteToAddTo(files[0]?.name ?? 'Files')
    if (!id) return
    const failed = []
    for (const file of files) {
      say(`Attaching ${file.name}…`)
      this.isSending = true
      try { await wire.file(`/api/attach/${id}`, file, file.name) } catch (failure) { failed.push(`${file.name}: ${failure.message}`) }
    }
    this.isSending = false
    if (failed.length) say(`Not attached: ${failed.join('; ')}`, true)
    else say(files.length === 1 ? `${files[0].name} is attached.` : `${files.length} files are attached.`)
    if (this.reader?.id === id) this.reader.load()
  }

  async trash(id = this.selected) {
    if (!id || !await this.leave()) return
    const isThere = this.side === this.list && this.list.place === 'trash'
    try {
      await wire.ask(isThere ? '/api/restore' : '/api/trash', { id })
      say(isThere ? 'The note is back.' : 'Moved to the trash. Ctrl+Z brings it back.')
      this.selected = null
      this.root.firstChild.classList.remove('reading')
      this.showNothing()
    } catch (failure) { fail(failure) }
  }

  async undo() {
    try {
      const { undone } = await wire.order('/api/undo')
      say(undone?.length ? 'Undone.' : 'Nothing to undo.')
    } catch (failure) { fail(failure) }
  }

  // MARK: Changes

  changed(changes) {
    if (changes.notes.length === 0 && changes.gone.length === 0) return
    this.refresh(changes)
  }

  refresh(changes = null) {
    clearTimeout(this.refreshing)
    this.refreshing = setTimeout(() => {
      this.list?.reload(true)
      if (this.list && this.isAtBooks) this.books.reload(true)
      else if (this.list && this.side !== this.list) this.side.load(true)
      this.lookAtDrafts()
      const ids = changes?.notes.map(note => note.id) ?? []
      // Nothing that is being typed is overwritten: an edit is merged when it is saved.
      if (this.editor && ids.includes(this.editor.note) && !this.editor.isSaving) this.editor.changedElsewhere()
      else if (this.reader && (!changes || ids.includes(this.reader.id))) this.reader.load(true)
    }, 20)
  }

  async lookAtDrafts() {
    try {
      const { drafts } = await wire.ask('/api/drafts', { unattended: true })
      const left = drafts.filter(draft => draft.state === 'recovered')
      this.counts.draft.hidden = left.length === 0
      this.counts.draft.textContent = left.length
      this.list.banner.hidden = left.length === 0
      this.list.banner.replaceChildren(el('b', {}, left.length === 1 ? '1 draft' : `${left.length} drafts`), ' left by an editor',
        el('button', { type: 'button', onclick: () => places.drafts(this) }, 'Open'))
    } catch (failure) { fail(failure) }
  }
}

const app = new App()

// Keys, where nobody types.
const places_ = { n: 'live', b: 'books', a: 'archive', t: 'trash' }
let isGoing = false
addEventListener('keydown', event => {
  if (!app.list || app.isOver) return
  const isTyping = event.target.closest('input, textarea, [contenteditable]')
  const control = event.ctrlKey || event.metaKey
  if (control && event.key === 'l') { event.preventDefault(); return app.lock() }
  if (control && event.key === 's') { event.preventDefault(); return app.editor?.commit() }
  if (dialogs.isOpen()) return
  if (event.key === 'Escape') {
    if (app.editor) { event.preventDefault(); app.back() }
    else if (!isTyping && app.root.firstChild.classList.contains('reading') && innerWidth <= 700) app.root.firstChild.classList.remove('reading')
    else if (!isTyping && app.side === app.list && app.list.query) app.list.go({})
    return
  }
  if (isTyping || event.altKey) return
  if (control && event.key === 'z') { event.preventDefault(); return app.undo() }
  if (control) return
  if (isGoing) {
    isGoing = false
    event.preventDefault()
    if (places_[event.key]) return app.goTo(places_[event.key])
    if (event.key === 'd') return places.drafts(app)
    if (event.key === 's') return places.about(app)
    return
  }
  const common = { n: () => app.begin({}), g: () => { isGoing = true }, '?': () => places.keys() }
  const acts = app.isAtBooks ? { ...common, '/': () => app.books.search.focus(), b: () => addBook(app) } : {
    ...common, '/': () => app.find(), j: () => app.side.move(1), k: () => app.side.move(-1), ArrowDown: () => app.side.move(1),
    ArrowUp: () => app.side.move(-1), e: () => app.write(), d: () => app.draw(), r: () => app.record(),
    a: () => app.attach(), c: () => app.photograph(), h: () => app.selected && places.history(app, app.selected), s: () => app.reader?.share(),
    '#': () => app.trash(),
  }
  const act = acts[event.key]
  if (!act) return
  event.preventDefault()
  act()
})

// Files that are dropped or pasted belong to the note that is open.
addEventListener('dragover', event => { if (event.dataTransfer?.types.includes('Files')) event.preventDefault() })
addEventListener('drop', event => {
  if (!event.dataTransfer?.files.length || !app.list) return
  event.preventDefault()
  // What is dropped on the list comes from another program; on a note it belongs to that.
  const [file] = event.dataTransfer.files
  if (app.list.root.contains(event.target) && event.dataTransfer.files.length === 1 && places.importable.test(file.name)) return places.importFile(app, file)
  app.send([...event.dataTransfer.files])
})
addEventListener('paste', event => {
  if (!event.clipboardData?.files.length || !app.list) return
  event.preventDefault()
  app.send([...event.clipboardData.files])
})
addEventListener('blur', () => app.editor?.commit(true))
// The back/forward cache would keep a page that was left.
addEventListener('pagehide', () => app.editor?.flush())
addEventListener('beforeunload', event => {
  if (app.isOver) return
  if ((app.editor && app.editor.unsaved !== null) || document.querySelector('.sketch') || app.streams.size || app.isSending) event.preventDefault()
})
addEventListener('pageshow', event => { if (event.persisted) location.reload() })

app.begin_()
