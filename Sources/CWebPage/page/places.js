// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { confirm, dialog } from './dialogs.js'
import { el, fail, say, size, whole } from './dom.js'
import { wire } from './wire.js'

// Lists over the page: drafts, history, two versions, links, what is known of the vault.

export async function drafts(app) {
  let found
  try { found = (await wire.ask('/api/drafts', {})).drafts } catch (failure) { return fail(failure) }
  const row = draft => el('li', {},
    el('span', {}, el('b', {}, draft.title || '(new note)'), el('span', { class: 'soft' }, ` ${whole(draft.saved)} · ${size(draft.byteCount)} · ${draft.state}`)),
    el('button', { type: 'button', onclick: () => { shown.close(); app.begin({ draft: draft.id }) } }, 'Go on'),
    el('button', { type: 'button', onclick: async () => {
      try { await wire.ask('/api/draft/discard', { id: draft.id }) } catch (failure) { return fail(failure) }
      shown.close()
      say('Discarded; it is kept for a day.')
      app.lookAtDrafts()
    } }, 'Discard'))
  const shown = dialog('Drafts', found.length ? el('ul', { class: 'entries' }, found.map(row)) : el('p', { class: 'soft' }, 'There are no drafts.'))
}

export async function history(app, id) {
  let found
  try { found = (await wire.ask('/api/history', { id })).revisions } catch (failure) { return fail(failure) }
  const difference = el('pre', { class: 'difference', tabindex: '0', 'aria-label': 'Difference' })
  const look = async revision => {
    try {
      const before = found[found.indexOf(revision) + 1]
      const { diff } = await wire.ask('/api/compare', before ? { id, from: before.id, to: revision.id } : { id, to: revision.id })
      difference.replaceChildren(...lines(diff))
    } catch (failure) { fail(failure) }
  }
  const row = revision => el('li', {},
    el('button', { type: 'button', class: 'link', onclick: () => look(revision) }, whole(revision.made)),
    el('span', { class: 'soft' }, revision.damaged ? ' damaged' : ` ${revision.changes.join(', ')}`),
    !revision.head && el('button', { type: 'button', onclick: async () => {
      try { await wire.ask('/api/revert', { id, revision: revision.id }) } catch (failure) { return fail(failure) }
      shown.close()
      say('The note is as it was then. Ctrl+Z takes that back.')
      app.open(id)
    } }, 'Bring back'))
  const shown = dialog('History', el('div', { class: 'sides' }, el('ul', { class: 'entries' }, found.map(row)), difference), { wide: true })
  const first = found.find(revision => revision.changes.some(change => /text|revision/.test(change)))
  if (first) look(first)
}

// A unified diff, with what came and what went told apart by more than colour: the signs stay.
function lines(diff) {
  return diff.split('\n').filter(line => !line.startsWith('---') && !line.startsWith('+++')).map(line =>
    el('span', { class: line.startsWith('+') ? 'came' : line.startsWith('-') ? 'went' : '' }, `${line}\n`))
}

export async function conflict(app, id) {
  let found
  try { found = await wire.ask('/api/conflict', { id }) } catch (failure) { return fail(failure) }
  const keep = async revision => {
    try { await wire.ask('/api/resolve', { id, keep: revision }) } catch (failure) { return fail(failure) }
    shown.close()
    app.open(id)
  }
  const versions = found.versions ?? []
  const side = version => el('section', { class: 'stack' },
    el('p', { class: 'soft' }, [version.made ? whole(version.made) : '', version.thisDevice ? 'this device' : 'another device', version.shown && 'shown now'].filter(Boolean).join(' · ')),
    version.diff && el('pre', { class: 'difference', tabindex: '0' }, lines(version.diff)),
    el('button', { type: 'button', onclick: () => keep(version.revision) }, 'Keep this one'))
  const shown = dialog('Two versions', el('div', { class: 'stack' }, el('div', { class: 'sides' }, versions.map(side)),
    el('button', { type: 'button', class: 'main', onclick: () => { shown.close(); app.begin({ merge: id }) } }, 'Merge them in the editor')), { wide: true })
}

export async function backlinks(app, id) {
  let found
  try { found = (await wire.ask('/api/backlinks', { id })).notes } catch (failure) { return fail(failure) }
  const row = note => el('li', {}, el('button', { type: 'button', class: 'link', onclick: () => { shown.close(); app.open(note.id) } }, note.title || '(untitled)'))
  const shown = dialog('Links here', found.length ? el('ul', { class: 'entries' }, found.map(row)) : el('p', { class: 'soft' }, 'No note leads here.'))
}

function table(rows) { return el('dl', {}, rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))])) }

export function details(app, note) {
  dialog('Details', table([
    ['Identifier', note.id], ['Made', whole(note.created)], ['Changed', whole(note.updated)], ['Size', size(note.byteCount)],
    ['Notebook', note.notebook || 'none'], ['Tags', note.tags.join(', ') || 'none'], ['Attachments', note.attachments.length],
    ['Private', note.private ? 'yes, with a password of its own' : 'no'], ['Where', note.state],
  ]))
}

export async function about(app) {
  let status
  try { status = await wire.ask('/api/status', {}) } catch (failure) { return fail(failure) }
  const theme = el('select', { 'aria-label': 'Colours', onchange: event => { document.documentElement.dataset.theme = event.target.value } },
    [['', 'as the system has them'], ['light', 'light'], ['dark', 'dark']].map(([value, label]) => el('option', { value, selected: (document.documentElement.dataset.theme ?? '') === value }, label)))
  const known = Object.entries(status).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  const empty = el('button', { type: 'button', onclick: async () => {
    shown.close()
    if (!await confirm('Empty the trash', 'All notes in the trash are deleted for good.', 'Delete them')) return
    try { say(`${(await wire.order('/api/empty')).removed} deleted for good.`) } catch (failure) { fail(failure) }
  } }, 'Empty the trash…')
  const shown = dialog('About and settings', el('div', { class: 'stack' },
    el('label', { class: 'line' }, 'Colours', theme), table(known.map(([name, value]) => [name.replace(/([A-Z])/g, ' $1').toLowerCase(), value])), empty,
    el('p', { class: 'soft' }, 'Passwords, keys, backups and devices are looked after in the terminal: vault help.')))
}

export function keys() {
  dialog('Keys', table([
    ['/', 'search; Enter without a hit makes a note of that name'], ['j k', 'next and previous note'], ['n', 'new note'], ['e', 'write'],
    ['d', 'draw'], ['r', 'record'], ['a', 'attach files'], ['h', 'history'], ['s', 'share'], ['#', 'to the trash'], ['Ctrl+Z', 'undo'],
    ['Ctrl+S', 'save'], ['Esc', 'back'], ['g n · g a · g t · g d · g s', 'notes, archive, trash, drafts, settings'], ['Ctrl+L', 'lock'],
  ]))
}
