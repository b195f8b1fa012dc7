// Evidence chosen without a mouse: word by word with the arrows, or by touch, where the browser itself selects.

// A word is whatever stands between blanks and punctuation.
function wordsOf(text) {
  if (!globalThis.Intl?.Segmenter) return [...text.matchAll(/[^\s\p{P}]+/gu)].map((one) => [one.index, one.index + one[0].length])
  return [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)]
    .filter((one) => !/^[\s\p{P}]+$/u.test(one.segment))
    .map((one) => [one.index, one.index + one.segment.length])
}

class Caret {
  // text: { side, pane, frame, from }, as a view's `texts` gives them
  constructor(text) {
    this.text = text
    this.words = wordsOf(text.frame.text) // in UTF-16 units
    const unit = text.frame.unit(Math.max(0, text.from))
    const at = this.words.findIndex(([, end]) => end > unit)
    this.from = this.to = Math.max(0, at) // the words at both ends of what is chosen
  }

  // [start, end) in code points.
  get span() {
    const [first, last] = [Math.min(this.from, this.to), Math.max(this.from, this.to)]
    return this.text.frame.snap(this.words[first][0], this.words[last][1])
  }

  move(name, extend) {
    const to = { ArrowLeft: this.to - 1, ArrowRight: this.to + 1, ArrowUp: this.sentence(-1), ArrowDown: this.sentence(1), Home: 0, End: this.words.length - 1 }[name]
    this.to = Math.max(0, Math.min(this.words.length - 1, to))
    if (!extend) this.from = this.to
  }

  // The first word of the next sentence, or of this one and then the one before.
  sentence(by) {
    const firsts = this.text.frame.sentenceStarts().map((start) => this.words.findIndex(([, end]) => end > start)).filter((at) => at >= 0)
    if (by > 0) return firsts.find((at) => at > this.to) ?? this.words.length - 1
    return firsts.findLast((at) => at < this.to) ?? 0
  }
}

// A view says which texts it shows (`texts`), how it keeps what is chosen (`asSelection`) and what becomes of it (`take`).
Object.assign(View.prototype, {
  // Begin at the evidence of the item; once more goes on to the other text, where there are two.
  startCaret(desk) {
    const texts = this.texts(desk)
    const at = texts.findIndex((text) => text.side === this.caret?.text.side && this.caret)
    const caret = new Caret(texts[(at + 1) % texts.length])
    if (caret.words.length) this.moveCaret(desk, caret)
    return true
  },

  moveCaret(desk, caret) {
    const { frame, pane, side } = caret.text
    const words = frame.slice(...caret.span)
    this.selection = this.asSelection(side, caret.span)
    this.caret = caret
    desk.draw()
    scrollToMark(pane, [...pane.querySelectorAll(".chosen, .on-chosen")].find((mark) => words.startsWith(mark.textContent)))
    this.announce(words)
    return true
  },

  // What a key does while words are being chosen; null: nothing, it is for others.
  onCaretKey(desk, name, event) {
    if (!this.caret) {
      const inText = desk.frame.getRootNode().activeElement?.matches(".text")
      return this.panel?.addSpan && name === "e" && inText ? this.startCaret(desk) : null
    }
    if (/^(Arrow|Home|End)/.test(name)) {
      this.caret.move(name, event?.shiftKey)
      return this.moveCaret(desk, this.caret)
    }
    if (name === "Escape") return this.select(desk, null)
    if (name !== "Enter") return null
    const words = this.caret.text.frame.slice(...this.caret.span)
    this.caret = null
    this.take(desk)
    this.announce(`Chosen: ${words}`)
    return true
  },

  // What is selected in one of the texts, as the view keeps it, or null.
  selected(desk) {
    for (const { side, pane, frame } of desk.line.current && !desk.stopped ? this.texts(desk) : []) {
      const region = pane.querySelector(".text")
      const units = region && selectedUnits(region)
      const span = units && frame.snap(...units)
      if (span) return this.asSelection(side, span)
    }
    return null
  },

  // The browser settles a selection behind the release of the mouse.
  onSelected(desk) {
    const selected = this.selected(desk)
    if (!selected || (this.panel && !this.panel.addSpan)) return
    this.select(desk, selected)
    if (this.panel) this.take(desk)
  },

  // A finger selects by the browser's own means, with handles that go on moving: once it rests, what is selected is
  // offered, and the text is not drawn anew while the browser holds the selection.
  onTouched(desk) {
    const selected = this.byTouch && this.selected(desk)
    if (selected) {
      this.held = true
      this.select(desk, selected)
    } else if (this.held) {
      this.held = false
      desk.draw()
    }
  },

  // Do something a little later, unless a key or a press comes sooner: that one counts on it.
  soon(work, wait = 0) {
    clearTimeout(this.due?.timer)
    this.due = { work, timer: setTimeout(() => this.settle(), wait) }
  },

  settle() {
    if (!this.due) return
    const { work, timer } = this.due
    clearTimeout(timer)
    this.due = null
    work()
  },
})
