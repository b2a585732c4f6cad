// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { dialog } from './dialogs.js'
import { el, fail, say } from './dom.js'
import { wire } from './wire.js'

// Records from the microphone until somebody stops it, or the page is locked.
//
// Returns what was recorded; null where it was thrown away, or could not begin. `heard` is given each piece as it comes.
export async function recorded(app, title, keep, { isSpeech = false, heard = () => {}, dropped = () => {} } = {}) {
  let stream
  try { stream = await navigator.mediaDevices.getUserMedia({ audio: true }) } catch {
    say('There is no microphone, or this page may not use it.', true)
    return null
  }
  // The vault was locked while the browser asked.
  if (app.isOver) { for (const track of stream.getTracks()) track.stop(); return null }
  const type = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4'].find(one => MediaRecorder.isTypeSupported(one))
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: isSpeech ? 32_000 : undefined })
  const pieces = []
  const start = performance.now()
  const time = el('p', { class: 'clock', 'aria-live': 'off' }, '0:00')
  const ticking = setInterval(() => {
    const seconds = Math.floor((performance.now() - start) / 1000)
    time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  }, 250)
  // Who speaks for a while uses the vault, though nothing is asked for.
  const living = setInterval(() => wire.ask('/api/status', {}).catch(() => {}), 60_000)
  // Only who says so throws it away: a key or a click beside it does not.
  let isDropped = false
  const stop = () => { if (recorder.state !== 'inactive') recorder.stop() }
  recorder.ondataavailable = event => {
    if (!event.data.size) return
    pieces.push(event.data)
    heard(event.data)
  }
  const ended = new Promise(resolve => { recorder.onstop = resolve })
  recorder.start(1000)
  app.streams.add(stop)
  const shown = dialog(title, el('div', { class: 'stack' }, time,
    el('button', { class: 'main', autofocus: true, onclick: () => shown.close() }, keep),
    el('button', { onclick: () => { isDropped = true; shown.close() } }, 'Discard')))
  shown.closed.then(stop)
  await ended
  app.streams.delete(stop)
  clearInterval(ticking)
  clearInterval(living)
  for (const track of stream.getTracks()) track.stop()
  if (isDropped) await dropped()
  return isDropped ? null : new Blob(pieces, { type })
}

// Sends a recording while it is made, a piece after another: a browser that ends loses the last second of it.
class Sending {
  constructor(note) { [this.note, this.number, this.failed, this.last] = [note, null, false, Promise.resolve()] }

  piece(blob) {
    this.name ??= named(blob.type)
    this.last = this.last.then(async () => {
      if (this.failed) return
      try {
        if (this.number === null) this.number = (await wire.file(`/api/record/${this.note}`, blob, this.name)).recording
        else await wire.bytes(`/api/recording/${this.number}`, blob)
      } catch {
        // The whole is sent in the end: the part is not to be kept beside it.
        this.failed = true
        await this.drop_()
      }
    })
  }

  // Whether all of it was attached.
  async end() {
    await this.last
    if (this.failed || this.number === null) return false
    try { await wire.order(`/api/recording/${this.number}/end`) } catch { return false }
    return true
  }

  async drop() {
    await this.last
    if (!await this.drop_()) say('The recording could not be discarded: part of it may be attached.', true)
  }

  async drop_() {
    if (this.number === null) return true
    try {
      await wire.order(`/api/recording/${this.number}/drop`)
      this.number = null
      return true
    } catch { return false }
  }
}

function named(type) {
  const ending = type.startsWith('audio/ogg') ? 'ogg' : type.startsWith('audio/webm') ? 'webm' : 'm4a'
  const now = new Date(), two = number => String(number).padStart(2, '0')
  return `recording ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())} ${two(now.getHours())}.${two(now.getMinutes())}.${ending}`
}

// Records and attaches what was recorded.
export async function record(app, note) {
  const sending = new Sending(note)
  const clip = await recorded(app, 'Recording', 'Stop and keep', { heard: piece => sending.piece(piece), dropped: () => sending.drop() })
  // The vault was locked, or the page's server has ended: the agent has attached what had come by then.
  if (!clip || app.isOver) return
  const name = sending.name ?? named(clip.type)
  try {
    if (!await sending.end()) {
      await sending.drop_()
      await wire.file(`/api/attach/${note}`, clip, name)
    }
    say('The recording is attached.')
    app.reader?.load()
  } catch (failure) {
    if (app.isOver) return
    fail(failure)
    dialog('The recording is not attached', el('div', { class: 'stack' }, el('p', {}, 'Save it as a file, unencrypted, so that it is not lost.'),
      el('a', { class: 'link', href: URL.createObjectURL(clip), download: name }, name)))
  }
}
