// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { dialog, prompt } from './dialogs.js'
import { el, fail, say, whole } from './dom.js'
import { byCode, byQuestions } from './signin.js'
import { wire } from './wire.js'

// Where the vault is synced, and signing in to a remote, the first time and again.

// Services by what rclone calls them. What else it has is typed.
const services = [['drive', 'Google Drive'], ['iclouddrive', 'iCloud Drive'], ['onedrive', 'OneDrive'], ['pcloud', 'pCloud'], ['protondrive', 'Proton Drive'], ['sftp', 'SFTP']]

const command = text => el('code', {}, text)

export async function remotes() {
  let list, states = []
  try { list = (await wire.order('/api/remotes')).remotes } catch (failure) { return fail(failure) }
  // How far each is cannot always be told: of one that cannot be read yet, too, somebody may have to sign in again.
  try { if (list.length) states = (await wire.order('/api/sync/status')).remotes } catch (failure) { fail(failure) }
  const state = remote => {
    const found = states.find(one => one.remote.name === remote.name)
    return [remote.synced ? `as of ${whole(remote.synced)}` : 'never synced', found && (found.pending ? `${found.pending} to be sent` : 'everything sent'),
      remote.paused && 'paused', found?.failure, found?.alarms.length > 0 && 'vault sync status has warnings'].filter(Boolean).join('; ')
  }
  const row = remote => el('li', {},
    el('span', {}, el('b', {}, remote.name), el('span', { class: 'soft' }, ` ${remote.kind} · ${remote.place}`), el('br', {}), state(remote)),
    remote.kind === 'dropbox' && el('button', { type: 'button', onclick: () => { shown.close(); byCode({ name: remote.name }, remote.name) } }, 'Sign in again'),
    remote.kind === 'rclone' && el('button', { type: 'button', onclick: () => { shown.close(); byQuestions({ name: remote.name, service: remote.place.split(':')[0] }, remote.name) } }, 'Sign in again'),
    ['webdav', 's3'].includes(remote.kind) && command(`vault remote login ${remote.name}`))
  const shown = dialog('Sync', el('div', { class: 'stack' },
    list.length ? el('ul', { class: 'entries' }, list.map(row)) : el('p', {}, 'This vault is only on this machine.'),
    el('button', { type: 'button', onclick: async () => {
      shown.close()
      const key = await prompt('Sync over Dropbox', { label: 'App key', action: 'Go on', help: 'The key of an app of your own at dropbox.com/developers/apps: Create app, Scoped access, App folder; under Permissions check files.metadata.read, files.content.read and files.content.write.' })
      if (key) byCode({ key: key.trim() }, 'Dropbox')
    } }, 'Sync over Dropbox…'),
    el('button', { type: 'button', onclick: () => { shown.close(); another() } }, 'Sync over another service…'),
    el('p', { class: 'soft' }, 'A folder or a server of your own: ', command('vault help remote add'), ', in a terminal.')), { wide: true })
}

// What rclone reaches: it has to be installed.
function another() {
  const kind = el('select', { 'aria-label': 'Service', autofocus: true }, services.map(([value, name]) => el('option', { value }, name)), el('option', { value: '' }, 'Another one'))
  const other = el('input', { 'aria-label': 'Backend of rclone', placeholder: 'Backend of rclone', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', hidden: true })
  const place = el('input', { 'aria-label': 'Folder', placeholder: 'Folder', value: 'notes', autocomplete: 'off', spellcheck: 'false' })
  kind.addEventListener('change', () => { other.hidden = kind.value !== ''; other.required = !other.hidden })
  const shown = dialog('Sync over another service', el('form', {
    class: 'stack', autocomplete: 'off',
    onsubmit: event => {
      event.preventDefault()
      const service = kind.value || other.value.trim()
      const name = kind.value ? kind.selectedOptions[0].textContent : service
      shown.close()
      byQuestions({ service, place: place.value.trim() }, name)
    },
  }, el('p', { class: 'soft' }, 'rclone 1.75.1 or newer speaks to it (rclone.org/install). It asks what it needs, and vault keeps the answer, encrypted.'),
  kind, other, place, el('button', { class: 'main' }, 'Go on')))
}
