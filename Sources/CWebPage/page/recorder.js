// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { dialog } from './dialogs.js'
import { el, fail, say } from './dom.js'
import { wire } from './wire.js'

// Records from the microphone and attaches what was recorded.
export async function record(app, note) {
  let stream
  try { stream = await navigator.mediaDevices.getUserMedia({ audio: true }) } catch { return say('There is no microphone, or this page may not use it.', true) }
  const type = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4'].find(one => MediaRecorder.isTypeSupported(one))
  const recorder = new MediaRecorder(stream, { mimeType: type })
  const pieces = []
  const began = performance.now()
  const time = el('p', { class: 'clock', 'aria-live': 'off' }, '0:00')
  const ticking = setInterval(() => {
    const seconds = Math.floor((performance.now() - began) / 1000)
    time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  }, 250)
  recorder.ondataavailable = event => { if (event.data.size) pieces.push(event.data) }
  recorder.onstop = async () => {
    clearInterval(ticking)
    clearInterval(living)
    app.recording = null
    for (const track of stream.getTracks()) track.stop()
    if (isDropped) return
    const ending = type.startsWith('audio/ogg') ? 'ogg' : type.startsWith('audio/webm') ? 'webm' : 'm4a'
    const now = new Date(), two = number => String(number).padStart(2, '0')
    const name = `recording ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())} ${two(now.getHours())}.${two(now.getMinutes())}.${ending}`
    try {
      await wire.file(`/api/attach/${note}`, new Blob(pieces, { type }), name)
      say('The recording is attached.')
      app.reader?.load()
    } catch (failure) {
      fail(failure)
      const address = URL.createObjectURL(new Blob(pieces, { type }))
      dialog('The recording is not attached', el('div', { class: 'stack' }, el('p', {}, 'Save it as a file, unencrypted, so that it is not lost.'),
        el('a', { class: 'link', href: address, download: name }, name)))
    }
  }
  // Only who says so throws it away: a key or a click beside it does not.
  let isDropped = false
  // Who speaks for a while uses the vault, though nothing is asked for.
  const living = setInterval(() => wire.ask('/api/status', {}).catch(() => {}), 60_000)
  app.recording = () => { if (recorder.state !== 'inactive') recorder.stop() }
  recorder.start(1000)
  const shown = dialog('Recording', el('div', { class: 'stack' }, time,
    el('button', { class: 'main', autofocus: true, onclick: () => shown.close() }, 'Stop and keep'),
    el('button', { onclick: () => { isDropped = true; shown.close() } }, 'Throw away')))
  shown.closed.then(() => app.recording?.())
}
