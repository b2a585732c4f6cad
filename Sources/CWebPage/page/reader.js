// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { bookHeader } from './booknotes.js'
import { confirm, dialog, menu, prompt } from './dialogs.js'
import { button, el, fail, icon, rendered, say, size, whole } from './dom.js'
import * as files from './files.js'
import * as places from './places.js'
import { Failure, wire } from './wire.js'

// A note to be read, with all that hangs on it.
export class Reader {
  constructor(app, id) {
    this.app = app
    this.id = id
    this.bar = el('div', { class: 'bar' })
    this.body = el('article', { class: 'note', tabindex: '-1' })
    this.root = el('div', { class: 'reader' }, this.bar, this.body)
  }

  async load(unattended = false) {
    let found
    try { found = await wire.ask('/api/show', { id: this.id, unattended }) } catch (failure) {
      if (this.app.reader !== this) return
      const row = this.app.list.row(this.app.list.indexOf(this.id))
      if (row?.locked || failure.code === 3) return this.showLocked()
      if (failure.code === 5) return this.app.showNothing()
      return fail(failure)
    }
    if (this.app.reader !== this) return
    this.note = found.shown.notes[0]
    this.titleIsSet = found.titleIsSet
    this.draw(found.nodes)
  }

  draw(nodes) {
    files.forget()
    const note = this.note
    const isTrashed = note.trashed
    this.bar.replaceChildren(
      button('back', 'Back to the list', () => this.app.back(), { class: 'tool narrow' }),
      el('span', { class: 'where' }, note.notebook && `${note.notebook} · `, el('span', { class: `dot ${note.state}` }), states[note.state] ?? 'Saved here'),
      el('span', { class: 'space' }),
      el('span', { class: 'toggle' }, el('button', { type: 'button', 'aria-pressed': 'true' }, 'Read'),
        el('button', { type: 'button', 'aria-pressed': 'false', onclick: () => this.app.write(this.id) }, 'Write')),
      button('clip', 'Attach files (a)', () => this.app.attach()), button('sketch', 'Draw (d)', () => this.app.draw()),
      button('camera', 'Take a photo (c)', () => this.app.photograph(), { class: 'tool roomy' }), button('mic', 'Record (r)', () => this.app.record()), button('history', 'History (h)', () => places.history(this.app, this.id)),
      button('share', 'Share (s)', () => this.share()),
      button('more', 'More', event => this.more(event.currentTarget), { 'aria-haspopup': 'true' }))
    // The first line of a text is its title, unless it has one of its own.
    const title = el('h1', {}, note.title || '(untitled)')
    const shown = this.titleIsSet ? nodes : withoutTitle(nodes, note.title)
    const used = new Set()
    const made = (kind, value, label) => this.made(kind, value, label, used)
    const text = el('div', { class: 'text' }, rendered(shown, made))
    const rest = note.attachments.filter(attachment => !used.has(attachment.id))
    this.body.replaceChildren(...(note.book ? [bookHeader(this.app, note.book)] : []), title,
      el('p', { class: 'facts' }, note.tags.map(tag => el('button', { type: 'button', class: 'chip', onclick: () => this.app.list.go({ place: 'live', tag }) }, tag)),
        el('span', {}, `Changed ${whole(note.updated)}`), note.private && el('span', {}, ' · private'), isTrashed && el('span', {}, ' · in the trash'),
        note.forked && el('button', { type: 'button', class: 'link', onclick: () => places.conflict(this.app, this.id) }, 'Two versions: look at both')),
      text, el('div', { class: 'files' }, rest.map(attachment => this.attachment(attachment))))
  }

  // What a text refers to.
  made(kind, value, label, used) {
    if (kind === 'note') return el('button', { type: 'button', class: 'link', onclick: () => this.follow(value) }, label)
    if (kind === 'address') return el('button', { type: 'button', class: 'link', onclick: () => this.app.open(value) }, label)
    const attachment = this.note.attachments.find(one => one.name === value)
    if (!attachment) return el('span', { class: 'soft' }, label || value)
    if (kind === 'file') return files.saving(this.address(attachment), attachment.name, label || value)
    used.add(attachment.id)
    return this.attachment(attachment, label)
  }

  address(attachment) { return `/file/${this.id}/${attachment.id}` }

  attachment(attachment, label) {
    const address = this.address(attachment)
    const words = attachment.caption || label || attachment.name
    const caption = el('figcaption', {}, el('span', {}, words), el('span', { class: 'soft' }, ` · ${size(attachment.byteCount)}`),
      attachment.kind === 'sketch' && el('button', { type: 'button', class: 'link', onclick: () => this.app.draw(attachment) }, 'edit'),
      files.saving(address, attachment.name, 'save', { class: 'link' }),
      el('button', { type: 'button', class: 'link', onclick: () => this.remove(attachment) }, 'remove'))
    const figure = (...content) => el('figure', { class: `of-${attachment.kind}` }, content, caption)
    switch (attachment.kind) {
      case 'photo':
      case 'sketch': {
        // A photo of a camera comes small; as it is when it is looked at, or where there is no small one.
        const isSmall = attachment.kind === 'photo' && attachment.byteCount > 200_000
        const picture = files.picture(isSmall ? `/small/${this.id}/${attachment.id}` : address, { alt: words, loading: 'lazy', decoding: 'async', width: attachment.width || null, height: attachment.height || null }, isSmall ? address : null)
        return figure(el('button', { type: 'button', class: 'picture', 'aria-label': `Look at ${words}`, onclick: () => this.enlarge(address, words) }, picture))
      }
      case 'audio': return figure(files.media('audio', address, words))
      case 'video': return figure(files.media('video', address, words))
      default: return figure(el('span', { class: 'file' }, icon('file'), attachment.name))
    }
  }

  enlarge(address, words) { dialog(words, files.picture(address, { class: 'large', alt: words }), { wide: true }) }

  async remove(attachment) {
    if (!await confirm('Remove a file', `${attachment.name} will be removed from this note. Ctrl+Z restores it.`, 'Remove')) return
    try { await wire.ask('/api/attachment/remove', { id: this.id, name: attachment.id }) } catch (failure) { return fail(failure) }
    this.load()
  }

  async follow(title) {
    try {
      const { notes } = await wire.ask('/api/list', { filter: `title:"${title.replaceAll('"', '')}"`, limit: 2 })
      const exact = notes.find(note => note.title === title) ?? notes[0]
      if (exact) return this.app.open(exact.id)
      if (await confirm('No such note', `There is no note "${title}" yet.`, 'Write it')) this.app.begin({ text: `${title}\n\n` })
    } catch (failure) { fail(failure) }
  }

  // MARK: Private notes

  showLocked() {
    files.forget()
    const trouble = el('p', { class: 'trouble', role: 'alert' })
    const input = el('input', { type: 'password', autocomplete: 'off', required: true, 'aria-label': 'The note\'s password', placeholder: 'The note\'s password' })
    this.bar.replaceChildren(button('back', 'Back to the list', () => this.app.back(), { class: 'tool narrow' }))
    this.body.replaceChildren(el('form', {
      class: 'stack locked', autocomplete: 'off',
      onsubmit: async event => {
        event.preventDefault()
        const bytes = new TextEncoder().encode(input.value)
        input.value = ''
        try {
          await wire.bytes(`/api/private/${this.id}/unlock`, bytes)
          await this.load()
          this.app.list.reload()
        } catch (failure) {
          trouble.textContent = failure.code === 4 ? 'Wrong password.' : failure.message
          input.focus()
        } finally { bytes.fill(0) }
      },
    }, icon('lock'), el('h1', {}, 'Private note'), el('p', { class: 'soft' }, 'It has a password of its own.'), input, trouble, el('button', { class: 'main' }, 'Unlock')))
    input.focus()
  }

  async makePrivate() {
    const password = await prompt('Make this note private', {
      label: 'A password for this note', action: 'Make private', isPassword: true, repeat: true,
      help: 'Nobody can read the note without it, and it cannot be recovered.',
    })
    if (password) await this.secret('protect', password, 'The note is private, and locked.')
  }

  async removePassword() {
    const password = await prompt('Make this note an ordinary one', { label: 'The note\'s password', action: 'Remove the password', isPassword: true })
    if (password) await this.secret('remove', password, 'The note no longer has a password.')
  }

  async secret(verb, password, words) {
    try {
      await wire.bytes(`/api/private/${this.id}/${verb}`, new TextEncoder().encode(password))
      say(words)
    } catch (failure) { fail(failure.code === 4 ? new Failure(403, { message: 'wrong password' }) : failure) }
    this.app.refresh()
  }

  async lockAgain() {
    try { await wire.order(`/api/private/${this.id}/lock`) } catch (failure) { return fail(failure) }
    this.app.refresh()
    this.showLocked()
  }

  // MARK: What can be done

  async change(what, value, words) {
    try {
      await wire.ask('/api/change', { id: this.id, what, value })
      say(words)
      this.load()
    } catch (failure) { fail(failure) }
  }

  more(anchor) {
    const note = this.note
    if (!note) return
    menu(anchor, [
      [note.pinned ? 'Unpin' : 'Pin', () => this.change('pin', !note.pinned, note.pinned ? 'Unpinned.' : 'Pinned.')],
      ['Title…', async () => {
        const title = await prompt('Title', { label: 'Title', value: note.title, action: 'Set' })
        if (title !== null) this.change('title', title, 'The title is set.')
      }],
      ['Tags…', async () => {
        const text = await prompt('Tags', { label: 'Tags, with spaces between', value: note.tags.join(' '), action: 'Set' })
        if (text === null) return
        const wanted = text.split(/\s+/).filter(Boolean), gone = note.tags.filter(tag => !wanted.includes(tag))
        if (gone.length) await this.change('untag', gone, 'The tags are set.')
        if (wanted.length) await this.change('tag', wanted, 'The tags are set.')
        this.app.list.showTags()
      }],
      ['Notebook…', async () => {
        const name = await prompt('Notebook', { label: 'Notebook', value: note.notebook, action: 'Move' })
        if (name !== null) this.change('notebook', name, 'Moved.')
      }],
      note.private ? ['Lock this note', () => this.lockAgain()] : ['Make private…', () => this.makePrivate()],
      note.private && ['Remove the password…', () => this.removePassword()],
      ['Take a photo (c)', () => this.app.photograph()],
      ['Links here', () => places.backlinks(this.app, this.id)],
      ['Duplicate', async () => {
        try {
          const { notes } = await wire.ask('/api/duplicate', { id: this.id })
          this.app.open(notes[0].id)
        } catch (failure) { fail(failure) }
      }],
      [note.place === 'archive' ? 'Unarchive' : 'Archive', () => this.change('archive', note.place !== 'archive', note.place === 'archive' ? 'Unarchived.' : 'Archived.')],
      ['Details', () => places.details(this.app, note)],
      [note.trashed ? 'Put back' : 'Move to the trash (#)', () => this.app.trash(this.id)],
    ])
  }

  async code() {
    const text = new TextEncoder().encode(this.note.body)
    if (text.length > 2000) return say('The text is too long for a QR code: 2,000 bytes fit.', true)
    try {
      const { rows } = await wire.bytes('/api/code', text)
      dialog('QR code', el('div', { class: 'stack' }, drawn(rows), el('p', { class: 'soft' }, 'Anyone who scans it gets the text.')))
    } catch (failure) { fail(failure) }
  }

  share() {
    const note = this.note
    if (!note) return
    const name = (note.title || 'note').replace(/[^\p{L}\p{N} _-]+/gu, ' ').trim().slice(0, 60) || 'note'
    const copy = async () => {
      await navigator.clipboard.writeText(note.body)
      say('Copied. The clipboard is not cleared automatically.')
      shown.close()
    }
    const save = () => {
      const address = URL.createObjectURL(new Blob([note.body], { type: 'text/markdown' }))
      el('a', { href: address, download: `${name}.md` }).click()
      setTimeout(() => URL.revokeObjectURL(address), 10000)
      shown.close()
    }
    const shown = dialog('Share', el('div', { class: 'stack' },
      el('p', { class: 'soft' }, 'What is shared is no longer encrypted.'),
      el('button', { class: 'main', autofocus: true, onclick: copy }, 'Copy the text'), el('button', { onclick: save }, 'Save as a file'),
      el('button', { onclick: async () => { await navigator.clipboard.writeText(`vault://note/${this.id}`); say('The link is copied: it opens this note on this machine.'); shown.close() } }, 'Copy a link to it'),
      el('button', { onclick: () => { shown.close(); this.code() } }, 'Show as a QR code'),
      navigator.share && el('button', { onclick: () => navigator.share({ title: note.title, text: note.body }).catch(() => {}) }, 'Share with a program…')))
  }
}

// A code that a phone reads from this screen: nothing is sent.
function drawn(rows) {
  const size = 4, border = 4 * size, side = rows.length * size + 2 * border
  const canvas = el('canvas', { width: side, height: side, class: 'code', role: 'img', 'aria-label': 'QR code of the text' })
  const pen = canvas.getContext('2d')
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, side, side)
  pen.fillStyle = '#000'
  rows.forEach((row, y) => [...row].forEach((dark, x) => { if (dark === '1') pen.fillRect(border + x * size, border + y * size, size, size) }))
  return canvas
}

const states = { persisted: 'Saved here', pending: 'Saved here, not uploaded yet', uploaded: 'Uploaded' }

// The first line again, where the text begins with its title.
function withoutTitle(nodes, title) {
  const words = node => typeof node === 'string' ? node : node[1].map(words).join('')
  const first = nodes[0]
  if (!first || typeof first === 'string') return nodes
  if (/^h[1-6]$/.test(first[0]) && words(first).trim() === title) return nodes.slice(1)
  if (first[0] !== 'p') return nodes
  const lineEnd = first[1].findIndex(node => node[0] === 'br')
  const line = lineEnd < 0 ? first[1] : first[1].slice(0, lineEnd)
  if (line.map(words).join('').trim() !== title) return nodes
  return lineEnd < 0 ? nodes.slice(1) : [['p', first[1].slice(lineEnd + 1)], ...nodes.slice(1)]
}
