// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { confirm, dialog } from './dialogs.js'
import { el, fail, say, size, whole } from './dom.js'
import { remotes } from './remotes.js'
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
      say('The note was reverted. Ctrl+Z undoes this.')
      app.open(id)
    } }, 'Revert to this'))
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
  const shown = dialog('Links here', found.length ? el('ul', { class: 'entries' }, found.map(row)) : el('p', { class: 'soft' }, 'No notes link here.'))
}

function table(rows) { return el('dl', {}, rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))])) }

export function details(app, note) {
  dialog('Details', table([
    ['Identifier', note.id], ['Made', whole(note.created)], ['Changed', whole(note.updated)], ['Size', size(note.byteCount)],
    ['Notebook', note.notebook || 'none'], ['Tags', note.tags.join(', ') || 'none'], ['Attachments', note.attachments.length],
    ['Private', note.private ? 'yes, with a password of its own' : 'no'], ['Where', note.state],
  ]))
}

// What the programs of the terminal report, to be read here.
async function report(name, title, drawn) {
  let found
  try { found = await wire.order(`/api/report/${name}`) } catch (failure) { return fail(failure) }
  dialog(title, el('div', { class: 'stack' }, drawn(found)), { wide: true })
}

const listed = rows => el('ul', { class: 'entries' }, rows)
const reports = {
  keys: () => report('keys', 'What opens the vault', found => [
    listed(found.keys.map(key => el('li', {}, el('b', {}, key.name || key.kind), el('span', { class: 'soft' }, ` ${[key.kind !== key.name && key.kind, key.memoryKiB && `Argon2id, ${size(key.memoryKiB * 1024)}`, key.made && whole(key.made)].filter(Boolean).join(' · ')}`)))),
    el('p', { class: 'soft' }, 'Passwords are changed in the terminal: vault passwd, vault key.')]),
  doctor: () => report('doctor', 'Security of this machine', found => [
    listed(found.checks.map(one => el('li', {}, el('span', {}, el('b', {}, `${one.state}: ${one.name}: `), one.message, one.hint && el('span', { class: 'soft' }, ` — ${one.hint}`)))))]),
  settings: () => report('settings', 'Settings', found => [
    table(found.settings.map(one => [one.key, [one.value ?? 'not set', one.source !== 'default' && one.source].filter(Boolean).join(' · ')])),
    el('p', { class: 'soft' }, 'They are changed in the terminal: vault config set NAME VALUE.')]),
}

async function exportAll() {
  if (!await confirm('Export everything', 'All notes with their history, those in the trash too, are saved as one JSON file, which is not encrypted. Private notes that are locked are left out.', 'Save unencrypted')) return
  say('Exporting…')
  try {
    const file = await wire.blob('/api/export')
    const { code } = await wire.order('/api/export/end')
    const address = URL.createObjectURL(file)
    el('a', { href: address, download: 'vault.json' }).click()
    setTimeout(() => URL.revokeObjectURL(address), 60000)
    say(code === 0 ? 'Exported, unencrypted.' : 'Exported, unencrypted. Something is missing in it: private notes that are locked, or what is damaged. vault export json in a terminal names it.', code !== 0)
  } catch (failure) { fail(failure) }
}

export const importable = /\.(json|jex|enex|zip|txt|md)$/i

export function chooseImport(app) {
  const input = el('input', { type: 'file', accept: '.json,.jex,.enex,.zip,.txt,.md' })
  input.onchange = () => importFile(app, input.files[0])
  input.click()
}

// Imports a file of another program, and says what could not be carried over.
export async function importFile(app, file) {
  const kind = importable.exec(file.name)?.[1].toLowerCase()
  if (!kind) return say('Files of this kind are not imported: vault help import names those that are.', true)
  if (!await confirm('Import', `Notes of ${file.name} are added to this vault; notes imported before from a file with this name are updated.`, 'Import')) return
  say(`Importing ${file.name}…`)
  let found
  try { found = await wire.file(`/api/import/${kind}`, file, file.name) } catch (failure) {
    app.refresh()
    return fail(failure)
  }
  const { done, losses: losing, isComplete } = found.report
  const isNothing = done.created + done.updated + done.unchanged === 0
  const title = isNothing ? 'Nothing was imported' : found.code === 0 ? 'Imported' : found.code === 12 ? 'Imported, with losses' : 'Imported in part'
  say(`${title}.`, found.code !== 0 && found.code !== 12)
  const rows = [['New notes', done.created], ['Updated', done.updated], ['Unchanged', done.unchanged], ['Attachments', done.attachments]]
  dialog(title, el('div', { class: 'stack' }, table(rows),
    (isNothing || (found.code !== 0 && found.code !== 12)) && el('p', {}, isNothing ? 'No note was found in this file.' : 'The file could not be read to its end, or the vault could not take all of it: vault import auto FILE in a terminal says more.'),
    losing.length > 0 && el('p', {}, 'This could not be carried over:'),
    losing.length > 0 && listed(losing.slice(0, 1000).map(loss => el('li', {}, el('span', {}, el('b', {}, loss.source ?? loss.path ?? ''), ` ${loss.sentence ?? loss.message ?? loss.code}${loss.detail ? `: ${loss.detail}` : ''}`)))),
    losing.length > 1000 && el('p', {}, `and ${losing.length - 1000} more`)), { wide: true })
  app.refresh()
}

// A link for the bookmarks of another browser: it hands title and address of what is read there to the desktop's
// handler of vault://, which opens this page anew. No address of this page is in it.
function bookmarklet() {
  const code = "javascript:((page,place)=>{place.href='vault://new?title='+encodeURIComponent([...page.title].slice(0,100).join(''))+'&url='+encodeURIComponent(place.href)})(document,location)"
  const link = el('a', { href: code, class: 'link', onclick: event => event.preventDefault() }, 'Note it in vault')
  dialog('Bookmarklet', el('div', { class: 'stack' }, el('p', {}, 'Drag this link to the bookmarks of your browser. It makes a note of the title and address of the page you are reading, after you confirm here.'),
    el('p', {}, link), el('p', { class: 'soft' }, 'The desktop must know vault:// links: make install adds vault.desktop.')))
}

// What another program hands over becomes a note when its owner says so.
export async function shared(app, lines) {
  const words = lines.map(line => line.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()).filter(Boolean)
  if (!words.length) return
  const shown = dialog('Make a note of this?', el('div', { class: 'stack' }, words.map(line => el('p', { class: 'handed' }, line)),
    el('button', { class: 'main', onclick: () => { shown.close(); app.begin({ text: `${words.join('\n\n')}\n` }) } }, 'Make a note')))
}

export async function about(app) {
  let status
  try { status = await wire.ask('/api/status', {}) } catch (failure) { return fail(failure) }
  const theme = el('select', { 'aria-label': 'Colours', onchange: event => { document.documentElement.dataset.theme = event.target.value } },
    [['', 'same as the system'], ['light', 'light'], ['dark', 'dark']].map(([value, label]) => el('option', { value, selected: (document.documentElement.dataset.theme ?? '') === value }, label)))
  const known = Object.entries(status).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  const empty = el('button', { type: 'button', onclick: async () => {
    shown.close()
    if (!await confirm('Empty the trash', 'All notes in the trash are permanently deleted.', 'Delete them')) return
    try { say(`${(await wire.order('/api/empty')).removed} permanently deleted.`) } catch (failure) { fail(failure) }
  } }, 'Empty the trash…')
  const shown = dialog('About and settings', el('div', { class: 'stack' },
    el('label', { class: 'line' }, 'Colours', theme),
    el('div', { class: 'line' }, [['Keys…', reports.keys], ['Security…', reports.doctor], ['Settings…', reports.settings]].map(([label, act]) => el('button', { type: 'button', onclick: act }, label))),
    el('div', { class: 'line' }, [['Import…', () => chooseImport(app)], ['Export…', exportAll], ['Bookmarklet…', bookmarklet], ['Sync…', remotes]].map(([label, act]) => el('button', { type: 'button', onclick: act }, label))),
    table(known.map(([name, value]) => [name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase(), value])), empty,
    el('p', { class: 'soft' }, 'Passwords, backups and devices are managed in the terminal: vault help.')))
}

export function keys() {
  dialog('Keys', table([
    ['/', 'search; Enter with no match makes a note with that name'], ['j k', 'next and previous note'], ['n', 'new note'], ['e', 'write'],
    ['d', 'draw'], ['r', 'record'], ['a', 'attach files'], ['c', 'take a photo'], ['h', 'history'], ['s', 'share'], ['#', 'to the trash'], ['Ctrl+Z', 'undo'],
    ['Ctrl+S', 'save'], ['Esc', 'back'], ['g n · g b · g a · g t · g d · g s', 'notes, books, archive, trash, drafts, settings'], ['b', 'add a book, where all books are'], ['Alt+↑ Alt+↓', 'move a note within its book'], ['Ctrl+L', 'lock'],
  ]))
}
