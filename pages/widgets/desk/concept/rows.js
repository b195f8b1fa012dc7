// How the fix panel looks.

const OF_ITS_OWN = { ID: "id", LAY: "plain words" } // what was found is no name of the ontology

Object.assign(Panel.prototype, {
  // answered: more rows came, and the curator has done nothing since.
  draw(answered = false) {
    this.take()
    if (this.message && ((this.message.read && !answered) || this.message.stale !== this.stale)) this.message = null
    const selected = this.selected()
    const body = el(
      "div",
      { class: "body" },
      el("ol", { id: "rows", class: "rows", role: "listbox", "aria-label": "Concepts", "aria-busy": this.stale ? "true" : null }, this.drawRows(selected)),
      this.drawState(),
      choices("Class", CLASSES.map(([value, label]) => [value, label]), this.class, this.proposal?.class, (value) => this.set({ class: value })),
      choices("Status", ASSERTIONS, this.assertion, this.proposal?.assertion, (value) => this.set({ assertion: value })),
      this.drawSpans(),
      this.message && el("p", { class: "warning", role: "status" }, this.message.text),
      el(
        "div",
        { class: "foot" },
        button(this.saveWords(selected), "Enter", () => this.save(), { class: "accept", disabled: !selected, "data-key": "save" }),
        button("Leave", "Esc", () => this.desk.view.closePanel(this.desk), { "data-key": "leave" }),
      ),
    )
    if (this.message) this.message.read = true
    this.replaceBody(body)
    const chosen = body.querySelector('[aria-selected="true"]') // what a screen reader speaks of, while the box has the focus
    this.input.setAttribute("aria-activedescendant", chosen?.id ?? "")
    this.desk.view.drawText(this.desk)
  },

  // Put a new body in the old one's place, with the list scrolled as it was, or to the row that is chosen now. A button
  // that the keyboard had reached keeps the focus.
  replaceBody(body) {
    if (!this.body) {
      this.node.append(el("h3", {}, this.kind === "fix" ? ["Fix ", words(this.item.label)] : "Add a missing concept"), this.input, body)
      this.body = body
      return
    }
    const scrolled = this.body.querySelector(".rows").scrollTop
    const focused = this.body.querySelector(":focus-visible")?.dataset.key
    this.body.replaceWith(body)
    this.body = body
    if (focused) (body.querySelector(`[data-key="${CSS.escape(focused)}"]`) ?? body.querySelector(".spans button, [role=radio]")).focus({ preventScroll: true })
    const list = body.querySelector(".rows")
    list.scrollTop = scrolled
    const chosen = list.querySelector('[aria-selected="true"]')
    if (!chosen) return
    if (chosen.offsetTop + chosen.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = chosen.offsetTop + chosen.offsetHeight - list.clientHeight
    else if (chosen.offsetTop < list.scrollTop) list.scrollTop = chosen.offsetTop - 24
  },

  // What will be saved, in words.
  saveWords(row) {
    if (!row) return "Save"
    return [this.isAsProposed(row) ? "Accept: " : "Save: ", words(row.name), `, ${answerWords(this.answerWith(row))}`]
  },

  // What the list lacks, or why it is empty.
  drawState() {
    const say = (text, kind = "quiet") => el("p", { class: kind, role: "status" }, text)
    if (this.stale) return say("Searching…")
    if (this.ontology === null) return say("No ontology is loaded for this corpus, so there are no other concepts to choose from.", "warning")
    if (this.typed && !this.found.some(bears)) {
      if (this.more) return say("Nothing bears these words. Searching for what is like them…")
      return say(this.found.length ? "Nothing bears these words. What is like them is listed: pick a row if you mean it." : "Nothing bears these words.")
    }
    if (!this.typed && this.group && !this.found.some((row) => row.relation === this.group)) return say(`There is nothing ${GROUPS[this.group].toLowerCase()}. Keep the concept with 0, or pick another row.`)
    if (!this.typed && this.kind === "add") return say("Type to search.")
    return null
  },

  drawRows(selected) {
    let group = null
    return this.rows().flatMap((row, at) => {
      const digit = this.digitOf(at)
      const known = this.first.includes(row)
      const kind = this.answers && !known ? (bears(row) ? "found" : "loose") : row.group
      const heading = kind !== group && el("li", { class: "group", role: "presentation" }, GROUPS[kind])
      group = kind
      const gone = this.stale && !known
      const numbered = digit < 10 && !gone
      return [
        heading,
        el(
          "li",
          { role: "option", id: `row-${row.id}`, class: gone ? "stale" : "", "aria-selected": row === selected ? "true" : "false", "data-concept": row.id, on: { click: () => this.pick(row) } },
          el("kbd", { class: numbered ? "" : "none" }, numbered ? String(digit) : ""),
          el(
            "div",
            {},
            el("div", { class: "name" }, words(row.name), el("code", {}, words(row.id)), row.relation && row.group !== "standing" && row.relation !== row.group && el("small", {}, GROUPS[row.relation]?.toLowerCase()), drawReason(row)),
            row.path?.length > 0 && el("div", { class: "path" }, row.path.map((name, n) => [n > 0 && el("i", {}, "›"), words(name)])),
            row.definition && el("div", { class: "definition" }, words(row.definition)),
          ),
        ),
      ]
    })
  },

  drawSpans() {
    const frame = this.desk.view.frameOf(this.passage)
    return el(
      "div",
      { class: "spans" },
      this.spans.map((span) =>
        el(
          "span",
          { class: "chip solid" },
          el("q", {}, words(frame.slice(...span))),
          el("button", { type: "button", title: "Take this evidence away", "aria-label": `Take away “${frame.slice(...span)}”`, "data-key": `span ${span.join()}`, on: { click: () => this.removeSpan(span) } }, "×"),
        ),
      ),
      el("span", { class: "quiet" }, this.spans.length ? "Select text to add evidence." : "No evidence: select text in the passage to mark it."),
    )
  },
})

// Why a row is in the list: which of its names answers the search, and how.
function drawReason(row) {
  if (!row.why) return null
  const other = row.matched && row.matched !== row.name
  return el("small", { class: "reason" }, OF_ITS_OWN[row.scope] ?? row.why, other && [": ", words(row.matched)])
}
