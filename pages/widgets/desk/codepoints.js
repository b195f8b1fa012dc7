// Offsets in the store count Unicode code points, a JavaScript string counts UTF-16 units.

class TextFrame {
  constructor(text) {
    this.text = text
    this.units = null // unit of every code point, kept only where the two counts differ
    if (/[\ud800-\udfff]/.test(text)) {
      this.units = []
      let unit = 0
      for (const character of text) {
        this.units.push(unit)
        unit += character.length
      }
      this.units.push(unit)
    }
  }

  get length() {
    return this.units ? this.units.length - 1 : this.text.length
  }

  unit(point) {
    const bounded = Math.max(0, Math.min(point, this.length))
    return this.units ? this.units[bounded] : bounded
  }

  // The code point that holds a unit.
  point(unit) {
    if (!this.units) return Math.max(0, Math.min(unit, this.length))
    let low = 0
    let high = this.units.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.units[middle] <= unit) low = middle
      else high = middle - 1
    }
    return low
  }

  slice(start, end) {
    return this.text.slice(this.unit(start), this.unit(end))
  }

  // [which sentence a code point stands in, of how many], from 1; [0, n] where it stands in none.
  sentence(point) {
    const starts = this.sentenceStarts()
    const unit = this.unit(point)
    return [point < 0 ? 0 : starts.findLastIndex((start) => start <= unit) + 1, starts.length]
  }

  // In units.
  sentenceStarts() {
    this.starts ??= globalThis.Intl?.Segmenter ? [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(this.text)].map((one) => one.index) : [0]
    return this.starts
  }

  // A selection in units -> [start, end) in code points: blanks at the ends dropped, and no character that a reader
  // sees as one (an emoji with its skin tone, a letter with its accents) cut in two. Null where nothing is left.
  snap(from, to) {
    let start = Math.min(from, to)
    let end = Math.min(this.text.length, Math.max(from, to))
    while (start < end && /\s/.test(this.text[start])) start += 1
    while (end > start && /\s/.test(this.text[end - 1])) end -= 1
    if (start === end) return null
    if (globalThis.Intl?.Segmenter) {
      const seen = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(this.text)
      const last = seen.containing(end - 1)
      start = seen.containing(start).index
      end = last.index + last.segment.length
    }
    const first = this.point(start)
    const beyond = this.point(end)
    return [first, this.unit(beyond) < end ? beyond + 1 : beyond]
  }
}
