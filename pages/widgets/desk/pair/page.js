// Drawing conflict review.

Object.assign(PairView.prototype, {
  layOut(desk) {
    const part = (name, tag) => this.part(name, tag)
    const cardPart = (name) => part(`card-${name}`)
    this.box = makeBox(this)
    const [before, after] = [SHEET_PARTS.slice(0, CONTEXTS_AT), SHEET_PARTS.slice(CONTEXTS_AT)]
    this.inSheet = { table: el("div") } // where there is no room above the abstracts
    this.sheet = el("div", { class: "sheet" }, before.map(cardPart), this.inSheet.table, after.map(cardPart))
    this.card = el("section", { class: "card pair", "aria-label": "Label" }, cardPart("name"), cardPart("gist"), this.sheet, el("div", { class: "foot-bar" }, FOOT_PARTS.map(cardPart)))
    const side = (name) => {
      const text = part(`text-${name}`)
      text.addEventListener("mouseup", () => this.byTouch || this.soon(() => this.onSelected(desk)))
      return el("article", { class: "side", "data-side": name, "aria-label": `Abstract ${name.toUpperCase()}` }, part(`head-${name}`), text, part(`spans-${name}`))
    }
    const [a, b] = SIDES.map(side)
    this.sides = el("div", { class: "sides" }, a, b)
    const contexts = el("div", {}, part("table"))
    const left = el("div", { class: "left" }, part("strip"), contexts, part("switch"), this.sides, part("selection"))
    const right = el("div", { class: "right" }, part("side"), part("history"))
    this.homes = { "spans-a": a, "spans-b": b, table: contexts, history: right }
    this.layAround(desk, el("div", { class: "grid pairs" }, left, right))
  },

  drawItem(desk) {
    this.desk = desk
    if (!this.slots.size) this.layOut(desk)
    const item = desk.line.current
    const blank = !desk.curator || !item
    desk.frame.dataset.item = item?.id ?? ""
    this.sides.hidden = blank
    if (blank) {
      for (const name of ["strip", "switch", "selection", "table"]) this.slot(name, [null], () => [])
      this.slot("side", this.endKey(desk), () => this.emptySide(desk))
    } else this.drawPair(desk, item)
    this.drawOverlay()
  },

  drawPair(desk, item) {
    const draft = this.draftOf(item)
    const fresh = this.scrolledTo !== item.id
    this.scrolledTo = item.id
    for (const side of SIDES) {
      const marks = marksOf(item, side, draft, this.held ? null : this.selection)
      this.slot(`head-${side}`, [item.id, item.blind], () => drawSideHead(item, side))
      this.slot(`text-${side}`, [item.id, marks], () => drawSideText(this.frameOf(item, side), marks, side))
      this.markTicked(side, draft)
    }
    if (!fresh) this.drawEvidence(item, draft)
    this.sides.dataset.shown = this.shownSide
    this.slot("strip", [item.id, item.blind], () => {
      this.slots.get("table").style.setProperty("--rows", Math.min(ROWS_SEEN, contextRows(item).length)) // its room, which it fills later
      return drawStrip(item)
    })
    this.slot("switch", [this.shownSide], () => this.sideSwitch(desk))
    this.slot("selection", [this.selection], () => (this.selection ? this.selectionBar(desk, item) : []))
    if (this.panel && !this.panel.overlay) this.show("side", this.panel.node)
    else this.drawCard(desk, item, draft)
    if (fresh) this.scroll() // when all is drawn: each measuring lays the page out
  },

  spoken(desk, item) {
    const draft = this.draftOf(item)
    const state = stateOf(item)
    const docs = SIDES.map((side) => item.sides[side].doc).join(" and ")
    return [typeName(draft.type), draft.axes.length > 0 && axisNames(draft.axes), docs, item.blind && item.why, state !== "open" && STATES[state]].filter(Boolean).join(". ")
  },

  // The list of what is underlined in the texts.
  drawEvidence(item, draft) {
    for (const side of SIDES) this.slot(`spans-${side}`, [item.id, draft.spans[side], this.labelChosen(item)?.id], () => drawSpans(this, item, draft, this.labelChosen(item), side))
  },

  // What texts and form show in other words, and what is no part of the answer: contexts, where the label comes from, why
  // it is asked about.
  drawMore(desk) {
    const item = desk.line.current
    if (!item || !desk.curator) return
    const draft = this.draftOf(item)
    const label = this.labelChosen(item)
    const state = stateOf(item)
    this.drawEvidence(item, draft)
    this.slot("table", [item.id, item.blind, draft.axes], () => drawTable(this, item, draft))
    this.slot("card-state", [state, item.id, item.blind, label?.id], () => [stateChip(state), drawScore(item), drawPairOrigin(item, label)])
    this.slot("card-why", [item.id, item.blind, label?.id, this.whyOpen], () => drawPairWhy(this, item, label))
  },

  // The card stays, its parts change: what two pairs have in common need not be laid out and painted again.
  drawCard(desk, item, draft) {
    const label = this.labelChosen(item)
    const state = stateOf(item)
    const differing = item.table.filter((row) => row.differs).map((row) => row.axis)
    const parts = {
      name: [[draft.type], () => el("h2", { class: "label" }, typeName(draft.type))],
      gist: [[draft, item.blind, label?.id, state, this.sheetOpen], () => drawPairGist(this, item, label, draft)],
      labels: [[item.id, item.blind, label?.id], () => drawLabels(this, item, label)],
      types: [[draft.type, label?.type], () => drawTypes(this, draft, label)],
      guide: [[draft.type], () => drawGuide(draft)],
      axes: [[draft.axes, draft.type === NO_CONFLICT, label?.axes, differing], () => drawAxes(this, draft, label, differing)],
      turns: [[draft.type === NO_CONFLICT, draft.axes, draft.confounder, draft.comparable, label?.comparable, label?.confounder], () => drawTurns(this, draft, label)],
      box: [null, () => drawBox(this.box)],
      mine: [item.mine, () => item.mine.length > 0 && drawPairMine(item)],
      answers: [null, () => drawPairAnswers(desk)],
    }
    if (this.box.value !== draft.reconciliation) this.box.value = draft.reconciliation
    this.show("side", this.card)
    this.card.dataset.item = item.id
    this.card.classList.toggle("open", this.sheetOpen)
    for (const [name, [signature, render]] of Object.entries(parts)) this.slot(`card-${name}`, signature, render)
    this.drawAnswerState(item)
  },

  // What typing changes, without touching the box that is typed in.
  drawAnswerState(item) {
    const draft = this.draftOf(item)
    const changed = this.changes(item)
    const doubted = doubtsOf(draft)
    this.slot("card-hint", [this.hint, item.blind, draft.type === NO_CONFLICT], () => drawHint(this, item))
    this.slot("card-told", [this.told], () => this.told && el("p", { class: "told", role: "status" }, this.told))
    this.slot("card-doubts", [item.id, doubted, changed], () => [
      ...doubted.map((text) => el("p", { class: "doubt" }, icon("unsure"), " Are you sure? ", text)),
      changed.length > 0 &&
        el(
          "p",
          { class: "changed quiet" },
          `Changed: ${changed.join(", ")}.`,
          item.proposals.length > 0 && button("Back to the proposal", null, () => this.choose(item, this.labelChosen(item)), { class: "plain" }),
        ),
    ])
    const [accept, , fix] = this.slots.get("card-answers").querySelectorAll("button")
    accept.querySelector("span").textContent = changed.length || item.blind ? "Save" : "Accept"
    fix.classList.toggle("due", changed.length > 0)
  },

  // The words of a ticked axis stand out from those of the others.
  markTicked(side, draft) {
    for (const node of this.slots.get(`text-${side}`).querySelectorAll(".on-cue")) {
      node.classList.toggle("ticked", draft.axes.includes(node.dataset.place.split(" ")[0]))
    }
  },

  atHand(axis) {
    if (this.hint === axis) return
    this.hint = axis
    const item = this.desk.line.current
    if (item && !this.panel) this.drawAnswerState(item)
  },

  scroll() {
    for (const side of SIDES) this.toClaim(side)
  },

  toClaim(side) {
    const pane = this.slots.get(`text-${side}`)
    pane.scrollTop = 0
    scrollToMark(pane, ".on-claim")
  },

  sideSwitch(desk) {
    const show = (which) => {
      this.shownSide = which
      desk.draw()
      this.scroll()
    }
    return choices(
      "Show",
      [
        ["both", "Both"],
        ["a", "A"],
        ["b", "B"],
      ],
      this.shownSide,
      null,
      show,
    )
  },

  selectionBar(desk, item) {
    const { side, span } = this.selection
    return [
      el("span", { class: "letter" }, side.toUpperCase()),
      el("q", {}, words(this.frameOf(item, side).slice(...span))),
      button("Mark as evidence", "Enter", () => this.mark(item)),
      button("Leave", "Esc", () => this.select(desk, null), { class: "plain" }),
    ]
  },
})
