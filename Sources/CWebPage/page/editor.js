// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { button, el, fail, rendered, say } from './dom.js'
import { confirm, dialog } from './dialogs.js'
import { recorded } from './recorder.js'
import { wire } from './wire.js'

// Longer texts are written without colours.
const plainOnly = 200_000

// A text that is being written. Every second what was typed goes into the vault's journal; it becomes the note when the
// edit ends, after half a minute of quiet, and by Ctrl+S.
//
// `committed` is what the note has, `saved` what the journal has; both are compared with the field, and what is said
// about them follows from that alone. Requests of one edit come one after the other (`turn`).
export class Editor {
  constructor(app, edit, note) {
    this.app = app
    this.edit = edit.edit
    this.note = note
    this.isNew = edit.isNew
    this.state = el('span', { class: 'where', role: 'status' })
    this.isPreview = false
    this.preview = el('div', { class: 'text', hidden: true })
    this.field = edit.text.length > plainOnly ? new AreaField(() => this.typed()) : new TextField(() => this.typed())
    this.field.text = edit.text
    // As the field has it: one for long texts has its own line ends.
    this.saved = this.field.text
    this.committed = edit.isDraft || edit.isNew ? null : this.field.text
    this.toggle = el('button', { type: 'button', 'aria-pressed': 'false', onclick: () => this.look() }, 'Look')
    this.root = el('div', { class: 'reader' },
      el('div', { class: 'bar' }, button('back', 'Back', () => app.back(), { class: 'tool narrow' }), this.state, el('span', { class: 'space' }),
        el('span', { class: 'toggle' }, el('button', { type: 'button', 'aria-pressed': 'false', onclick: () => app.back() }, 'Read'),
          el('button', { type: 'button', 'aria-pressed': 'true' }, 'Write'), this.toggle),
        button('clip', 'Attach files', () => app.attach()), app.features.dictation && button('mic', 'Dictate', () => this.dictate()), button('trash', 'Discard changes', () => this.discard())),
      el('div', { class: 'note' }, el('h1', { class: 'unseen' }, 'Writing'), this.field.element, this.preview))
    this.showState()
  }

  focus() { this.field.focus() }
  get isBlank() { return this.isNew && !this.field.text.trim() }
  get isChanged() { return this.field.text !== this.committed && !this.isBlank }
  // What no journal has yet.
  get unsaved() { return this.isChanged && this.field.text !== this.saved ? this.field.text : null }

  show(words, kind) { this.state.replaceChildren(el('span', { class: `dot ${kind}` }), words) }
  showState() {
    const text = this.field.text
    if (text === this.committed || this.isBlank) this.show('Saved here', 'persisted')
    else if (text === this.saved) this.show('Kept as a draft', 'pending')
    else this.show('Unsaved', 'unsaved')
  }

  typed() {
    if (this.isOver) return
    this.showState()
    this.rest()
    const now = performance.now()
    this.firstTyped ??= now
    // A second after the last key, and every five seconds at most.
    this.pausing = setTimeout(() => this.journal(), Math.max(0, Math.min(1000, this.firstTyped + 5000 - now)))
    this.resting = setTimeout(() => this.commit(true), 30_000)
  }

  rest() {
    clearTimeout(this.pausing)
    clearTimeout(this.resting)
  }

  // One request of this edit at a time.
  turn(work) {
    const result = (this.last ?? Promise.resolve()).catch(() => {}).then(work)
    this.last = result
    return result
  }

  // Returns whether the journal has what is in the field.
  journal() {
    this.firstTyped = undefined
    return this.turn(async () => {
      const text = this.field.text
      if (this.isStopped || this.isOver || text === this.saved || this.isBlank) return true
      try {
        if (this.edit === null) await this.beginAgain()
        await wire.bytes(`/api/edit/${this.edit}/journal`, text)
        this.saved = text
        this.showState()
        return true
      } catch (failure) { return this.troubled(failure) }
    })
  }

  // Makes it the note, and goes on with a new edit of it.
  async commit(isQuiet = false) {
    // What is empty for a moment is not thrown away by itself.
    if (!this.isChanged || this.isOver || (isQuiet && !this.field.text.trim())) return
    if (await this.turn(() => this.commitNow(true)) && !isQuiet) say('Saved.')
  }

  async commitNow(stays) {
    if (this.isStopped) return false
    if (!this.isChanged || this.isOver) return true
    this.rest()
    this.isSaving = true
    try {
      if (this.edit === null) await this.beginAgain()
      const text = this.field.text
      const ended = await wire.bytes(`/api/edit/${this.edit}/commit`, text)
      this.edit = null
      this.committed = this.saved = text
      this.isNew = false
      this.note = ended.notes[0]?.id ?? this.note
      if (this.note) this.app.selected = this.note
      if (ended.outcome === 'forked') say('The note was changed elsewhere at the same place; both versions are kept.')
      if (ended.outcome === 'merged') say('The note was changed elsewhere; both changes are in it.')
      if (ended.outcome === 'trashed') {
        say('All text was deleted: the note is in the trash. Ctrl+Z brings it back.')
        if (stays) this.leaveScreen()
      }
      // What is saved is saved, whether or not the next edit can begin; with the next key it is tried again.
      if (stays && ended.outcome !== 'trashed') try { await this.beginAgain() } catch (failure) { fail(failure) }
      this.showState()
      return true
    } catch (failure) { return this.troubled(failure) } finally { this.isSaving = false }
  }

  // Begins an edit of the note as it is now. What others changed comes into the field, beside what was typed since.
  async beginAgain() {
    let edit
    try { edit = await wire.ask('/api/edit', this.note ? { id: this.note } : {}) } catch (failure) {
      if (failure.status !== 404 || !this.note) throw failure
      // The note was deleted for good elsewhere: what is here becomes a new one.
      this.note = this.committed = this.saved = null
      this.isNew = true
      edit = await wire.ask('/api/edit', {})
    }
    if (!edit.edit) throw new Error('the note can no longer be edited')
    this.edit = edit.edit
    if (!this.note || edit.text === this.committed) return
    const ours = this.field.text
    // A commit whose answer was lost.
    if (edit.text === ours) { this.committed = this.saved = ours; return }
    this.field.replace(ours === this.committed ? edit.text : joined(this.committed ?? '', ours, edit.text))
    this.committed = this.saved = edit.text
    this.showState()
  }

  // Ends the edit, for something else to be shown; false when something of it could not be saved.
  async finish() {
    this.rest()
    do {
      if (!await this.turn(() => this.commitNow(false)) && !this.isDraftOfLockedNote) return false
    } while (this.isChanged && !this.isDraftOfLockedNote)
    // From here on nothing can be typed: nobody would keep it.
    this.isOver = true
    this.root.inert = true
    this.field.release?.()
    this.rest()
    await this.turn(async () => {
      if (this.edit !== null && !this.isDraftOfLockedNote) try { await wire.order(`/api/edit/${this.edit}/leave`) } catch { /* It has ended. */ }
      this.edit = null
    })
    return true
  }

  async discard() {
    // Nothing is saved behind the question.
    this.rest()
    if (this.isChanged && !await confirm('Discard', 'Text typed since the last save is discarded. It is kept with the discarded drafts for a day.', 'Discard')) return this.typed()
    if (!await this.journal()) return
    const isDone = await this.turn(async () => {
      if (this.edit === null) return true
      try { await wire.order(`/api/edit/${this.edit}/discard`) } catch (failure) { fail(failure); return false }
      this.edit = null
      return true
    })
    if (!isDone) return
    this.isOver = true
    this.rest()
    this.leaveScreen()
  }

  leaveScreen() {
    this.isOver = true
    this.app.editor = null
    if (this.note) this.app.open(this.note)
    else { this.app.root.firstChild.classList.remove('reading'); this.app.showNothing() }
  }

  // A page that is closed has no time to wait for an answer: what is typed becomes a draft.
  flush() {
    if (this.edit === null || this.isStopped) return
    const text = this.field.text, isChanged = this.isChanged
    const byteCount = new TextEncoder().encode(text).length
    fetch(`/api/edit/${this.edit}/${isChanged ? 'keep' : 'leave'}`, {
      method: 'POST', body: isChanged ? text : undefined, keepalive: byteCount < 60_000,
      headers: wire.keyed(isChanged ? { 'Content-Type': 'application/octet-stream' } : {}),
    }).catch(() => {})
  }

  stop() {
    this.rest()
    this.isStopped = true
    this.field.text = ''
    this.field.release?.()
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

  // What is said into the microphone becomes text on this machine, by the program of the settings: no service hears it.
  async dictate() {
    const clip = await recorded(this.app, 'Dictate', 'Transcribe it', { isSpeech: true })
    if (!clip || this.app.isOver) return
    say('Transcribing the recording…')
    let text
    try { text = (await wire.bytes('/api/dictation', clip)).text.trim() } catch (failure) {
      // Nothing of it belongs on the screen of a locked vault.
      if (this.app.isOver) return
      fail(failure)
      // What was said is not lost with a program that fails.
      const name = `dictation.${clip.type.startsWith('audio/ogg') ? 'ogg' : 'webm'}`
      dialog('Not transcribed', el('div', { class: 'stack' }, el('p', {}, failure.message),
        el('a', { class: 'link', href: URL.createObjectURL(clip), download: name }, 'Save the recording as a file, unencrypted')))
      return
    }
    if (!text) return say('No speech was recognised.', true)
    // Somebody has gone on to something else meanwhile.
    if (this.isOver || this.isStopped) {
      if (!this.app.isOver) dialog('What was said', el('div', { class: 'stack' }, el('p', { class: 'soft' }, 'The note is no longer open. Copy the text to where it belongs.'), el('textarea', { readonly: true, rows: 8, 'aria-label': 'What was said' }, text)))
      return
    }
    this.field.insert(text)
    this.typed()
  }

  changedElsewhere() { this.show('Changed elsewhere too; saving merges both', 'pending') }

  troubled(failure) {
    if (failure.isVault || this.isStopped) return false
    if (failure.code === 3) {
      // The agent has put the text into the journal before it refused.
      this.isDraftOfLockedNote = true
      this.saved = this.field.text
      this.show('This note was locked; what you typed is a draft', 'pending')
      say('This note was locked meanwhile; what you typed is kept as a draft.', true)
      return false
    }
    // The server does not know this edit any more: another one begins.
    if (failure.status === 404) this.edit = this.saved = null
    this.show('Not saved', 'bad')
    fail(failure)
    // It is tried again, for as long as the text is here.
    clearTimeout(this.pausing)
    this.pausing = setTimeout(() => this.journal(), 5000)
    return false
  }
}

// Puts what was typed between `base` and `ours` into `theirs`, which others have made of `base`. Where its place cannot
// be found, what was typed stands at the end: nothing of either is left out.
export function joined(base, ours, theirs) {
  let begin = 0
  while (begin < base.length && begin < ours.length && base[begin] === ours[begin]) begin++
  let end = 0
  while (end < base.length - begin && end < ours.length - begin && base[base.length - 1 - end] === ours[ours.length - 1 - end]) end++
  const typed = ours.slice(begin, ours.length - end), before = base.slice(0, begin), after = base.slice(base.length - end)
  const gone = base.slice(begin, base.length - end)
  if (theirs.startsWith(before + gone)) return before + typed + theirs.slice(begin + gone.length)
  if (theirs.endsWith(gone + after)) return theirs.slice(0, theirs.length - after.length - gone.length) + typed + after
  return `${theirs.replace(/\n*$/, '')}\n\n${typed}\n`
}

// A text with words put into it, with a space where it needs one, and where they end.
function placed(text, words, at) {
  const before = text.slice(0, at), after = text.slice(at)
  const put = before + (/\S$/.test(before) ? ' ' : '') + words
  return [put + (/^\S/.test(after) ? ' ' : '') + after, put.length]
}

// A text of its own lines: plain text alone can come in.
class TextField {
  constructor(typed) {
    this.element = el('div', { class: 'field', contenteditable: 'plaintext-only', role: 'textbox', 'aria-multiline': 'true', 'aria-label': 'Text', spellcheck: 'false', autocapitalize: 'sentences' })
    this.element.addEventListener('input', () => { typed(); this.colour() })
    // Whatever scrolls it: the event does not bubble.
    this.scrolled = () => this.colour()
    document.addEventListener('scroll', this.scrolled, { capture: true, passive: true })
  }

  // Nothing of the text is held any more.
  release() {
    document.removeEventListener('scroll', this.scrolled, { capture: true })
    clearTimeout(this.colouring)
    this.isReleased = true
    for (const name of Object.keys(marks)) CSS.highlights?.delete(name)
  }

  // The browser keeps a line feed at the end, so that the last line can be seen; it is not the writer's.
  get text() { return this.element.textContent.replace(/\n$/, '') }
  set text(text) {
    this.element.textContent = text + (text.endsWith('\n') || text === '' ? '\n' : '')
    this.colour()
  }

  // Exchanges the text while somebody writes: the caret stays as far from the end as it was.
  replace(text) {
    const selection = getSelection(), isHere = this.element.contains(selection.anchorNode)
    const fromEnd = this.text.length - (isHere && selection.anchorNode === this.element.firstChild ? selection.anchorOffset : this.text.length)
    this.text = text
    const node = this.element.firstChild
    if (isHere && node) selection.collapse(node, Math.max(0, Math.min(node.length, text.length - fromEnd)))
  }

  // Puts a text where the caret is, or at the end.
  insert(words) {
    const text = this.text, selection = getSelection()
    const isHere = this.element.contains(selection.anchorNode) && selection.anchorNode === this.element.firstChild
    const at = isHere ? Math.min(selection.anchorOffset, text.length) : text.length
    const [all, end] = placed(text, words, at)
    this.text = all
    const node = this.element.firstChild
    if (node && document.activeElement === this.element) selection.collapse(node, Math.min(end, node.length))
  }

  focus() {
    this.element.focus()
    const text = this.element.firstChild
    if (text) getSelection().collapse(text, Math.min(text.length, this.text.length))
  }

  colour() {
    if (!CSS.highlights || this.colouring || this.isReleased) return
    this.colouring = setTimeout(() => { this.colouring = null; requestAnimationFrame(() => this.colourNow()) }, 30)
  }

  // Colours what can be seen and a screen before and behind it: a long text costs no more than a short one.
  colourNow() {
    if (this.isReleased) return
    for (const name of Object.keys(marks)) CSS.highlights.delete(name)
    const nodes = document.createTreeWalker(this.element, NodeFilter.SHOW_TEXT)
    const found = Object.fromEntries(Object.keys(marks).map(name => [name, []]))
    while (nodes.nextNode()) {
      const node = nodes.currentNode, [first, text] = seen(node)
      for (const [name, pattern] of Object.entries(marks)) {
        for (const match of text.matchAll(pattern)) {
          const at = first + match.index
          if (match[0].length) found[name].push(new StaticRange({ startContainer: node, startOffset: at, endContainer: node, endOffset: at + match[0].length }))
        }
      }
    }
    for (const [name, ranges] of Object.entries(found)) if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges))
  }
}

// The lines of a text that lie on the screen, or near it, and where they begin.
function seen(node) {
  const data = node.data
  if (data.length < 8000) return [0, data]
  const range = document.createRange()
  // Offsets are found by halving: heights grow with them.
  const offsetAt = y => {
    let [low, high] = [0, data.length]
    while (high - low > 200) {
      const middle = (low + high) >> 1
      let at = middle
      // A line feed has no place of its own.
      while (data[at] === '\n' && at < high) at++
      range.setStart(node, at)
      range.setEnd(node, Math.min(at + 1, data.length))
      if (at < high && range.getBoundingClientRect().top < y) low = middle
      else high = middle
    }
    return low
  }
  const first = data.lastIndexOf('\n', Math.max(0, offsetAt(-innerHeight) - 1)) + 1
  const end = data.indexOf('\n', offsetAt(2 * innerHeight) + 200)
  return [first, data.slice(first, end < 0 ? data.length : end)]
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
  insert(words) {
    const [text, end] = placed(this.element.value, words, this.element.selectionStart)
    this.element.value = text
    this.element.selectionStart = this.element.selectionEnd = end
  }
  replace(text) {
    const fromEnd = this.element.value.length - this.element.selectionStart
    this.element.value = text
    this.element.selectionStart = this.element.selectionEnd = Math.max(0, this.element.value.length - fromEnd)
  }
  focus() { this.element.focus() }
}
