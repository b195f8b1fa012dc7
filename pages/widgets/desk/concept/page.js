// Drawing concept review. Each part of the page is drawn again only when what it shows has changed, so that focus,
// selection and scrolling survive what comes from the server meanwhile.

Object.assign(ConceptView.prototype, {
  slot(name, signature, render) {
    const place = this.slots.get(name)
    const key = JSON.stringify(signature) ?? "undefined"
    if (place.drawn === key) return
    place.drawn = key
    const root = place.getRootNode()
    const focused = place.contains(root.activeElement) ? root.activeElement.dataset.key : null
    place.replaceChildren(...[render()].flat().filter(Boolean))
    if (focused) place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true })
  },

  layOut(desk) {
    const part = (name, tag = "div") => {
      const node = el(tag, { class: `slot-${name}` })
      this.slots.set(name, node)
      return node
    }
    const text = part("text")
    this.card = el("section", { class: "card", "aria-label": "Proposal" }, CARD_PARTS.map((name) => part(`card-${name}`)))
    this.slots.set("card", this.card)
    text.addEventListener("mouseup", () => setTimeout(() => this.onSelect(desk)))
    desk.frame.replaceChildren(
      part("head", "header"),
      part("notices"),
      el(
        "div",
        { class: "grid" },
        el("div", { class: "left" }, part("title"), text, part("selection"), part("list")),
        el("div", { class: "right" }, part("side"), part("history")),
      ),
      part("overlay"),
    )
  },

  drawItem(desk) {
    this.desk = desk
    if (!this.slots.size) this.layOut(desk)
    const item = desk.line.current
    const blank = !desk.curator || !item
    desk.frame.dataset.item = item?.id ?? ""
    this.slot("title", [this.passage?.id, this.passage?.closed, blank, Boolean(this.finished)], () => (blank ? [] : this.title(desk)))
    this.drawText(desk)
    this.slot("selection", [this.selection, Boolean(this.panel)], () => (this.selection && !this.panel ? this.selectionBar(desk) : []))
    if (blank) this.slot("side", [desk.curator, desk.answered, desk.progress?.total, desk.line.ended], () => this.emptySide(desk))
    else if (this.panel && !this.panel.overlay) this.show("side", this.panel.node)
    else this.drawCard(desk, item)
    if (this.panel instanceof Panel) this.refreshPanel()
    this.slot("overlay", [Boolean(this.panel?.overlay)], () => (this.panel?.overlay ? el("div", { class: "veil" }, this.panel.node) : []))
  },

  drawRest(desk) {
    const item = desk.line.current
    const passage = this.passage
    const states = passage?.items.map((one) => [one.id, one.mine.length, stateOf(one)])
    this.drawHead(desk)
    this.slot("notices", [desk.notices.map((notice) => notice.text), desk.problem, this.finished?.id, this.finished?.closed], () => this.notices(desk))
    this.slot("list", [passage?.id, item?.id, states], () => (desk.curator && item ? this.list(desk) : []))
    const recent = desk.curator ? desk.recent() : []
    this.slot("history", [recent, item?.id], () => (recent.length ? this.history(desk, recent) : []))
  },

  // Put a node into a slot without touching it when it is there, since it may hold the focus.
  show(name, node) {
    const place = this.slots.get(name)
    if (place.firstChild === node) return
    place.drawn = null
    place.replaceChildren(node)
  },

  // An open panel is drawn again when the concepts it waits for have come.
  refreshPanel() {
    const found = this.panel.answer()
    if (found === this.panel.drawnWith) return
    this.panel.drawnWith = found
    this.panel.draw()
  },

  drawText(desk) {
    const item = desk.line.current
    const passage = this.passage
    if (!this.slots.size) return
    if (!desk.curator || !item || !passage) return this.slot("text", [null], () => [])
    const extra = this.panel?.spans ?? (this.selection ? [this.selection] : [])
    const marks = passageMarks(passage, item, this.panel?.item === item)
    const before = this.scrolledTo
    this.slot("text", [passage.id, marks.map((mark) => [mark.start, mark.end, mark.item.id, mark.lane]), extra], () =>
      drawText(this.frameOf(passage), marks, extra, (owners) => this.pickOwner(desk, owners)),
    )
    markStates(this.slots.get("text"), marks)
    this.scrolledTo = `${passage.id} ${item.id}`
    if (before !== this.scrolledTo) {
      if (!before?.startsWith(`${passage.id} `)) this.slots.get("text").scrollTop = 0
      this.scroll()
    }
    return null
  },

  // A click on a span shows its item; where spans overlap, one after the other.
  pickOwner(desk, owners) {
    if (selectedUnits(this.slots.get("text").querySelector(".text")) || this.panel) return
    const at = owners.indexOf(desk.line.current)
    desk.open(owners[(at + 1) % owners.length].id)
  },

  drawHead(desk) {
    const progress = desk.progress
    const waiting = desk.outbox?.size ?? 0
    const late = waiting > 0 && (desk.problem || Date.now() - desk.outbox.oldest > 5000)
    this.slot("head", [progress, waiting, late, desk.curator], () => {
      if (!desk.curator) return []
      const left = progress && progress.median !== null ? ((progress.total - progress.done) * progress.median) / 60000 : null
      const parts = progress
        ? [
            `${progress.done} / ${progress.total}`,
            progress.median !== null && `${Math.max(1, Math.round(progress.median / 1000))} s median`,
            left !== null && left > 0 && `about ${left < 1 ? "1 min" : left < 90 ? `${Math.round(left)} min` : `${Math.round(left / 60)} h`} left`,
          ].filter(Boolean)
        : ["…"]
      const saved = late
        ? el("span", { class: "sync late", role: "status" }, icon("warn"), `${waiting} not saved yet, trying again…`)
        : waiting
          ? el("span", { class: "sync", role: "status" }, `${waiting} saving…`)
          : el("span", { class: "sync saved", role: "status" }, icon("accept"), "All saved")
      return [
        el("div", { class: "progress" }, el("strong", {}, parts[0]), parts.slice(1).map((part) => el("span", {}, part))),
        el("progress", { max: Math.max(1, progress?.total ?? 1), value: progress?.done ?? 0, "aria-label": "Progress" }),
        saved,
        button("Help", "H", () => this.onKey(desk, "h"), { class: "plain", "data-key": "H" }),
      ]
    })
  },

  notices(desk) {
    const rows = desk.notices.map((notice) =>
      el(
        "div",
        { class: `notice ${notice.name === "refused" ? "bad" : ""}`, role: "status" },
        words(notice.text),
        button("Dismiss", null, () => desk.dismiss(notice.name), { class: "plain" }),
      ),
    )
    if (desk.problem) rows.unshift(el("div", { class: "notice bad", role: "alert" }, icon("warn"), words(desk.problem)))
    if (this.finished && !this.finished.closed) {
      rows.push(
        el(
          "div",
          { class: "notice finished", role: "status" },
          icon("close"),
          el("span", {}, "All of ", words(this.finished.doc), " is decided. Is nothing missing in it?"),
          button("Passage done", "P", () => this.passageDone(desk)),
          button("Look again", "K", () => desk.move(-1), { class: "plain" }),
        ),
      )
    }
    return rows
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
      button(passage.closed ? "Reopen" : "Passage done", this.finished ? null : "P", () => { this.finished = null; this.passageDone(desk) }, { class: "plain", "data-key": "P" }),
    ]
  },

  selectionBar(desk) {
    const quote = this.frameOf(this.passage).slice(...this.selection)
    return [
      el("q", {}, words(quote)),
      button("Evidence for this item", "F", () => this.onKey(desk, "f")),
      button("Add missing concept", "M", () => this.onKey(desk, "m")),
      button("Leave", "Esc", () => this.select(desk, null), { class: "plain" }),
    ]
  },

  list(desk) {
    const rows = [...this.passage.items].sort((a, b) => firstOffset(a) - firstOffset(b) || a.id - b.id)
    return [
      el("h3", {}, `In this passage: ${rows.filter(judgement).length} of ${rows.length} decided`),
      el(
        "ul",
        {},
        rows.map((item) =>
          el(
            "li",
            {},
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
    for (const [name, signature, render] of cardParts(desk, item)) this.slot(`card-${name}`, signature, render)
    const [accept] = this.slots.get("card-answers").querySelectorAll("button")
    accept.disabled = item.proposals.length === 0
    accept.querySelector("span").textContent = this.isChanged(item) ? "Accept changed" : "Accept"
  },

  emptySide(desk) {
    if (!desk.curator) return el("section", { class: "card empty", role: "status" }, el("p", {}, "Finding out who is reviewing…"))
    if (!desk.answered || (!desk.line.ended && desk.progress?.total)) return el("section", { class: "card empty", role: "status" }, el("p", {}, "Fetching the next items…"))
    return el(
      "section",
      { class: "card empty" },
      el("h3", {}, desk.progress?.total ? "Nothing more to decide here" : "Nothing passes these filters"),
      el("p", {}, desk.progress?.total ? "Every item of this queue is decided, or open with another curator at the moment. K looks back." : "Widen the filters above."),
      button("Look again", null, () => desk.beat()),
      button("Undo", "Z", () => desk.undo()),
    )
  },

  history(desk, recent) {
    return [
      el("h3", {}, "Last decisions"),
      el(
        "ul",
        {},
        recent.map((row) =>
          el(
            "li",
            {},
            el(
              "button",
              { type: "button", "data-key": `past ${row.cid}`, title: "Show this item again", disabled: !row.item, class: row.number === null ? "waiting" : "", on: { click: () => row.item && desk.open(row.item) } },
              stateChip(row.action),
              words(row.label, { class: "name" }),
              words(row.doc, { class: "doc" }),
            ),
            button("Undo", null, () => desk.undo(row), { class: "plain", title: "Undo this decision" }),
          ),
        ),
      ),
    ]
  },
})
