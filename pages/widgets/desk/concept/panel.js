// The fix panel, also used to add a missing concept: what is chosen when it opens, what a key chooses, what is saved.
// How it looks is in rows.js.

const NOTHING = { rows: [] }
const BY_WORDS = ["exact", "synonym", "abbreviation"]

// Whether a row bears the words that were asked for. Others are only like them: spelt alike, or of like meaning.
const bears = (row) => (row.why ? BY_WORDS.includes(row.why) : row.group === "found")

class Panel {
  // kind: "fix" (of an item) or "add" (to a passage). start: { class, assertion, spans }, of a fix also { first,
  // proposal, group, picked }, of an addition { query }. first: what is kept, and what was proposed where that is another.
  constructor(desk, kind, passage, item, start) {
    this.desk = desk
    this.kind = kind
    this.passage = passage
    this.item = item
    this.class = start.class
    this.assertion = start.assertion
    this.spans = start.spans
    this.first = start.first ?? [] // rows that stand first, whatever is found
    this.keep = this.first[0] ?? null
    this.proposal = start.proposal ?? null
    this.group = start.group ?? null
    this.picked = start.picked ?? null // the concept chosen by hand
    this.missed = false // a row was asked for that is not there: nothing is chosen then
    this.message = null
    this.found = []
    this.answers = null // the text that these rows answer
    this.asked = start.query ?? ""
    this.untouched = this.asked !== ""
    this.input = el("input", {
      type: "search",
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": "rows",
      placeholder: "Search names, synonyms or an id",
      "aria-label": "Search the ontology",
      autocomplete: "off",
      spellcheck: "false",
      on: { input: () => this.onTyped(), keydown: (event) => this.onInputKey(event) },
    })
    this.input.value = this.asked
    this.read = this.typed // the text when it was last looked at
    this.node = el("section", { class: "panel", "aria-label": kind === "fix" ? "Fix" : "Add a concept" })
  }

  opened() {
    if (this.kind === "add" && !this.typed) this.input.focus({ preventScroll: true })
  }

  // --- what there is to choose from -----------------------------------------------------------------------------

  get typed() {
    return this.input.value.trim()
  }

  // Rows answer another text than the one in the box, or none came yet.
  get stale() {
    return this.answers !== this.typed
  }

  // What the store found for the text in the box, or null while it searches.
  answer() {
    const typed = this.typed
    if (typed) return typed === this.asked ? this.desk.lookUp("search", this.passage.corpus, "", typed) : null
    if (this.kind === "add") return NOTHING
    return this.desk.lookUp("around", this.passage.corpus, this.item.concept, this.desk.view.quoteOf(this.item))
  }

  // Take in what came. A digit goes on meaning the row that bears it: what is found later for the same text comes below.
  take() {
    const answer = this.answer()
    if (!answer) return
    this.found = this.inOrder(answer.rows)
    this.answers = this.typed
    this.more = Boolean(answer.more)
    this.ontology = answer.ontology
  }

  // What is narrower and stands in the text comes before what is only near, unless what is broader is asked for.
  inOrder(rows) {
    if (this.typed) return rows
    const standing = (this.item?.narrower ?? []).map((row) => ({ ...row, ...rows.find((one) => one.id === row.id), group: "standing", relation: "narrower" }))
    const rest = rows.filter((row) => !standing.some((one) => one.id === row.id))
    const asked = rest.filter((row) => row.relation === this.group).map((row) => ({ ...row, group: row.relation }))
    const others = rest.filter((row) => !this.group || row.relation !== this.group)
    if (!this.group) return [...standing, ...others]
    return this.group === "narrower" ? [...standing, ...asked, ...others] : [...asked, ...standing, ...others]
  }

  // All rows as they are numbered: in a fix from 0, the concept that is kept; in an addition from 1.
  rows() {
    return [...this.first, ...this.found.filter((row) => !this.first.some((one) => one.id === row.id))]
  }

  digitOf(at) {
    return this.keep ? at : at + 1
  }

  // --- what is chosen -------------------------------------------------------------------------------------------

  // The row that is saved. Keep, until something is typed or a group is asked for; then the first row that was found,
  // never one that is only like the words.
  selected() {
    const rows = this.rows()
    if (this.missed) return null
    if (this.picked) return rows.find((row) => row.id === this.picked) ?? null
    if (!this.typed && !this.group) return this.keep
    if (this.stale) return null
    const first = this.found.find((row) => (this.typed ? bears(row) : row.relation === this.group))
    return first ? rows.find((row) => row.id === first.id) : null
  }

  // A row that is not there, or not any more, is not to be had: what was chosen before is not meant any longer.
  pick(row) {
    this.missed = !row || (this.stale && !this.first.includes(row))
    if (this.missed) this.say(this.stale ? "Still searching: pick the row when it is here." : "There is no such row.")
    else this.picked = row.id
    this.draw()
  }

  // Stands until the curator does something else, or no longer holds.
  say(text) {
    this.message = { text, stale: this.stale, read: false }
  }

  move(by) {
    const rows = this.rows()
    const selected = this.selected()
    const at = selected ? rows.indexOf(selected) : this.keep ? 0 : -1
    if (rows.length) this.pick(rows[Math.max(0, Math.min(rows.length - 1, at + by))])
  }

  addSpan([start, end]) {
    if (!this.spans.some((span) => span[0] === start && span[1] === end)) this.spans = [...this.spans, [start, end]]
    this.spans.sort((a, b) => a[0] - b[0] || a[1] - b[1])
    this.draw()
  }

  removeSpan([start, end]) {
    this.spans = this.spans.filter((span) => span[0] !== start || span[1] !== end)
    this.draw()
  }

  set(fields) {
    Object.assign(this, fields)
    this.draw()
  }

  // --- searching ------------------------------------------------------------------------------------------------

  onTyped() {
    this.untouched = false
    if (this.typed === this.read) return
    this.read = this.typed
    this.picked = null
    this.missed = false
    this.draw()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.desk.press.after(() => this.desk.view.panel === this && this.ask()), 120)
  }

  ask() {
    clearTimeout(this.timer)
    this.asked = this.typed
    this.draw()
  }

  clearSearch() {
    this.input.value = ""
    this.input.blur()
    this.onTyped()
  }

  // --- keys -----------------------------------------------------------------------------------------------------

  onInputKey(event) {
    if (event.isComposing || event.keyCode === 229) return // what an input method is still writing
    const act = {
      Enter: () => event.repeat || this.save(),
      Escape: () => (this.input.value ? this.clearSearch() : this.desk.view.closePanel(this.desk)),
      ArrowDown: () => this.move(1),
      ArrowUp: () => this.move(-1),
    }[event.key]
    event.stopPropagation()
    if (!act) return
    event.preventDefault()
    act()
  }

  // A key pressed outside any input. True: used; "type": it goes into the search box.
  onKey(name) {
    if (name === "Escape") this.desk.view.closePanel(this.desk)
    else if (name === "Enter") {
      if (this.pressesButton()) return false
      this.save()
    } else if (name === "ArrowDown") this.move(1)
    else if (name === "ArrowUp") this.move(-1)
    else if (/^\d$/.test(name)) this.pick(this.rows().find((_, at) => this.digitOf(at) === Number(name)))
    else if (name.length === 1 && name !== " ") {
      this.input.focus({ preventScroll: true })
      if (this.untouched) this.input.select() // what is typed takes the place of the words that were selected
      return "type"
    } else return false
    return true
  }

  // Enter presses the button that has the focus; on a choice, which Space presses, it saves.
  pressesButton() {
    const focused = this.node.getRootNode().activeElement
    return focused?.tagName === "BUTTON" && focused.getAttribute("role") !== "radio" && this.node.contains(focused)
  }

  // --- saving ---------------------------------------------------------------------------------------------------

  answerWith(row) {
    return { concept: row.id, class: this.class, assertion: this.assertion, spans: this.spans }
  }

  // Whether saving a row would say what the proposal says: that is to accept it.
  isAsProposed(row) {
    return Boolean(this.proposal) && sameAnswer(this.answerWith(row), answerOfProposal(this.item, this.proposal))
  }

  save() {
    if (this.desk.view.panel !== this) return
    const row = this.selected()
    if (row) {
      this.desk.view.panelSaved(this.desk, this, row, this.answerWith(row))
      return
    }
    this.say(this.stale ? "Still searching: nothing is saved yet." : "Nothing is chosen, so nothing is saved. Pick a row first.")
    if (this.typed !== this.asked) this.ask()
    else this.draw()
  }
}
