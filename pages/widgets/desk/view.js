// What every view has: its parts, the head with progress, notices, the last decisions, panels. Each part is drawn again
// only when what it shows has changed, so that focus, selection and scrolling survive what comes from the server
// meanwhile. A view of one kind of item extends this: drawItem, onKey, onShown, onDecided, onUndone, labelOf, reset.

// What I have answered, and what all have; one number where they are the same. Where it is not said what is settled,
// "all" is what needs nothing more from me.
const howFar = ({ mine, done, settled, total }) => (mine === (settled ?? done) ? `${mine} / ${total}` : `mine ${mine}, all ${settled ?? done} of ${total}`)
const saidOfAll = ({ mine, done, settled, total }) =>
  `${mine} answered by you; ${settled === null ? `${done} that need nothing more from you` : `${settled} with all the answers they need, whoever gave them`}; ${total} in this queue`

class View {
  constructor() {
    this.slots = new Map()
    this.whyOpen = false
    this.sheetOpen = false
    this.panel = null
  }

  // A passage, counted in code points.
  frameOf(passage) {
    if (!this.frames.has(passage.id)) this.frames.set(passage.id, new TextFrame(passage.text))
    return this.frames.get(passage.id)
  }

  // --- fitting the screen ---------------------------------------------------------------------------------------

  // Called when the place on the screen may have changed, never between a key and its item.
  fit(desk) {
    if (!this.slots.size || desk.stopped) return
    const { kind, room, left } = fitOf(desk.frame)
    const frame = desk.frame
    const place = `${kind} ${room} ${frame.clientWidth}`
    const changed = this.fitted !== place
    frame.style.setProperty("--left", left)
    const kept = kind === "wide" && frame.dataset.fit === kind // its texts stay as they were scrolled
    if (changed) {
      this.fitted = place
      frame.dataset.fit = kind
      frame.style.setProperty("--room", room)
    }
    const inSheet = kind !== "wide" && Boolean(desk.curator && desk.line.current)
    for (const [name, home] of Object.entries(this.homes)) {
      const place = inSheet ? (this.inSheet?.[name] ?? this.sheet) : home
      if (this.slots.get(name).parentNode !== place) place.append(this.slots.get(name))
    }
    if (changed) desk.draw() // the line of a small screen, which a wide one does without
    if (!changed || kept) return
    this.scroll()
    if (kind !== "wide") bringIntoView(frame)
  }

  // What a small screen says of the item in one line; the rest is in the sheet.
  gist(desk, parts) {
    return el(
      "button",
      { type: "button", class: "gist plain", "aria-expanded": this.sheetOpen ? "true" : "false", "data-key": "gist", on: { click: () => this.toggleSheet(desk) } },
      el("span", { class: "said" }, parts),
      el("span", { class: "handle" }, this.sheetOpen ? "Less" : "More", icon(this.sheetOpen ? "down" : "up")),
      key("Enter"),
    )
  }

  toggleSheet(desk) {
    this.sheetOpen = !this.sheetOpen
    this.sheet.scrollTop = 0
    desk.draw()
    this.scroll()
    return true
  }

  // Enter opens and closes the sheet where there is one, unless something has the focus that Enter presses.
  onEnter(desk) {
    const focused = desk.frame.getRootNode().activeElement
    return !focused?.matches("button, a, summary") && this.hasSheet(desk) && this.toggleSheet(desk)
  }

  // Whether some of the card is in a sheet that can be shut.
  hasSheet(desk) {
    return ["phone", "low"].includes(desk.frame.dataset.fit)
  }

  part(name, tag = "div") {
    const node = el(tag, { class: `slot-${name}` })
    this.slots.set(name, node)
    return node
  }

  // What every page has around its columns.
  layAround(desk, grid) {
    const said = el("div", { class: "unseen", role: "status" }, this.part("said"))
    desk.frame.replaceChildren(this.part("head", "header"), this.part("notices"), grid, this.part("overlay"), said)
  }

  slot(name, signature, render) {
    const place = this.slots.get(name)
    const unseen = name === "card-gist" && this.fitted?.startsWith("wide")
    const key = unseen ? "unseen" : (JSON.stringify(signature) ?? "undefined")
    if (place.drawn === key) return
    place.drawn = key
    const root = place.getRootNode()
    const focused = place.contains(root.activeElement) ? root.activeElement.dataset.key : null
    place.replaceChildren(...(unseen ? [] : [render()].flat().filter(Boolean)))
    if (focused) place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true })
  }

  // Put a node into a slot without touching it when it is there, since it may hold the focus.
  show(name, node) {
    const place = this.slots.get(name)
    if (place.firstChild === node) return
    place.drawn = null
    place.replaceChildren(node)
  }

  openPanel(desk, panel) {
    this.panel = panel
    this.selection = null
    this.caret = null
    clearSelection()
    desk.draw()
    panel.opened?.()
    return true
  }

  closePanel(desk) {
    this.panel = null
    this.selection = null
    this.caret = null
    desk.draw()
  }

  // While a panel is open, keys are its own. One that is held down says something once.
  onPanelKey(name, event) {
    return (event?.repeat && name.length === 1) || this.panel.onKey(name, event)
  }

  // What is drawn behind the item, when that is on the screen.
  drawRest(desk) {
    this.fit(desk)
    this.drawHead(desk)
    const asking = this.asking(desk)
    const where = this.whereabouts(desk)
    this.slot("notices", [desk.notices.map((notice) => notice.text), desk.problem, desk.pulse.gone, [...where, ...asking].map((node) => node.textContent)], () => this.notices(desk))
    this.drawMore(desk)
    const recent = desk.curator ? desk.recent() : []
    this.slot("history", [recent, desk.line.current?.id], () => (recent.length ? this.history(desk, recent) : []))
    const item = desk.line.current?.id
    if (this.inView === item) return
    this.inView = item
    if (item && desk.curator) this.announce(this.spoken(desk, desk.line.current))
    if (desk.frame.dataset.fit === "wide") return
    this.scroll() // the sheet may have taken some of the text's room
    bringIntoView(desk.frame)
  }

  // For screen readers, in the one region that they are told of: what is on the screen now, in few words. `spoken` is
  // each view's own.
  announce(text) {
    this.slots.get("said").replaceChildren(el("p", {}, text))
  }

  drawMore() {}

  // Called when something else may be in sight.
  onMoved() {}

  // A key may come in the frame before the origin of what is on the screen is drawn.
  openOrigin(desk) {
    this.drawMore(desk)
    this.slots.get("card-state").querySelector(".origin")?.click()
  }

  // Nodes that ask the curator something, below the notices.
  asking() {
    return []
  }

  // Where the curator is while not at the queue's own place, and the way back to it.
  whereabouts(desk) {
    const item = desk.line.current
    const bar = (text, way) => el("div", { class: "notice where", role: "status" }, el("span", {}, text), way)
    return [
      item && item.id === desk.line.aside && bar("Opened out of turn. Your place in the queue is kept.", button("Back to your place", "J", () => desk.move(1))),
      item && desk.places?.round && bar("Your unsure ones, once more.", button("Back to the queue", null, () => desk.turnRound())),
    ].filter(Boolean)
  }

  // Beside the sidebar, which would hide what lies under it.
  drawOverlay() {
    this.panel?.heard?.()
    this.slot("overlay", [Boolean(this.panel?.overlay)], () => {
      if (!this.panel?.overlay) return []
      return el("div", { class: `veil ${this.panel.beside ? "beside" : ""}` }, this.panel.node)
    })
  }

  drawHead(desk) {
    const progress = desk.progress
    const place = desk.placeInList()
    const waiting = desk.outbox?.size ?? 0
    const late = waiting > 0 && (desk.problem || Date.now() - desk.outbox.oldest > 5000)
    this.slot("head", [progress, place, waiting, late, desk.curator], () => {
      if (!desk.curator) return []
      const left = progress && place === null && progress.median !== null ? ((progress.total - progress.done) * progress.median) / 60000 : null
      const parts = progress
        ? [
            place === null ? howFar(progress) : `${place || "–"} of ${desk.listed.ids.length}`,
            progress.unsure > 0 && `${progress.unsure} unsure`,
            progress.median !== null && `${Math.max(1, Math.round(progress.median / 1000))} s median`,
            left !== null && left > 0 && `about ${left < 1 ? "1 min" : left < 90 ? `${Math.round(left)} min` : `${Math.round(left / 60)} h`} left`,
          ].filter(Boolean)
        : ["…"]
      const saved = late
        ? el("span", { class: "sync late", role: "status" }, icon("warn"), `${waiting} not saved yet, trying again…`)
        : waiting
          ? el("span", { class: "sync" }, `${waiting} saving…`)
          : el("span", { class: "sync saved" }, icon("accept"), "All saved")
      return [
        el("div", { class: "progress" }, el("strong", { title: progress && place === null ? saidOfAll(progress) : null }, parts[0]), parts.slice(1).map((part) => el("span", {}, part))),
        el("progress", { max: Math.max(1, progress?.total ?? 1), value: progress?.done ?? 0, "aria-label": "Progress" }),
        saved,
        button("Go to", this.jumpKey.toUpperCase(), () => desk.onKey(this.jumpKey), { class: "plain", "data-key": "go" }),
        this.guideKey && button("Guideline", this.guideKey, () => desk.onKey(this.guideKey), { class: "plain", "data-key": "guideline" }),
        button("Help", "H", () => this.onKey(desk, "h"), { class: "plain", "data-key": "H" }),
      ]
    })
  }

  notices(desk) {
    const rows = desk.notices.map((notice) =>
      el(
        "div",
        { class: `notice ${notice.name === "refused" ? "bad" : ""}`, role: "status" },
        words(notice.text),
        button("Dismiss", null, () => desk.dismiss(notice.name), { class: "plain", "aria-label": `Dismiss: ${notice.text}` }),
      ),
    )
    if (desk.pulse.gone) rows.unshift(el("div", { class: "notice bad gone", role: "alert" }, icon("warn"), el("span", {}, GONE)))
    if (desk.problem) rows.unshift(el("div", { class: "notice bad", role: "alert" }, icon("warn"), words(desk.problem)))
    return [...rows, ...this.whereabouts(desk), ...this.asking(desk)]
  }

  // Where the queue ends: what is left, and the way to it.
  emptySide(desk) {
    const say = (text) => el("section", { class: "card empty", role: "status" }, el("p", {}, text))
    if (!desk.curator) return say("Finding out who is reviewing…")
    if (!desk.answered || (!desk.line.ended && desk.progress?.total)) return say("Fetching the next items…")
    const { heading, rows } = endOf(desk)
    if (desk.progress?.total && !desk.outbox.size) rows.push(closing(desk))
    return el(
      "section",
      { class: "card empty", role: "status" },
      el("h3", {}, heading),
      rows.map(([text, ...way]) => el("div", { class: "left-over" }, text && el("p", {}, text), way)),
      el("div", { class: "foot" }, button("Back", "K", () => desk.move(-1)), button("Undo", "Z", () => desk.undo())),
    )
  }

  // What the end of the queue depends on.
  endKey(desk) {
    return [desk.curator, desk.answered, desk.progress, desk.line.ended, desk.line.again, desk.places?.round, desk.listed?.name, desk.unclosed, desk.silenced, desk.sitting, desk.outbox?.size]
  }

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
              { type: "button", "data-key": `past ${row.cid}`, title: `${row.label} in ${row.doc}. Show this item again`, disabled: !row.item, class: row.number === null ? "waiting" : "", on: { click: () => row.item && desk.open(row.item) } },
              stateChip(row.action),
              words(row.label, { class: "name" }),
              words(row.doc, { class: "doc" }),
            ),
            button("Undo", null, () => desk.undo(row), { class: "plain", "aria-label": `Undo: ${STATES[row.action]?.toLowerCase()} ${row.label} in ${row.doc}` }),
          ),
        ),
      ),
    ]
  }

  // The four answers, which are the same on every page.
  mainAnswers(desk) {
    const act = (name) => () => this.onKey(desk, name)
    return el(
      "div",
      { class: "main" },
      button("Accept", "A", act("a"), { class: "accept", glyph: "accept" }),
      button("Reject", "X", act("x"), { class: "reject", glyph: "reject", title: "R rejects, too" }),
      button("Fix", "F", act("f"), { class: "fix", glyph: "fix" }),
      button("Unsure", "S", act("s"), { class: "unsure", glyph: "unsure" }),
    )
  }
}
