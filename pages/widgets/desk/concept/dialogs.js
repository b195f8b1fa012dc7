// The question before a passage with undecided or unsure items is closed.

const NAMED = 5 // items named in one sentence

// "2 proposals of this passage are still undecided: Seizure, Cataract."
function leftOpen(items, state) {
  const named = items.slice(0, NAMED).flatMap((item, i) => [i > 0 && ", ", words(item.label)])
  const more = items.length > NAMED && ` and ${items.length - NAMED} more`
  return [`${items.length === 1 ? "One proposal of this passage is" : `${items.length} proposals of this passage are`} still ${state}: `, named, more, "."]
}

class ClosePanel {
  // open: the items of the passage that are undecided or unsure
  constructor(desk, passage, open) {
    this.close = () => {
      desk.view.closePanel(desk)
      desk.view.close(desk, passage)
    }
    this.back = () => {
      desk.view.finished = null // it is looked at once more
      desk.view.closePanel(desk)
      desk.open(first.id)
    }
    this.leave = () => desk.view.closePanel(desk)
    const rows = ["open", "unsure"].map((state) => [state, open.filter((item) => stateOf(item) === state)]).filter(([, items]) => items.length)
    const first = rows[0][1][0]
    this.node = el(
      "section",
      { class: "panel", "aria-label": "Passage done" },
      el("h3", {}, "Passage done?"),
      rows.map(([state, items]) => el("p", { class: "warning" }, icon("warn"), " ", leftOpen(items, state === "open" ? "undecided" : "unsure"))),
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
