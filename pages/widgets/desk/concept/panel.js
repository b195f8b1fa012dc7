// The fix panel, also used to add a missing concept: candidates are there when it opens, digits pick, Enter saves,
// Esc leaves, letters search.

class Panel {
  // kind: "fix" (of an item) or "add" (to a passage). start: { concept, class, assertion, spans, group, keep }.
  constructor(desk, kind, passage, item, start) {
    this.desk = desk
    this.kind = kind
    this.passage = passage
    this.item = item
    this.query = start.query ?? ""
    this.class = start.class
    this.assertion = start.assertion
    this.spans = start.spans
    this.group = start.group ?? null
    this.keep = item ? { id: start.concept, name: start.label, group: "keep", definition: "", path: [] } : null
    this.picked = start.keep ? start.concept : null // chosen by hand, or kept
    this.input = el("input", {
      type: "search",
      placeholder: "Search names, synonyms or an id",
      "aria-label": "Search the ontology",
      autocomplete: "off",
      spellcheck: "false",
      on: { input: () => this.search(), keydown: (event) => this.onInputKey(event) },
    })
    this.input.value = this.query
    this.node = el("section", { class: "panel", "aria-label": kind === "fix" ? "Fix" : "Add a concept" })
    this.draw()
  }

  rows() {
    const found = this.answer()?.rows ?? []
    const asked = found.filter((row) => row.relation === this.group).map((row) => ({ ...row, group: row.relation }))
    const ordered = this.group ? [...asked, ...found.filter((row) => row.relation !== this.group)] : found
    const shown = ordered.filter((row) => row.id !== this.keep?.id)
    return this.keep ? [this.keep, ...shown] : shown
  }

  // What the store found, or null while it searches.
  answer() {
    const typed = this.query.trim()
    if (typed) return this.desk.lookUp("search", this.passage.corpus, "", typed)
    if (this.kind === "add") return { rows: [] }
    return this.desk.lookUp("around", this.passage.corpus, this.item.concept, this.quote())
  }

  quote() {
    return this.desk.view.quoteOf(this.item)
  }

  selected(rows = this.rows()) {
    const picked = rows.find((row) => row.id === this.picked)
    if (picked) return picked
    return rows.find((row) => row.group !== "keep") ?? null
  }

  search() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.query = this.input.value
      this.picked = null
      this.draw()
    }, 120)
  }

  pick(row) {
    if (!row) return
    this.picked = row.id
    this.draw()
  }

  move(by) {
    const rows = this.rows()
    const at = rows.indexOf(this.selected(rows))
    this.pick(rows[Math.max(0, Math.min(rows.length - 1, at + by))])
  }

  onInputKey(event) {
    if (event.isComposing) return
    const act = {
      Enter: () => this.flushAndSave(),
      Escape: () => (this.input.value ? this.clearSearch() : this.desk.view.closePanel(this.desk)),
      ArrowDown: () => this.move(1),
      ArrowUp: () => this.move(-1),
    }[event.key]
    event.stopPropagation()
    if (!act) return
    event.preventDefault()
    act()
  }

  // Enter right after typing means what is typed, not what was listed before.
  flushAndSave() {
    if (this.input.value !== this.query) {
      clearTimeout(this.timer)
      this.query = this.input.value
      this.picked = null
      this.draw()
    } else {
      this.save()
    }
  }

  clearSearch() {
    this.input.value = ""
    this.query = ""
    this.picked = null
    this.input.blur()
    this.draw()
  }

  // A key pressed outside any input. True: used; "type": it goes into the search box.
  onKey(name, event) {
    const rows = this.rows()
    const first = this.keep ? 0 : 1
    if (name === "Escape") this.desk.view.closePanel(this.desk)
    else if (name === "Enter") {
      const focused = this.node.getRootNode().activeElement
      if (focused?.tagName === "BUTTON" && this.node.contains(focused)) return false
      this.save()
    } else if (name === "ArrowDown") this.move(1)
    else if (name === "ArrowUp") this.move(-1)
    else if (/^\d$/.test(name)) this.pick(rows[Number(name) - first])
    else if (name.length === 1 && name !== " " && !event?.repeat) {
      this.input.focus({ preventScroll: true })
      return "type"
    } else return false
    return true
  }

  addSpan([start, end]) {
    if (!this.spans.some((span) => span[0] === start && span[1] === end)) this.spans = [...this.spans, [start, end]]
    this.spans.sort((a, b) => a[0] - b[0] || a[1] - b[1])
    this.draw()
  }

  save() {
    const row = this.selected()
    if (!row) {
      this.message = this.answer() ? "Choose a concept first." : "Still searching…"
      return this.draw()
    }
    const answer = { concept: row.id, class: this.class, assertion: this.assertion, spans: this.spans }
    this.desk.view.panelSaved(this.desk, this, row, answer)
  }

  // --- drawing --------------------------------------------------------------------------------------------------

  draw() {
    const rows = this.rows()
    const selected = this.selected(rows)
    const searching = !this.answer()
    const set = (fields) => {
      Object.assign(this, fields)
      this.draw()
    }
    const title = this.kind === "fix" ? ["Fix ", words(this.item.label)] : ["Add a missing concept"]
    const body = el(
      "div",
      { class: "body" },
      el("ol", { class: "rows", role: "listbox", "aria-label": "Concepts" }, this.drawRows(rows, selected)),
      searching && el("p", { class: "quiet", role: "status" }, "Searching…"),
      !searching && !rows.length && el("p", { class: "quiet" }, this.query.trim() ? "Nothing bears these words." : "Type to search."),
      choices("Class", CLASSES.map(([value, label]) => [value, label]), this.class, null, (value) => set({ class: value })),
      choices("Status", ASSERTIONS, this.assertion, null, (value) => set({ assertion: value })),
      this.drawSpans(),
      this.message && el("p", { class: "warning", role: "status" }, this.message),
      el(
        "div",
        { class: "foot" },
        button("Save", "Enter", () => this.save(), { class: "accept", disabled: !selected }),
        button("Leave", "Esc", () => this.desk.view.closePanel(this.desk)),
      ),
    )
    this.message = null
    if (!this.body) {
      this.node.append(el("h3", {}, title), this.input, body)
    } else {
      const scrolled = this.body.querySelector(".rows").scrollTop
      this.body.replaceWith(body)
      body.querySelector(".rows").scrollTop = scrolled
    }
    this.body = body
    const list = body.querySelector(".rows")
    const chosen = list.querySelector('[aria-selected="true"]')
    if (chosen && chosen.offsetTop + chosen.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = chosen.offsetTop + chosen.offsetHeight - list.clientHeight
    } else if (chosen && chosen.offsetTop < list.scrollTop) {
      list.scrollTop = chosen.offsetTop - 24
    }
    this.desk.view.drawText(this.desk)
  }

  drawRows(rows, selected) {
    let group = null
    return rows.flatMap((row, i) => {
      const digit = this.keep ? i : i + 1
      const heading = row.group !== group && el("li", { class: "group", role: "presentation" }, GROUPS[row.group])
      group = row.group
      return [
        heading,
        el(
          "li",
          {
            role: "option",
            "aria-selected": row === selected ? "true" : "false",
            "data-concept": row.id,
            on: { click: () => this.pick(row), dblclick: () => this.save() },
          },
          el("kbd", { class: digit < 10 ? "" : "none" }, digit < 10 ? String(digit) : ""),
          el(
            "div",
            {},
            el("div", { class: "name" }, words(row.name), el("code", {}, words(row.id)), row.relation && row.relation !== row.group && el("small", {}, GROUPS[row.relation]?.toLowerCase())),
            row.path.length > 0 && el("div", { class: "path" }, row.path.map((name, n) => [n > 0 && el("i", {}, "›"), words(name)])),
            row.definition && el("div", { class: "definition" }, words(row.definition)),
          ),
        ),
      ]
    })
  }

  drawSpans() {
    const frame = this.desk.view.frameOf(this.passage)
    return el(
      "div",
      { class: "spans" },
      this.spans.map(([start, end]) =>
        el(
          "span",
          { class: "chip solid" },
          el("q", {}, words(frame.slice(start, end))),
          el("button", { type: "button", title: "Take this evidence away", "aria-label": "Take this evidence away", on: { click: () => { this.spans = this.spans.filter((span) => span[0] !== start || span[1] !== end); this.draw() } } }, "×"),
        ),
      ),
      el("span", { class: "quiet" }, this.spans.length ? "Select text to add evidence." : "No evidence: select text in the passage to mark it."),
    )
  }
}
