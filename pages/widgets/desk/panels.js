// Small panels that every review page has: a note, and help.

class NotePanel {
  constructor(desk, item) {
    this.name = `touchstone.note.${desk.workspace}.${item.id}`
    this.input = el("textarea", {
      rows: "3",
      "aria-label": "Note",
      placeholder: "A note on this item",
      on: {
        input: () => store("sessionStorage", this.name, this.input.value || null),
        keydown: (event) => {
          event.stopPropagation()
          if (event.isComposing || event.keyCode === 229) return // what an input method is still writing
          if (event.key === "Escape") this.leave()
          else if (event.key === "Enter" && !event.shiftKey) this.save()
          else return
          event.preventDefault()
        },
      },
    })
    this.input.value = stored("sessionStorage", this.name) ?? ""
    this.leave = () => desk.view.closePanel(desk)
    this.save = () => {
      const text = this.input.value.trim()
      if (!text) return
      store("sessionStorage", this.name, null)
      desk.view.closePanel(desk)
      desk.note(item, text)
    }
    this.node = el(
      "section",
      { class: "panel note", "aria-label": "Note" },
      el("h3", {}, "Note"),
      this.input,
      el(
        "div",
        { class: "foot" },
        button("Save", "Enter", this.save, { class: "accept" }),
        button("Leave", "Esc", this.leave),
        el("span", { class: "quiet" }, "A draft is kept until you save it."),
      ),
    )
  }

  opened() {
    this.input.focus({ preventScroll: true })
  }

  // Its buttons go on being pressed and reached by keys.
  onKey(name) {
    if (name === "Escape") this.leave()
    return !["Enter", " ", "Tab"].includes(name)
  }
}

// What an answer means: { name, definition, boundary, example }, of which the boundary may be missing.
const meaning = (row) => [
  el("strong", {}, row.name),
  ": ",
  row.definition,
  row.boundary && el("div", {}, row.boundary),
  el("div", { class: "quiet" }, "Example: ", row.example),
]

// Close what lies over the desk; its keys work again at once.
function leaveOverlay(desk) {
  desk.view.closePanel(desk)
  desk.frame.focus({ preventScroll: true })
}

const MOVING = /^(Tab|Arrow.*|Page.*|Home|End| )$/ // what scrolls, and goes to the button

// Draw each part again that shows keys. An open panel draws itself.
function redrawKeys(view) {
  for (const [name, place] of view.slots) if (name !== "overlay") place.drawn = undefined
}

// Usual key -> the action in few words, of all single keys in tables of help that can be moved.
function actionsOf(tables) {
  const rows = tables.flatMap(([, table]) => table).flatMap(([keys, text]) => keys.split(" ").map((name) => [name.toLowerCase(), text.name ?? text.split(/[:;,(]/)[0].trim()]))
  return new Map(rows.filter(([name]) => name && name !== "…" && !FIXED.test(name)).reverse()) // the first word on a key counts
}

class HelpPanel {
  // tables: [heading, [[keys, what they do, or what they say as `meaning` takes it]]], each a row of the page's keys
  constructor(desk, tables) {
    this.desk = desk
    this.tables = tables
    this.actions = actionsOf(tables)
    this.waiting = null // the usual key of the action that gets another one
    this.told = ""
    this.node = el("section", { class: "help", role: "region", "aria-label": "Help", tabindex: "-1" })
    this.overlay = true
    this.draw()
  }

  draw() {
    const changeable = new Set(this.actions.keys())
    const change = (name) => {
      const label = this.waiting === name ? "Press a key…" : "Change"
      return changeable.delete(name) && [" ", button(label, null, () => this.tell("Press the new key; Esc leaves it as it is.", name), { class: "plain change", "data-key": `change ${name}`, "aria-label": `${label}: ${this.actions.get(name)}, ${shownKey(name)}` })]
    }
    const row = ([keys, text]) => {
      const names = keys.split(" ").filter(Boolean)
      return el("div", {}, el("dt", {}, names.map(key)), el("dd", {}, text.definition ? meaning(text) : text, names.map((name) => change(name.toLowerCase()))))
    }
    const back = Object.keys(moved).length > 0 && button("Back to the usual keys", null, () => this.move(null), { class: "plain", "data-key": "usual" })
    this.node.replaceChildren(
      el("div", { class: "tables" }, this.tables.map(([heading, rows]) => [el("h3", {}, heading), el("dl", {}, rows.map(row))])),
      el("p", { class: "quiet" }, "Dashed is what a machine proposes, solid is what a person decided. Keys rest while you type."),
      el("div", { class: "foot" }, button("Close", "Esc", () => this.leave(), { "data-key": "close" }), back, el("span", { role: "status" }, this.told)),
    )
  }

  // Draw again, with the focus where it was, on a sentence about keys.
  tell(text, waiting = this.waiting) {
    const focused = this.node.getRootNode().activeElement?.dataset?.key
    Object.assign(this, { told: text, waiting })
    this.draw()
    const next = focused && this.node.querySelector(`[data-key="${CSS.escape(focused)}"]`)
    ;(next || this.node).focus({ preventScroll: true })
  }

  // The key pressed for the action that waits for one.
  take(pressed) {
    const shown = pressed === " " ? "The space bar" : pressed.length === 1 ? pressed.toUpperCase() : pressed
    const other = nameOfKey(pressed)
    if (pressed === "Escape" || other === this.waiting) return this.tell("The key stays as it is.", null)
    if (FIXED.test(pressed)) return this.tell(`${shown} cannot be taken: C, R, digits, Enter, Escape, Tab, arrows and the like keep their meaning.`)
    if (this.actions.has(other)) return this.tell(`${shown} is the key for “${this.actions.get(other)}”. Press another one, or change that one first.`)
    if (movedTo(pressed)) return this.tell(`${shown} is the key for something on another desk. Press another one.`)
    return this.move(this.waiting, pressed)
  }

  move(name, pressed) {
    moveKey(this.desk.curator, name, pressed)
    redrawKeys(this.desk.view)
    this.tell(name ? `${shownKey(name)} is now the key for “${this.actions.get(name)}”.` : "The keys are the usual ones again.", null)
    this.desk.draw()
  }

  opened() {
    this.node.focus({ preventScroll: true })
  }

  leave() {
    leaveOverlay(this.desk)
  }

  onKey(name, event) {
    if (this.waiting && name === "Tab") this.tell("The key stays as it is.", null)
    else if (this.waiting) return this.take(name.length === 1 ? event.key.toLowerCase() : name) ?? true
    if (name === "Enter" && this.node.getRootNode().activeElement?.matches(".help button")) return false // it presses that
    if (name === "Escape" || name === "h" || name === "Enter") this.leave()
    return !MOVING.test(name)
  }
}
