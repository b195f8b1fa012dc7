// Going to a document by its id. The place in the queue is kept.

class JumpPanel {
  constructor(desk) {
    this.desk = desk
    this.overlay = true
    this.at = -1 // the row that Enter opens: the one of just this id, or the one that the arrows chose
    this.leave = () => desk.view.closePanel(desk)
    this.input = el("input", {
      type: "search",
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": "rows",
      "aria-label": "Document id",
      placeholder: "Document id, or a part of it",
      on: {
        input: () => {
          this.at = -1
          clearTimeout(this.timer)
          this.timer = setTimeout(() => this.desk.press.after(() => this.heard()), 120)
        },
        keydown: (event) => {
          event.stopPropagation()
          if (!event.isComposing && this.onKey(event.key)) event.preventDefault()
        },
      },
    })
    this.list = el("div", { id: "rows", class: "rows", role: "listbox", "aria-label": "Documents" })
    this.told = el("p", { class: "quiet", role: "status" }, "The queue waits where it is.")
    this.node = el("section", { class: "help jump", role: "region", "aria-label": "Go to a document" }, [
      el("h3", {}, "Go to a document"),
      this.input,
      this.told,
      this.list,
      el("div", { class: "foot" }, button("Go", "Enter", () => this.go(), { class: "accept" }), button("Leave", "Esc", this.leave)),
    ])
  }

  opened() {
    this.input.focus({ preventScroll: true })
  }

  get text() {
    return this.input.value.trim()
  }

  // Called with every drawing: what was looked up may have come.
  heard() {
    const found = this.text ? this.desk.lookUp("document", this.desk.line.queue ?? "", "", this.text) : null
    if (found === this.found) return
    this.found = found
    if (found?.rows[0]?.doc === this.text && found.rows[0].item) this.at = 0
    this.draw()
  }

  draw() {
    const rows = this.found?.rows ?? []
    const exact = rows[0]?.doc === this.text
    const told = this.found && !exact ? ["There is no document ", words(this.text), " here.", rows.length ? " These hold it in their ids:" : ""] : ["The queue waits where it is."]
    this.told.replaceChildren(...told)
    this.list.replaceChildren(
      ...rows.map((row, i) =>
        el(
          "div",
          { role: "option", id: `row-${i}`, "aria-selected": i === this.at ? "true" : "false", "aria-disabled": row.item ? null : "true", on: { click: () => this.go(i) } },
          icon(row.item ? "note" : "open"),
          el("div", {}, el("div", { class: "name" }, words(row.doc)), el("div", { class: "definition" }, row.item ? words(row.title ?? "") : "Nothing is proposed in it.")),
        ),
      ),
    )
    this.input.setAttribute("aria-activedescendant", rows.length && this.at >= 0 ? `row-${this.at}` : "")
  }

  go(i = this.at) {
    const row = this.found?.rows[i]
    if (!row?.item) return
    this.leave()
    this.desk.open(row.item)
  }

  onKey(name) {
    const rows = this.found?.rows ?? []
    if (name === "Escape") this.leave()
    else if (name === "Enter") this.go()
    else if (name === "ArrowDown" || name === "ArrowUp") {
      this.at = Math.max(0, Math.min(rows.length - 1, this.at + (name === "ArrowDown" ? 1 : -1)))
      this.draw()
    } else return false
    return true
  }
}
