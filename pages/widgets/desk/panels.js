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

const MOVING = /^(Tab|Arrow.*|Page.*|Home|End| )$/ // what scrolls, and goes to the button

class HelpPanel {
  // tables: [heading, [[keys, what they do, or what they say as `meaning` takes it]]], each a row of the page's keys
  constructor(desk, tables) {
    this.desk = desk
    const row = ([keys, text]) => el("div", {}, el("dt", {}, keys.split(" ").filter(Boolean).map(key)), el("dd", {}, text.definition ? meaning(text) : text))
    this.node = el(
      "section",
      { class: "help", role: "region", "aria-label": "Help", tabindex: "-1" },
      el("div", { class: "tables" }, tables.map(([heading, rows]) => [el("h3", {}, heading), el("dl", {}, rows.map(row))])),
      el("p", { class: "quiet" }, "Dashed is what a machine proposes, solid is what a person decided. Keys rest while you type."),
      button("Close", "Esc", () => this.leave()),
    )
    this.overlay = true
  }

  opened() {
    this.node.focus({ preventScroll: true })
  }

  leave() {
    this.desk.view.closePanel(this.desk)
    this.desk.frame.focus({ preventScroll: true })
  }

  onKey(name) {
    if (name === "Escape" || name === "h" || name === "Enter") this.leave()
    return !MOVING.test(name)
  }
}
