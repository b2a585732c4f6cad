// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { dialog, prompt } from './dialogs.js'
import { el, fail, say, whole } from './dom.js'
import { wire } from './wire.js'

// Where the vault is synced, and signing in to Dropbox, which shows a code. Other services ask questions of their own: in a terminal.

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
    remote.kind === 'dropbox' && el('button', { type: 'button', onclick: () => { shown.close(); signIn({ name: remote.name }, remote.name) } }, 'Sign in again'),
    ['rclone', 'webdav', 's3'].includes(remote.kind) && command(`vault remote login ${remote.name}`))
  const shown = dialog('Sync', el('div', { class: 'stack' },
    list.length ? el('ul', { class: 'entries' }, list.map(row)) : el('p', {}, 'This vault is on this machine alone.'),
    el('button', { type: 'button', onclick: async () => {
      shown.close()
      const key = await prompt('Sync over Dropbox', { label: 'App key', action: 'Go on', help: 'The key of an app of your own at dropbox.com/developers/apps: Create app, Scoped access, App folder; under Permissions check files.metadata.read, files.content.read and files.content.write.' })
      if (key) signIn({ key: key.trim() }, 'Dropbox')
    } }, 'Sync over Dropbox…'),
    el('p', { class: 'soft' }, 'Google Drive, iCloud Drive, OneDrive and others ask their questions in a terminal: ', command('vault remote login drive'), ', ', command('icloud'), ', ', command('onedrive'), '. A folder or a server: ', command('vault help remote add'), '.')), { wide: true })
}

// The page of Dropbox's is opened in a window of its own; what it shows is typed here.
async function signIn(fields, name) {
  let address
  try { address = (await wire.ask('/api/remote/signin', fields)).address } catch (failure) { return fail(failure) }
  const link = el('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, 'Let vault in at Dropbox')
  const code = await prompt(`Sign in to ${name}`, { label: 'Code from that page', action: 'Sign in', help: [link, ', on this machine or on another one, and type the code that its page shows.'] })
  if (!code) return
  say('Signing in…')
  try {
    await wire.bytes('/api/remote/code', code.trim())
    say(`Signed in to ${name}.`)
  } catch (failure) { fail(failure) }
}
