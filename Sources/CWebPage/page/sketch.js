// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import { confirm } from './dialogs.js'
import { button, el, fail, icon, say } from './dom.js'
import { wire } from './wire.js'

// A canvas for pen, finger and mouse. Strokes are kept as the sketch format has them (docs/sketch-format.md): whole
// hundredths of a unit, pressure 0 to 255.
const colours = ['22374a', 'b3652a', '0b6a61', 'a92c2c', '6a4fa3', '000000']
const widths = [['thin', 200], ['middle', 400], ['thick', 900]]
const paper = 'fffef9'

export class Sketch {
  // `attachment` is a sketch that is drawn on; nothing for a new one.
  constructor(app, note, attachment = null) {
    Object.assign(this, { app, note, attachment, strokes: [], undone: [], colour: colours[0], width: 400, tool: 'p', scale: 1, ruled: false })
    this.size = { width: 1240, height: 800 }
    this.canvas = el('canvas', { tabindex: '0', role: 'img', 'aria-label': 'Drawing' })
    this.context = this.canvas.getContext('2d', { desynchronized: true })
    this.state = el('span', { class: 'where', role: 'status' })
    this.sheet = el('div', { class: 'sheet' }, this.canvas)
    this.tools = el('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Pens' })
    this.root = el('div', { class: 'sketch', role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Sketch' },
      el('div', { class: 'bar' }, button('close', 'Close', () => this.close()), this.state, el('span', { class: 'space' }),
        button('undo', 'Undo (Ctrl+Z)', () => this.undo()), button('redo', 'Redo (Ctrl+Y)', () => this.redo()),
        button('rule', 'Ruled paper', () => { this.ruled = !this.ruled; this.draw() }),
        el('button', { type: 'button', class: 'plain', title: 'More room', onclick: () => this.grow() }, 'More room'),
        el('button', { type: 'button', class: 'main', onclick: () => this.save() }, 'Done')),
      this.sheet, this.tools)
    this.listen()
    this.drawTools()
    document.getElementById('app').inert = true
    document.getElementById('layer').append(this.root)
    this.begin()
  }

  async begin() {
    this.sheet.inert = true
    if (this.attachment) {
      try {
        this.read(await (await wire.get(`/file/${this.note}/${this.attachment.id}`)).text())
      } catch (failure) {
        say(failure.message, true)
        return this.leave()
      }
    } else {
      this.size = { width: Math.max(320, Math.round(this.sheet.clientWidth - 24)), height: Math.max(320, Math.round(this.sheet.clientHeight - 24)) }
    }
    this.sheet.inert = false
    this.fit()
    this.canvas.focus()
    // Who draws uses the vault, though nothing is asked for.
    this.living = setInterval(() => this.root.isConnected ? wire.ask('/api/status', {}).catch(() => {}) : clearInterval(this.living), 60_000)
  }

  get isChanged() { return this.changed === true }

  // MARK: Strokes

  listen() {
    this.canvas.addEventListener('pointerdown', event => {
      if (event.button > 0 && event.pointerType === 'mouse') return
      if (event.pointerType === 'pen') this.hasPen = true
      // A palm: whoever draws with a pen rests the hand.
      if (this.hasPen && event.pointerType === 'touch') return
      if (this.current) return
      event.preventDefault()
      this.canvas.setPointerCapture(event.pointerId)
      this.pointer = event.pointerId
      if (this.tool === 'e' || event.buttons & 32) { this.erasing = true; return this.erase(event) }
      this.current = { tool: this.tool, colour: this.colour, alpha: this.tool === 'm' ? 110 : 255, width: this.width, points: [] }
      this.add(event)
    })
    this.canvas.addEventListener('pointermove', event => {
      if (event.pointerId !== this.pointer) return
      if (this.erasing) return this.erase(event)
      if (this.current) for (const one of event.getCoalescedEvents?.() ?? [event]) this.add(one)
    })
    const end = event => {
      if (event.pointerId !== this.pointer) return
      this.pointer = undefined
      this.erasing = false
      if (!this.current) return
      this.did({ added: [this.current] })
      this.strokes.push(this.current)
      this.current = null
      this.draw()
    }
    this.canvas.addEventListener('pointerup', end)
    this.canvas.addEventListener('pointercancel', end)
    this.root.addEventListener('keydown', event => {
      const control = event.ctrlKey || event.metaKey
      if (control && event.key === 'z') { event.preventDefault(); event.shiftKey ? this.redo() : this.undo() }
      if (control && event.key === 'y') { event.preventDefault(); this.redo() }
      if (control && event.key === 's') { event.preventDefault(); this.save() }
      if (event.key === 'Escape') this.close()
      if (event.key === '+') this.zoom(1.25)
      if (event.key === '-') this.zoom(0.8)
      event.stopPropagation()
    })
    this.sheet.addEventListener('wheel', event => {
      if (!event.ctrlKey) return
      event.preventDefault()
      this.zoom(event.deltaY < 0 ? 1.1 : 0.9)
    }, { passive: false })
  }

  place(event) {
    const box = this.canvas.getBoundingClientRect()
    return [Math.round((event.clientX - box.left) / this.scale * 100), Math.round((event.clientY - box.top) / this.scale * 100)]
  }

  add(event) {
    const [x, y] = this.place(event)
    const pressure = event.pointerType === 'pen' ? Math.max(1, Math.min(255, Math.round(event.pressure * 255))) : 255
    const points = this.current.points, last = points.at(-1)
    if (last && last[0] === x && last[1] === y) return
    points.push([x, y, pressure])
    this.stroke(this.current, Math.max(0, points.length - 2))
  }

  erase(event) {
    const [x, y] = this.place(event)
    const reach = 900 / this.scale
    const hit = stroke => stroke.points.some(([px, py]) => Math.hypot(px - x, py - y) < reach + stroke.width / 2)
    const gone = this.strokes.filter(hit)
    if (!gone.length) return
    this.did({ removed: gone, before: this.strokes })
    this.strokes = this.strokes.filter(stroke => !gone.includes(stroke))
    this.draw()
  }

  did(step) {
    this.steps = [...(this.steps ?? []), { ...step, before: step.before ?? [...this.strokes] }]
    this.undone = []
    this.changed = true
    this.state.replaceChildren(el('span', { class: 'dot unsaved' }), 'Unsaved')
  }

  undo() {
    const step = this.steps?.pop()
    if (!step) return
    this.undone.push({ ...step, after: this.strokes })
    this.strokes = step.before
    this.draw()
  }

  redo() {
    const step = this.undone.pop()
    if (!step) return
    this.steps.push(step)
    this.strokes = step.after
    this.draw()
  }

  // MARK: Drawing

  fit() {
    this.scale = Math.min(1, (this.sheet.clientWidth - 24) / this.size.width)
    this.draw()
  }

  zoom(factor) {
    this.scale = Math.max(0.2, Math.min(6, this.scale * factor))
    this.draw()
  }

  grow() {
    this.size.height = Math.min(32768, this.size.height + 400)
    this.changed = true
    this.draw()
  }

  draw() {
    const ratio = devicePixelRatio || 1
    const { width, height } = this.size
    this.canvas.width = Math.round(width * this.scale * ratio)
    this.canvas.height = Math.round(height * this.scale * ratio)
    this.canvas.style.width = `${width * this.scale}px`
    this.canvas.style.height = `${height * this.scale}px`
    const context = this.context
    context.setTransform(this.scale * ratio / 100, 0, 0, this.scale * ratio / 100, 0, 0)
    context.fillStyle = `#${paper}`
    context.fillRect(0, 0, width * 100, height * 100)
    if (this.ruled) {
      context.strokeStyle = '#d5d9e4'
      context.lineWidth = 80
      for (let y = 3200; y < height * 100; y += 3200) { context.beginPath(); context.moveTo(0, y); context.lineTo(width * 100, y); context.stroke() }
    }
    context.lineCap = context.lineJoin = 'round'
    for (const stroke of this.strokes) this.stroke(stroke, 0)
  }

  stroke(stroke, from) {
    const context = this.context, points = stroke.points
    context.strokeStyle = `#${stroke.colour}`
    context.globalAlpha = stroke.alpha / 255
    context.lineCap = context.lineJoin = 'round'
    if (points.length === 1 || stroke.tool === 'm' || points.every(point => point[2] === 255)) {
      context.lineWidth = stroke.width
      context.beginPath()
      context.moveTo(points[from][0], points[from][1])
      for (const [x, y] of points.slice(from)) context.lineTo(x, y)
      context.stroke()
    } else {
      for (let at = Math.max(1, from); at < points.length; at++) {
        context.lineWidth = Math.max(1, stroke.width * (points[at - 1][2] + points[at][2]) / 510)
        context.beginPath()
        context.moveTo(points[at - 1][0], points[at - 1][1])
        context.lineTo(points[at][0], points[at][1])
        context.stroke()
      }
    }
    context.globalAlpha = 1
  }

  drawTools() {
    const pick = (attributes, pressed, act, ...content) => el('button', {
      type: 'button', class: 'pick', 'aria-pressed': String(pressed), onclick: () => { act(); this.drawTools() }, ...attributes,
    }, content)
    const dot = (colour, diameter) => {
      const mark = el('span', { class: 'blob' })
      mark.style.background = `#${colour}`
      mark.style.width = mark.style.height = `${diameter}px`
      return mark
    }
    this.tools.replaceChildren(
      ...colours.map((colour, at) => pick({ 'aria-label': `Colour ${at + 1}` }, this.colour === colour && this.tool !== 'e', () => { this.colour = colour; if (this.tool === 'e') this.tool = 'p' }, dot(colour, 22))),
      el('span', { class: 'rule' }),
      ...widths.map(([name, width]) => pick({ 'aria-label': `Width: ${name}` }, this.width === width, () => { this.width = width }, dot('444444', 4 + width / 60))),
      el('span', { class: 'rule' }),
      pick({ 'aria-label': 'Marker' }, this.tool === 'm', () => { this.tool = this.tool === 'm' ? 'p' : 'm' }, icon('draft')),
      pick({ 'aria-label': 'Eraser' }, this.tool === 'e', () => { this.tool = this.tool === 'e' ? 'p' : 'e' }, icon('eraser')))
  }

  // MARK: Keeping

  lines() {
    const strokes = this.strokes.map(stroke => [stroke.tool, stroke.colour, stroke.alpha, stroke.width, ...stroke.points.flat()].join(' '))
    return [`${this.size.width} ${this.size.height} ${paper}`, ...strokes].join('\n')
  }

  async save() {
    if (!this.strokes.length) return this.close()
    if (!this.changed) return this.leave()
    if (this.isSaving) return
    this.isSaving = true
    this.sheet.inert = true
    try {
      const now = new Date(), two = number => String(number).padStart(2, '0')
      const name = this.attachment?.name ?? `sketch ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())} ${two(now.getHours())}.${two(now.getMinutes())}.svg`
      await wire.file(`/api/sketch/${this.note}`, this.lines(), name)
      // The new one is there; only now the old one goes.
      const old = this.attachment
      this.attachment = null
      this.changed = false
      say('The sketch was saved.')
      if (old) try { await wire.ask('/api/attachment/remove', { id: this.note, name: old.id }) } catch { say('The sketch was saved, but the earlier one is still there too.', true) }
      this.leave()
    } catch (failure) { fail(failure) } finally { this.isSaving = false; this.sheet.inert = false }
  }

  async close() {
    if (this.changed && this.strokes.length && !await confirm('Discard the drawing?', 'Strokes drawn since it was opened are lost.', 'Discard')) return
    this.leave()
  }

  leave() {
    clearInterval(this.living)
    this.root.remove()
    if (!document.getElementById('layer').hasChildNodes()) document.getElementById('app').inert = false
    if (this.app.reader?.id === this.note) this.app.reader.load()
    else this.app.open(this.note)
  }

  // Reads a sketch's own form, which is strict enough for patterns.
  read(text) {
    const head = /^<svg [^>]*data-vault-sketch="1" width="(\d+)" height="(\d+)"/.exec(text)
    if (!head) throw new Error('this is not a sketch in the vault\'s own format')
    this.size = { width: Number(head[1]), height: Number(head[2]) }
    for (const [, tool, width, pressures, colour, opacity, content] of text.matchAll(
      /<g data-tool="(pen|marker)" data-width="([\d.]+)"(?: data-pressure="([\d ]+)")?(?: data-time="[\d ]+")? stroke="#([0-9a-f]{6})"(?: opacity="([\d.]+)")?>\n([^]*?)<\/g>/g)) {
      const places = []
      for (const [, path] of content.matchAll(/ d="M([^"]+)"/g)) {
        const found = path.replace(/h0$/, '').split(/[L ]/).filter(Boolean).map(number => Math.round(Number(number) * 100))
        const pairs = []
        for (let at = 0; at + 1 < found.length; at += 2) pairs.push([found[at], found[at + 1]])
        // A later piece repeats the last place of the one before it.
        places.push(...(places.length ? pairs.slice(1) : pairs))
      }
      const pressure = pressures?.split(' ').map(Number)
      this.strokes.push({
        tool: tool === 'pen' ? 'p' : 'm', colour, alpha: opacity ? Math.round(Number(opacity) * 255) : 255, width: Math.round(Number(width) * 100),
        points: places.map(([x, y], at) => [x, y, pressure?.[at] ?? 255]),
      })
    }
    if (this.strokes.length !== (text.match(/<g /g) ?? []).length) throw new Error('this sketch cannot be edited here')
  }
}
