// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { dialog } from './dialogs.js'
import { el, fail, say } from './dom.js'
import { wire } from './wire.js'

// Records from the microphone until somebody stops it, or the page is locked.
//
// Returns what was recorded; null where it was thrown away, or could not begin.
export async function recorded(app, title, keep, isSpeech = false) {
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
  recorder.ondataavailable = event => { if (event.data.size) pieces.push(event.data) }
  const ended = new Promise(resolve => { recorder.onstop = resolve })
  recorder.start(1000)
  app.streams.add(stop)
  const shown = dialog(title, el('div', { class: 'stack' }, time,
    el('button', { class: 'main', autofocus: true, onclick: () => shown.close() }, keep),
    el('button', { onclick: () => { isDropped = true; shown.close() } }, 'Throw away')))
  shown.closed.then(stop)
  await ended
  app.streams.delete(stop)
  clearInterval(ticking)
  clearInterval(living)
  for (const track of stream.getTracks()) track.stop()
  return isDropped ? null : new Blob(pieces, { type })
}

// Records and attaches what was recorded.
export async function record(app, note) {
  const clip = await recorded(app, 'Recording', 'Stop and keep')
  if (!clip) return
  const ending = clip.type.startsWith('audio/ogg') ? 'ogg' : clip.type.startsWith('audio/webm') ? 'webm' : 'm4a'
  const now = new Date(), two = number => String(number).padStart(2, '0')
  const name = `recording ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())} ${two(now.getHours())}.${two(now.getMinutes())}.${ending}`
  try {
    await wire.file(`/api/attach/${note}`, clip, name)
    say('The recording is attached.')
    app.reader?.load()
  } catch (failure) {
    fail(failure)
    dialog('The recording is not attached', el('div', { class: 'stack' }, el('p', {}, 'Save it as a file, unencrypted, so that it is not lost.'),
      el('a', { class: 'link', href: URL.createObjectURL(clip), download: name }, name)))
  }
}
