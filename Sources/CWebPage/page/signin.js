// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { dialog, prompt } from './dialogs.js'
import { el, fail, say } from './dom.js'
import { wire } from './wire.js'

// Signing in to a service. Dropbox shows a code, which is typed here. Of others rclone asks what it needs, question
// after question; each is shown as rclone says it, and what is typed is remembered nowhere.

// The page of Dropbox's is opened in a window of its own; what it shows is typed here.
export async function byCode(fields, name) {
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

// fields: service, with the name of a remote that is there or the place of a new one.
export async function byQuestions(fields, name) {
  say('Asking rclone…')
  try {
    let said = await wire.ask('/api/remote/ask', fields)
    while (!said.done) {
      if (said.page) {
        said = await onItsPage(said.page, name)
        if (!said) return
        continue
      }
      const answer = await question(said.question, name)
      if (answer === null) return await wire.order('/api/remote/stop')
      say('Asking rclone…')
      said = await wire.bytes('/api/remote/answer', `=${answer}`)
    }
    say(`Signed in to ${said.done}.`)
  } catch (failure) {
    wire.order('/api/remote/stop').catch(() => {})
    fail(failure)
  }
}

// Resolves to what is typed or chosen; null when it is given up.
function question(asked, name) {
  return new Promise(resolve => {
    const choices = asked.choices ?? []
    const label = asked.name.replaceAll('_', ' ').replace(/^config /, '')
    const field = choices.length && asked.isExclusive
      ? el('select', { 'aria-label': label, autofocus: true }, choices.map(choice =>
        el('option', { value: choice.Value, selected: choice.Value === asked.standard }, choice.Help || choice.Value)))
      : el('input', {
        type: asked.isPassword ? 'password' : 'text', 'aria-label': label, placeholder: label, autofocus: true,
        autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', required: asked.isNeeded && !asked.standard,
      })
    if (field.tagName === 'INPUT') field.value = asked.standard ?? ''
    let answer = null
    const form = el('form', {
      class: 'stack', autocomplete: 'off',
      onsubmit: event => {
        event.preventDefault()
        answer = field.value
        field.value = ''
        shown.close()
      },
    }, el('p', { class: 'soft words' }, asked.help.trim()), asked.trouble && el('p', { class: 'trouble', role: 'alert' }, asked.trouble),
    field, el('button', { class: 'main' }, 'Go on'))
    const shown = dialog(`Sign in to ${name}`, form)
    shown.closed.then(() => resolve(answer))
  })
}

// rclone waits for somebody on a page that it serves on its machine, which leads to the service's.
async function onItsPage(address, name) {
  const shown = dialog(`Sign in to ${name}`, el('div', { class: 'stack' },
    el('p', {}, el('a', { href: address, target: '_blank', rel: 'noopener noreferrer', autofocus: true }, `Let vault in at ${name}`),
      ': this page then continues automatically. It works in a browser on the machine where vault runs.')))
  let isOver = false, isGivenUp = false
  shown.closed.then(() => {
    if (isOver) return
    isGivenUp = true
    wire.order('/api/remote/stop').catch(() => {})
  })
  try {
    return await wire.order('/api/remote/next')
  } catch (failure) {
    if (isGivenUp) return null
    throw failure
  } finally {
    isOver = true
    shown.close()
  }
}
