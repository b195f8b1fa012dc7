// The question before a passage with undecided items is closed.

class ClosePanel {
  constructor(desk, passage, undecided) {
    this.close = () => {
      desk.view.closePanel(desk)
      desk.setClosed(passage, true)
    }
    this.back = () => {
      desk.view.closePanel(desk)
      desk.open(undecided[0].id)
    }
    this.leave = () => desk.view.closePanel(desk)
    const count = undecided.length === 1 ? "One proposal of this passage is" : `${undecided.length} proposals of this passage are`
    this.node = el(
      "section",
      { class: "panel", "aria-label": "Passage done" },
      el("h3", {}, "Passage done?"),
      el("p", { class: "warning" }, icon("warn"), `${count} still undecided.`),
      el("p", { class: "quiet" }, "A passage that is done counts as complete: what nobody marked in it counts as absent."),
      el(
        "div",
        { class: "foot" },
        button("Go to the first", "Enter", this.back, { class: "accept" }),
        button("Done all the same", "P", this.close),
        button("Leave", "Esc", this.leave),
      ),
    )
  }

  onKey(name) {
    if (name === "Enter") this.back()
    else if (name === "p") this.close()
    else if (name === "Escape") this.leave()
    return true
  }
}
