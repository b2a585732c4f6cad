// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { button, el, fail, rendered, say } from './dom.js'
import { confirm } from './dialogs.js'
import { wire } from './wire.js'

// Longer texts are written without colours, which would take longer than a frame.
const coloured = 100_000, plainOnly = 200_000

// A text that is being written. Every second what was typed goes into the vault's journal; it becomes the note when the
// edit ends, after half a minute of quiet, and by Ctrl+S.
export class Editor {
  constructor(app, edit, note) {
    this.app = app
    this.edit = edit.edit
    this.note = note
    this.isNew = edit.isNew
    this.saved = this.committed = edit.text
    if (edit.isDraft || edit.isNew) this.committed = null
    this.state = el('span', { class: 'where', role: 'status' })
    this.isPreview = false
    this.preview = el('div', { class: 'text', hidden: true })
    this.field = edit.text.length > plainOnly ? new AreaField(() => this.typed()) : new TextField(() => this.typed())
    this.field.text = edit.text
    this.toggle = el('button', { type: 'button', 'aria-pressed': 'false', onclick: () => this.look() }, 'Look')
    this.root = el('div', { class: 'reader' },
      el('div', { class: 'bar' }, button('back', 'Back', () => app.back(), { class: 'tool narrow' }), this.state, el('span', { class: 'space' }),
        el('span', { class: 'toggle' }, el('button', { type: 'button', 'aria-pressed': 'false', onclick: () => app.back() }, 'Read'),
          el('button', { type: 'button', 'aria-pressed': 'true' }, 'Write'), this.toggle),
        button('clip', 'Attach files', () => app.attach()), button('trash', 'Discard what was typed', () => this.discard())),
      el('div', { class: 'note' }, el('h1', { class: 'unseen' }, 'Writing'), this.field.element, this.preview))
    this.show('Saved here', 'persisted')
  }

  focus() { this.field.focus() }
  get isChanged() { return this.field.text !== this.committed }

  show(words, kind) { this.state.replaceChildren(el('span', { class: `dot ${kind}` }), words) }

  typed() {
    this.show('Unsaved', 'unsaved')
    clearTimeout(this.pausing)
    clearTimeout(this.resting)
    const now = performance.now()
    this.firstTyped ??= now
    // A second after the last key, and every five seconds at most.
    this.pausing = setTimeout(() => this.journal(), Math.max(0, Math.min(1000, this.firstTyped + 5000 - now)))
    this.resting = setTimeout(() => this.commit(true), 30_000)
  }

  async journal() {
    this.firstTyped = undefined
    const text = this.field.text
    if (text === this.saved || this.edit === null) return
    try {
      await this.turn(() => this.edit === null ? null : wire.bytes(`/api/edit/${this.edit}/journal`, text))
      this.saved = text
      if (this.field.text === text) this.show('Kept as a draft', 'pending')
    } catch (failure) { this.troubled(failure) }
  }

  // One request of this edit at a time.
  turn(work) {
    const result = (this.last ?? Promise.resolve()).catch(() => {}).then(work)
    this.last = result
    return result
  }

  // Makes it the note; goes on with a new edit of it.
  async commit(isQuiet = false) {
    if (!this.isChanged || this.edit === null || (this.isNew && !this.field.text.trim())) return
    const ended = await this.end()
    if (!ended || this.app.editor !== this) return
    if (!isQuiet) say('Saved.')
    const id = ended.notes[0]?.id
    if (!id) return
    try {
      const edit = await this.turn(() => wire.ask('/api/edit', { id }))
      this.edit = edit.edit
      this.note = id
      this.isNew = false
      this.app.selected = id
      // What others changed meanwhile was merged: it is shown, unless somebody types at this moment.
      if (this.field.text === this.committed && edit.text !== this.committed) {
        this.field.text = edit.text
        this.committed = this.saved = edit.text
      }
      this.app.list.mark()
      this.show('Saved here', 'persisted')
    } catch (failure) { this.troubled(failure) }
  }

  async end() {
    clearTimeout(this.pausing)
    clearTimeout(this.resting)
    this.isSaving = true
    const text = this.field.text
    try {
      const ended = await this.turn(() => {
        const edit = this.edit
        if (edit === null) return null
        this.edit = null
        return wire.bytes(`/api/edit/${edit}/commit`, text)
          .catch(failure => { this.edit = edit; throw failure })
      })
      // Somebody else's turn came first, and has saved it.
      if (!ended) return null
      this.committed = this.saved = text
      if (ended.outcome === 'forked') say('The note was changed elsewhere at the same place; both versions are kept.')
      if (ended.outcome === 'merged') say('The note was changed elsewhere; both changes are in it.')
      if (ended.outcome === 'trashed') say('All text was deleted: the note is in the trash. Ctrl+Z brings it back.')
      return ended
    } catch (failure) { this.troubled(failure) } finally { this.isSaving = false }
  }

  // Ends the edit, for something else to be shown.
  async finish() {
    clearTimeout(this.pausing)
    clearTimeout(this.resting)
    if (this.edit === null) return
    const text = this.field.text
    if (text === this.committed || (this.isNew && !text.trim())) {
      try { await this.turn(() => wire.order(`/api/edit/${this.edit}/leave`)) } catch { /* It has ended. */ }
      this.edit = null
      return
    }
    const ended = await this.end()
    if (ended?.notes[0]) this.app.selected = ended.notes[0].id
  }

  async discard() {
    if (this.isChanged && !await confirm('Discard', 'What was typed since the last save is thrown away. It stays among the drafts for a day.', 'Discard')) return
    clearTimeout(this.pausing)
    clearTimeout(this.resting)
    const edit = this.edit
    this.edit = null
    this.app.editor = null
    try { await this.turn(() => wire.order(`/api/edit/${edit}/discard`)) } catch (failure) { fail(failure) }
    if (this.note) this.app.open(this.note)
    else { this.app.root.firstChild.classList.remove('reading'); this.app.showNothing() }
  }

  // A page that is closed has no time to wait for an answer.
  flush() {
    const text = this.field.text
    if (this.edit === null || text === this.saved) return
    fetch(`/api/edit/${this.edit}/journal`, { method: 'POST', body: text, keepalive: text.length < 60_000, headers: { 'Content-Type': 'application/octet-stream' } })
  }

  stop() {
    clearTimeout(this.pausing)
    clearTimeout(this.resting)
    this.field.text = ''
    this.saved = this.committed = ''
    this.edit = null
  }

  async look() {
    this.isPreview = !this.isPreview
    this.toggle.setAttribute('aria-pressed', String(this.isPreview))
    if (this.isPreview) {
      try {
        const nodes = await wire.bytes('/api/preview', this.field.text)
        this.preview.replaceChildren(rendered(nodes, (kind, value, label) => el('span', { class: 'soft' }, label || value)))
      } catch (failure) { this.isPreview = false; return fail(failure) }
    }
    this.preview.hidden = !this.isPreview
    this.field.element.hidden = this.isPreview
    if (!this.isPreview) this.focus()
  }

  changedElsewhere() { this.show('Changed elsewhere too; saving merges both', 'pending') }

  troubled(failure) {
    if (failure.status === 423) return
    this.show('Not saved', 'bad')
    fail(failure)
  }
}

// A text of its own lines: plain text alone can come in.
class TextField {
  constructor(typed) {
    this.element = el('div', { class: 'field', contenteditable: 'plaintext-only', role: 'textbox', 'aria-multiline': 'true', 'aria-label': 'Text', spellcheck: 'false', autocapitalize: 'sentences' })
    this.element.addEventListener('input', () => { typed(); this.colour() })
  }

  // The browser keeps a line feed at the end, so that the last line can be seen; it is not the writer's.
  get text() { return this.element.textContent.replace(/\n$/, '') }
  set text(text) {
    this.element.textContent = text + (text.endsWith('\n') || text === '' ? '\n' : '')
    this.colour()
  }

  focus() {
    this.element.focus()
    const text = this.element.firstChild
    if (text) getSelection().collapse(text, Math.min(text.length, this.text.length))
  }

  colour() {
    if (!CSS.highlights) return
    clearTimeout(this.colouring)
    this.colouring = setTimeout(() => requestAnimationFrame(() => this.colourNow()), 30)
  }

  colourNow() {
    for (const name of Object.keys(marks)) CSS.highlights.delete(name)
    const nodes = document.createTreeWalker(this.element, NodeFilter.SHOW_TEXT)
    if (this.element.textContent.length > coloured) return
    const found = Object.fromEntries(Object.keys(marks).map(name => [name, []]))
    while (nodes.nextNode()) {
      const node = nodes.currentNode
      for (const [name, pattern] of Object.entries(marks)) {
        for (const match of node.data.matchAll(pattern)) {
          if (match[0].length) found[name].push(new StaticRange({ startContainer: node, startOffset: match.index, endContainer: node, endOffset: match.index + match[0].length }))
        }
      }
    }
    for (const [name, ranges] of Object.entries(found)) if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges))
  }
}

const marks = {
  heading: /^#{1,6} .*$/gm, strong: /\*\*[^*\n]+\*\*/g, code: /`[^`\n]+`/g, link: /\[\[[^[\]\n]+\]\]|https?:\/\/[^\s)]+/g,
  sign: /^\s*(?:[-*+]|\d+[.)]) (?:\[[ xX]\] )?|^>+ |\]\([^)\n]*\)/gm, tag: /(?<=^|\s)#[\p{L}\p{N}_/-]+/gmu,
}

class AreaField {
  constructor(typed) {
    this.element = el('textarea', { class: 'field', autocomplete: 'off', spellcheck: 'false', 'aria-label': 'Text', oninput: typed })
  }
  get text() { return this.element.value }
  set text(text) { this.element.value = text }
  focus() { this.element.focus() }
}
