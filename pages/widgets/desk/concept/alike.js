// The same words for the same concept in several passages: one question, with what stands around the words in each of
// them. What is left out stays open. Undo takes all of them back together.

class AlikePanel {
  constructor(desk, item) {
    Object.assign(this, { desk, item, overlay: true, question: randomId(), at: 0 })
    this.left = new Set() // ids of the rows that are left out
    this.told = el("div", { class: "told" }, el("p", { class: "quiet", role: "status" }, "Looking for the same words…"))
    this.node = el("section", { class: "help alike", role: "region", "aria-label": "The same words", tabindex: "-1" }, this.told)
  }

  opened() {
    this.node.focus({ preventScroll: true })
  }

  // Called with every drawing: the answer may have come.
  heard() {
    const found = this.desk.lookUp("alike", this.question, "", String(this.item.id))
    if (!found || found === this.found) return
    this.found = found
    for (const row of found.rows) if (row.narrower.length) this.left.add(row.id)
    this.draw()
  }

  get rows() {
    return this.found?.rows ?? []
  }

  get chosen() {
    return this.rows.filter((row) => !this.left.has(row.id))
  }

  draw() {
    const leave = button("Leave", "Esc", () => this.leave(), { "data-key": "leave" })
    if (this.rows.length < 2) {
      const none = this.rows.length ? "No other open item has the same words for this concept." : "This item asks for a look of its own: something about it is odd, or others decide it."
      return this.told.replaceChildren(el("p", { role: "status" }, none), el("div", { class: "foot" }, leave))
    }
    const focused = this.node.getRootNode().activeElement?.dataset?.key
    const count = this.chosen.length
    const act = (name, word, action) => button(`${word} ${count}`, name, () => this.decide(action), { class: action, glyph: action, disabled: !count, "data-key": name })
    this.told.replaceChildren(
      el("h3", {}, words(this.item.label), el("code", {}, words(this.item.concept)), ` in ${this.rows.length} passages`),
      el("p", { class: "quiet" }, `Each is answered as it is proposed. A click, or arrows and the space bar, leave one out.${this.found.further ? " There are more of them: they come when these are answered." : ""}`),
      el("ol", { role: "group", "aria-label": "Passages" }, this.rows.map((row, i) => this.drawRow(row, i))),
      el("div", { class: "foot" }, act("A", "Accept", "accept"), act("X", "Reject", "reject"), leave),
    )
    if (focused) this.node.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true })
    return this.node.querySelector(".at")?.scrollIntoView({ block: "nearest" })
  }

  drawRow(row, i) {
    const is = !this.left.has(row.id)
    const said = answerWords(row.proposals[0])
    return el(
      "li",
      { role: "checkbox", "aria-checked": is ? "true" : "false", class: `${i === this.at ? "at" : ""} ${is ? "" : "left-out"}`, "data-item": row.id, on: { click: () => this.turn(i) } },
      icon(is ? "accept" : "open"),
      el(
        "div",
        {},
        el("div", { class: "quiet" }, words(row.doc), said && `: ${said}`, !is && el("span", {}, " (left out)")),
        row.contexts.map(([before, quote, after]) => el("p", { dir: "auto" }, words(before), el("mark", {}, words(quote)), words(after))),
        row.narrower.length > 0 && el("div", { class: "warning" }, icon("warn"), " Narrower, and in the text: ", words(row.narrower.join(", "))),
      ),
    )
  }

  turn(i) {
    const row = this.rows[i]
    if (!row) return
    this.at = i
    if (!this.left.delete(row.id)) this.left.add(row.id)
    this.draw()
  }

  move(by) {
    this.at = Math.max(0, Math.min(this.rows.length - 1, this.at + by))
    if (this.rows.length > 1) this.draw()
  }

  decide(action) {
    const rows = this.chosen
    if (this.rows.length < 2 || !rows.length) return
    this.leave()
    this.desk.view.decideAlike(this.desk, rows, action)
  }

  leave() {
    leaveOverlay(this.desk)
  }

  onKey(name) {
    const pressed = this.node.getRootNode().activeElement
    if (["Enter", " "].includes(name) && pressed?.matches(".alike button")) return false // it presses that
    const act = {
      Escape: () => this.leave(),
      l: () => this.leave(),
      a: () => this.decide("accept"),
      x: () => this.decide("reject"),
      r: () => this.decide("reject"),
      " ": () => this.turn(this.at),
      ArrowDown: () => this.move(1),
      ArrowUp: () => this.move(-1),
      j: () => this.move(1),
      k: () => this.move(-1),
    }[name]
    act?.()
    return Boolean(act) || name !== "Tab"
  }
}

Object.assign(ConceptView.prototype, {
  askAlike(desk, item) {
    if (item.blind || this.drafts.has(item.id) || judgement(item)) return desk.notify("alike", "This one is answered on its card: it is a blind check, changed there, or answered already.")
    return this.openPanel(desk, new AlikePanel(desk, item))
  },

  // What the desk holds itself is answered there, too; of the others it knows what the question showed.
  decideAlike(desk, rows, action) {
    const known = (row) => desk.line.items.get(row.id) ?? { ...row, mine: [] }
    const open = rows.map(known).filter((item) => !judgement(item))
    if (!open.length) return
    desk.decideTogether(open, (item) => (action === "accept" ? acceptance(item) : REJECTION))
  },
})
