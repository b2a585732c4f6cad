// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

// Drags a note of a book by its grip to another place, with a mouse, a pen or a finger. What a drag does, the keys and
// the menu of the grip do too.
const slack = 5, edge = 48, speed = 12

export function draggable(notes) {
  notes.body.addEventListener('pointerdown', event => {
    const grip = event.target.closest('.grip')
    if (grip && event.button === 0) new Drag(notes, grip, event)
  })
}

class Drag {
  constructor(notes, grip, event) {
    this.notes = notes
    this.grip = grip
    this.item = grip.closest('li')
    this.start = event.clientY
    this.hasMoved = false
    notes.isDragged = true
    grip.setPointerCapture(event.pointerId)
    const heard = { pointermove: one => this.move(one), pointerup: () => this.end(true), pointercancel: () => this.end(false), keydown: one => this.key(one) }
    for (const name in heard) grip.addEventListener(name, heard[name])
    this.forget = () => { for (const name in heard) grip.removeEventListener(name, heard[name]) }
  }

  move(event) {
    if (!this.hasMoved && Math.abs(event.clientY - this.start) < slack) return
    this.hasMoved = true
    this.item.classList.add('dragged')
    const box = this.notes.body.getBoundingClientRect()
    if (event.clientY < box.top + edge) this.notes.body.scrollTop -= speed
    if (event.clientY > box.bottom - edge) this.notes.body.scrollTop += speed
    this.aim(event.clientX, event.clientY)
  }

  // Finds what the note would stand before or behind, or the chapter that it would be the last of.
  aim(x, y) {
    this.clear()
    const over = document.elementFromPoint(x, y), row = over?.closest('.placed li')
    if (row && this.notes.body.contains(row)) {
      if (row === this.item) return
      const box = row.getBoundingClientRect(), spot = y < box.top + box.height / 2 ? 'before' : 'after'
      row.classList.add(`drop-${spot}`)
      this.target = { at: row.closest('.chapter').dataset.section, spot, other: row.dataset.note, mark: row }
      return
    }
    const chapter = over?.closest('.chapter')
    if (!chapter || !this.notes.body.contains(chapter)) return
    chapter.classList.add('drop-into')
    this.target = { at: chapter.dataset.section, spot: y < chapter.querySelector('.placed').getBoundingClientRect().top ? 'first' : 'last', other: null, mark: chapter }
  }

  clear() {
    this.target?.mark.classList.remove('drop-before', 'drop-after', 'drop-into')
    this.target = null
  }

  key(event) {
    if (event.key !== 'Escape' || !this.hasMoved) return
    event.stopPropagation()
    this.end(false)
  }

  end(isDropped) {
    this.forget()
    const { target, notes } = this
    notes.isDragged = false
    this.clear()
    this.item.classList.remove('dragged')
    if (!this.hasMoved) return notes.isOld ? notes.load(true) : undefined
    // The click that a drag ends with opens no menu.
    const silent = event => { event.stopPropagation(); event.preventDefault() }
    this.grip.addEventListener('click', silent, { capture: true, once: true })
    setTimeout(() => this.grip.removeEventListener('click', silent, { capture: true }), 0)
    if (isDropped && target) notes.put(this.item.dataset.note, notes.sections[target.at].chapter, target.spot, target.other)
    else if (notes.isOld) notes.load(true)
  }
}
