// Conflict review: the keys, and what they do to the pair on the screen.

class PairView extends View {
  constructor() {
    super()
    this.kind = "pair"
    this.jumpKey = "0"
    this.guideKey = "."
    this.shownSide = "both" // on narrow screens: both, a or b
    this.reset()
  }

  reset() {
    this.panel = null
    this.selection = null // { side, span: [start, end] in code points }
    this.drafts = new Map() // item id -> draft
    this.frames = new Map() // item id and side -> TextFrame
    this.told = null // what the last change did beyond what was asked
    this.hint = null // the axis whose definition is at hand
  }

  // --- what the desk tells ------------------------------------------------------------------------------------------

  onShown() {
    this.panel = null
    this.selection = null
    this.caret = null
    this.told = null
    this.hint = null
  }

  // What was changed stays at hand, should the decision be undone.
  onDecided(desk, item) {
    store("sessionStorage", this.draftName(desk, item), null)
    this.panel = null
  }

  onUndone() {}

  labelOf(desk, said) {
    if (said.label) return said.label
    const item = desk.line.items.get(said.item)
    const label = item?.proposals.find((one) => one.id === said.proposal) ?? item?.proposals[0]
    return typeName(said.answer?.conflict_type ?? label?.type)
  }

  // --- the draft ----------------------------------------------------------------------------------------------------

  frameOf(item, side) {
    const name = `${item.id} ${side}`
    if (!this.frames.has(name)) {
      if (this.frames.size > 200) this.frames.clear()
      this.frames.set(name, new TextFrame(item.sides[side].text))
    }
    return this.frames.get(name)
  }

  // Kept in the tab's storage, so that a reload does not lose what was written and not yet saved.
  draftName(desk, item) {
    return `touchstone.draft.${desk.workspace}.${desk.curator}.${item.id}`
  }

  draftOf(item) {
    let draft = this.drafts.get(item.id) ?? readJson(stored("sessionStorage", this.draftName(this.desk, item)), null)
    if (item.blind && draft?.proposal) draft = null // from before the frame was opened, with a label on the screen
    const answer = judgement(item)?.answer
    draft ??= answer ? draftOfAnswer(answer, item.proposals[0]?.id ?? null) : draftOfLabel(item.proposals[0])
    this.drafts.set(item.id, draft)
    return draft
  }

  labelChosen(item) {
    const draft = this.draftOf(item)
    return item.proposals.find((one) => one.id === draft.proposal) ?? item.proposals[0] ?? null
  }

  changes(item) {
    return differences(this.draftOf(item), this.labelChosen(item))
  }

  change(item, { told = this.told, ...fields }, box = true) {
    const draft = { ...this.draftOf(item), ...fields }
    this.drafts.set(item.id, draft)
    store("sessionStorage", this.draftName(this.desk, item), JSON.stringify(draft))
    this.told = told
    if (box) this.desk.draw()
    else this.drawAnswerState(item)
  }

  choose(item, label) {
    this.change(item, { ...draftOfLabel(label), told: null })
  }

  nextLabel(item) {
    if (item.blind) return this.desk.notify("label", item.why)
    if (item.proposals.length < 2) return this.desk.notify("label", "There is one proposed label only.")
    const at = item.proposals.indexOf(this.labelChosen(item))
    return this.choose(item, item.proposals[(at + 1) % item.proposals.length])
  }

  toggle(item, axis) {
    this.hint = axis
    this.change(item, withAxis(this.draftOf(item), axis))
  }

  // --- keys -----------------------------------------------------------------------------------------------------

  onKey(desk, name, event) {
    const used = this.onCaretKey(desk, name, event)
    if (used !== null) return used
    if (this.panel) return this.onPanelKey(name, event)
    const item = desk.line.current
    if (name === "c") return true // Streamlit would offer to clear its caches
    if (name === "h") return this.help(desk)
    if (name === "j") return desk.move(1) ?? true
    if (name === "k") return desk.move(-1) ?? true
    if (event?.repeat) return /^[a-z0-9]$/.test(name) // a key held down decides once
    if (name === "z") return desk.undo() ?? true
    if (this.selection && name === "Escape") return this.select(desk, null)
    if (this.selection && name === "Enter" && this.slots.get("selection").getRootNode().activeElement?.tagName !== "BUTTON") return this.mark(item)
    if (!item) return /^[a-z0-9]$/.test(name)
    if (name === "Enter") return this.onEnter(desk)
    if (AXIS_OF[name]) return this.toggle(item, AXIS_OF[name]) ?? true
    if (/^[1-6]$/.test(name)) return this.change(item, withType(this.draftOf(item), TYPES[Number(name) - 1].value)) ?? true
    const act = {
      a: () => this.accept(desk, item),
      f: () => this.fix(desk, item),
      x: () => desk.decide(item, "reject"),
      r: () => desk.decide(item, "reject"),
      s: () => desk.decide(item, "unsure"),
      q: () => this.nextLabel(item),
      n: () => this.openPanel(desk, new NotePanel(desk, item)),
      o: () => this.openOrigin(desk),
      7: () => this.change(item, { comparable: !this.draftOf(item).comparable }),
      8: () => this.change(item, nextConfounder(this.draftOf(item))),
      ",": () => this.startCaret(desk),
      9: () => this.write(desk),
    }[name]
    if (!act) return false
    act()
    return true
  }

  // A box in a shut sheet takes no focus, and what is typed would be taken for answers.
  write(desk) {
    if (this.hasSheet(desk) && !this.sheetOpen) this.toggleSheet(desk)
    this.box.focus()
  }

  help(desk) {
    const tables = [["Decide", HELP], ["Conflict type", HELP_TYPES], ["Axes: tick and untick", HELP_AXES], ["The rest of the label", HELP_REST]]
    return this.openPanel(desk, new HelpPanel(desk, tables))
  }

  accept(desk, item) {
    const label = this.labelChosen(item)
    if (!label || this.changes(item).length) return this.save(desk, item)
    return desk.decide(item, "accept", { proposal: label.id }, answerOf(this.draftOf(item)))
  }

  fix(desk, item) {
    if (this.changes(item).length || !item.proposals.length) return this.save(desk, item)
    this.told = "Nothing is changed yet. Change the type (1 to 6), an axis, or any other part and save with F; or accept the label with A."
    return desk.draw()
  }

  save(desk, item) {
    const draft = this.draftOf(item)
    const found = refusals(draft)
    if (found.length) {
      this.told = `This cannot be saved yet. ${found.join(" ")}`
      return desk.draw()
    }
    const answer = answerOf(draft)
    return desk.decide(item, "fix", { proposal: this.labelChosen(item)?.id ?? null, answer })
  }

  // --- evidence -------------------------------------------------------------------------------------------------

  select(desk, selection) {
    this.selection = selection
    this.caret = null
    if (!selection) clearSelection()
    desk.draw()
    return true
  }

  texts(desk) {
    const item = desk.line.current
    return SIDES.map((side) => ({ side, pane: this.slots.get(`text-${side}`), frame: this.frameOf(item, side), from: item.sides[side].claim.start }))
  }

  asSelection(side, span) {
    return { side, span }
  }

  take(desk) {
    this.mark(desk.line.current)
  }

  mark(item) {
    const { side, span } = this.selection
    const spans = this.draftOf(item).spans
    const rest = spans[side].filter(([start, end]) => start !== span[0] || end !== span[1])
    const marked = [...rest, span].sort((a, b) => a[0] - b[0] || a[1] - b[1])
    this.selection = null
    clearSelection()
    this.change(item, { spans: { ...spans, [side]: marked } })
    return true
  }

  unmark(item, side, [start, end]) {
    const spans = this.draftOf(item).spans
    this.change(item, { spans: { ...spans, [side]: spans[side].filter((one) => one[0] !== start || one[1] !== end) } })
  }

  // Show marked words where they stand: the pane scrolls to the first of them and all of them flash.
  pulse(side, places) {
    this.reveal(side)
    const pane = this.slots.get(`text-${side}`)
    const wanted = new Set(places)
    const nodes = [...pane.querySelectorAll("[data-place]")].filter((node) => wanted.has(node.dataset.place))
    if (!nodes.length) return
    scrollToMark(pane, nodes[0])
    for (const node of nodes) {
      node.classList.remove("pulse")
      void node.offsetWidth // begin again where it is flashing already
      node.classList.add("pulse")
      setTimeout(() => node.classList.remove("pulse"), 1600)
    }
  }

  reveal(side) {
    if (this.shownSide === "both" || this.shownSide === side) return
    this.shownSide = side
    this.desk.draw()
  }
}
