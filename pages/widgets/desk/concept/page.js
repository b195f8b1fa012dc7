// Drawing concept review.

Object.assign(ConceptView.prototype, {
  layOut(desk) {
    const part = (name, tag) => this.part(name, tag)
    const text = part("text")
    const cardPart = (name) => part(`card-${name}`)
    this.sheet = el("div", { class: "sheet" }, SHEET_PARTS.map(cardPart))
    this.card = el("section", { class: "card", "aria-label": "Proposal" }, cardPart("name"), cardPart("gist"), this.sheet, cardPart("answers"))
    text.addEventListener("mouseup", () => this.byTouch || this.soon(() => this.onSelected(desk)))
    const left = el("div", { class: "left" }, part("title"), text, part("selection"), part("list"), part("together"))
    const right = el("div", { class: "right" }, part("side"), part("history"))
    this.homes = { list: left, together: left, history: right }
    this.layAround(desk, el("div", { class: "grid" }, left, right))
  },

  drawItem(desk) {
    this.desk = desk
    if (!this.slots.size) this.layOut(desk)
    const item = desk.line.current
    const blank = !desk.curator || !item
    desk.frame.dataset.item = item?.id ?? ""
    this.slot("title", [this.passage?.id, this.passage?.closed, this.passage?.unlisted, blank, Boolean(this.finished)], () => (blank ? [] : this.title(desk)))
    this.drawText(desk)
    this.slot("selection", [this.selection, Boolean(this.panel), Boolean(this.caret)], () => (this.selection ? this.selectionBar(desk) : []))
    if (this.panel && !this.panel.overlay) this.show("side", this.panel.node)
    else if (blank) this.slot("side", [this.endKey(desk), Boolean(this.finished)], () => this.emptySide(desk))
    else if (this.isWhole(item)) this.drawWhole(desk)
    else this.drawCard(desk, item)
    if (this.panel instanceof Panel) this.refreshPanel()
    this.showMark(item)
    this.drawOverlay()
  },

  spoken(desk, item) {
    return this.isWhole(item) ? this.passageWords() : spokenItem(this, item)
  },

  drawMore(desk) {
    const item = desk.line.current
    const passage = this.passage
    const states = passage && labelsOf(passage).map((one) => [one.id, one.mine.length, stateOf(one)])
    const isWhole = item && this.isWhole(item)
    this.slot("list", [passage?.id, item?.id, isWhole, states], () => (desk.curator && item && !isWhole ? this.list(desk) : []))
    this.drawTogether(desk)
    if (!desk.curator || !item || isWhole) return
    for (const [name, signature, render] of originParts(this, item)) this.slot(`card-${name}`, signature, render)
  },

  asking(desk) {
    return [...this.askMute(desk), ...this.askDone(desk)]
  },

  // The passage just decided to its end asks to be closed.
  askDone(desk) {
    if (!this.finished || this.finished.closed) return []
    const unsure = this.finished.items.filter((item) => stateOf(item) === "unsure").length
    return [
      el(
        "div",
        { class: "notice finished", role: "status" },
        icon("close"),
        el("span", {}, "All of ", words(this.finished.doc), unsure ? ` is answered, ${unsure} as unsure. Is nothing missing in it?` : " is decided. Is nothing missing in it?"),
        button("Passage done", "P", () => this.passageDone(desk)),
        button("Look again", "K", () => desk.move(-1), { class: "plain" }),
      ),
    ]
  },

  // An open panel is drawn again when the concepts it waits for have come.
  refreshPanel() {
    const found = this.panel.answer()
    if (found === this.panel.drawnWith) return
    this.panel.drawnWith = found
    this.panel.draw(true)
  },

  drawText(desk) {
    const item = desk.line.current
    const passage = this.passage
    if (!this.slots.size) return
    if (!desk.curator || !item || !passage) return this.slot("text", [null], () => [])
    const extra = [...(this.panel?.spans ?? []), ...(this.selection && !this.held ? [this.selection] : [])]
    const marks = passageMarks(passage, item, this.panel?.item === item)
    this.slot("text", [passage.id, marks.map((mark) => [mark.start, mark.end, mark.item.id, mark.lane]), extra], () =>
      drawText(this.frameOf(passage), marks, extra, (owners) => this.pickOwner(desk, owners)),
    )
    markStates(this.slots.get("text"), marks)
    return null
  },

  // Once card or panel has taken its room, which on a small screen is the text's.
  showMark(item) {
    const before = this.scrolledTo
    const now = `${this.passage?.id} ${item?.id} ${Boolean(this.panel)}`
    if (before === now) return
    this.scrolledTo = now
    if (!before?.startsWith(`${this.passage?.id} `)) this.slots.get("text").scrollTop = 0
    this.scroll()
  },

  // A click on a span shows its item; where spans overlap, one after the other.
  pickOwner(desk, owners) {
    if (selectedUnits(this.slots.get("text").querySelector(".text")) || this.panel || this.passage.unlisted) return
    const at = owners.indexOf(desk.line.current)
    desk.open(owners[(at + 1) % owners.length].id)
  },

  title(desk) {
    const passage = this.passage
    return [
      el("h2", {}, words(passage.doc), passage.title && words(passage.title, { class: "subtitle" })),
      passage.closed && stateChip("close"),
      passage.addresses &&
        el(
          "span",
          { class: "warning", title: "A text that gives instructions may have misled a model. Judge its labels with care." },
          icon("warn"),
          "Speaks to its reader: ",
          words(passage.addresses),
        ),
      button("Add missing", "M", () => this.onKey(desk, "m"), { class: "plain", "data-key": "M" }),
      this.doneButton(desk, { class: "plain", "data-key": "P" }),
    ]
  },

  selectionBar(desk) {
    const quote = this.frameOf(this.passage).slice(...this.selection)
    const leave = button("Leave", "Esc", () => this.select(desk, null), { class: "plain" })
    if (this.panel) return [el("q", {}, words(quote)), button("Use as evidence", this.caret && "Enter", () => this.take(desk)), leave]
    return [
      el("q", {}, words(quote)),
      !this.isWhole(desk.line.current) && button("Evidence for this item", "F", () => this.onKey(desk, "f")),
      button("Add missing concept", "M", () => this.onKey(desk, "m")),
      leave,
    ]
  },

  list(desk) {
    const rows = inOrder(labelsOf(this.passage))
    return [
      el("h3", {}, `In this passage: ${rows.filter(judgement).length} of ${rows.length} decided`),
      el(
        "ul",
        {},
        rows.map((item) =>
          el(
            "li",
            { class: item.inside ? "inside" : null },
            el(
              "button",
              { type: "button", class: item === desk.line.current ? "here" : "", "aria-current": item === desk.line.current ? "true" : null, "data-key": `item ${item.id}`, "data-item": item.id, on: { click: () => item.id > 0 && desk.open(item.id) } },
              stateChip(stateOf(item)),
              words(judgement(item)?.answer?.label ?? item.label, { class: "name" }),
              el("code", {}, words(judgement(item)?.answer?.concept ?? item.concept)),
            ),
          ),
        ),
      ),
    ]
  },

  // The card stays, its parts change: what two items have in common need not be laid out and painted again.
  drawCard(desk, item) {
    this.show("side", this.card)
    this.card.dataset.item = item.id
    this.card.classList.toggle("open", this.sheetOpen)
    for (const [name, signature, render] of cardParts(desk, item)) this.slot(`card-${name}`, signature, render)
    const [accept] = this.slots.get("card-answers").querySelectorAll("button")
    accept.disabled = item.proposals.length === 0 && !item.blind
    accept.querySelector("span").textContent = this.isChanged(item) ? "Accept changed" : "Accept"
  },
})
