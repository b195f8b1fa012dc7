// Several items of a passage accepted at once: exactly those that are on the screen in its list, and that say nothing odd.

// Whether all of a node is on the screen, with nothing over it.
function isOnScreen(node) {
  const box = node.getBoundingClientRect()
  const at = (y) => node.getRootNode().elementFromPoint(box.left + box.width / 2, y)
  return box.height > 4 && [box.top + 2, box.bottom - 2].every((y) => node.contains(at(y)))
}

// Whether an item may be accepted without its card: undecided and not blind, of this queue and held by this desk, every
// run of one class and status, its quotes in the text, not repaired, with nothing narrower in the text or around its words, not changed on its card.
function isPlain(view, item, held) {
  if (!held.has(item.id) || judgement(item) || item.blind || item.inside || item.narrower?.length || view.drafts.has(item.id)) return false
  const [first, ...others] = item.proposals
  if (!first || others.some((one) => one.class !== first.class || one.assertion !== first.assertion)) return false
  return item.proposals.every((one) => !one.repaired && one.evidence.length > 0 && one.evidence.every((e) => e.start !== null))
}

class TogetherPanel {
  constructor(desk, items) {
    this.leave = () => desk.view.closePanel(desk)
    this.accept = () => {
      desk.view.closePanel(desk)
      desk.view.acceptTogether(desk, items)
    }
    const row = (item) => el("li", {}, words(item.label), `: ${answerWords(answerOfProposal(item, item.proposals[0]))}`)
    this.node = el(
      "section",
      { class: "panel", "aria-label": "Accept together" },
      el("h3", {}, `Accept ${items.length}: `, namesOf(items), "?"),
      el("div", { class: "body" }, el("ul", {}, items.map(row))),
      el("div", { class: "foot" }, button(`Accept ${items.length}`, "Enter", this.accept, { class: "accept", "data-key": "accept" }), button("Leave", "Esc", this.leave, { "data-key": "leave" })),
    )
  }

  onKey(name) {
    if (name === "Enter") {
      const focused = this.node.getRootNode().activeElement
      if (focused?.matches("button") && this.node.contains(focused)) return false // Enter presses it
      this.accept()
    } else if (name === "Escape") this.leave()
    return !["Tab", " "].includes(name)
  }
}

Object.assign(ConceptView.prototype, {
  // Items of the passage that can be accepted together now, in the order of the list.
  together(desk) {
    const item = desk.line.current
    if (!desk.curator || !item || this.panel || this.passage?.addresses || desk.isLeaving) return []
    const held = new Set(desk.line.ours())
    const found = this.passage.items.some((one) => isPlain(this, one, held))
    const rows = found ? [...this.slots.get("list").querySelectorAll("[data-item]")] : []
    return rows
      .map((row) => [row, desk.line.items.get(Number(row.dataset.item))])
      .filter(([row, one]) => one && this.passage.items.includes(one) && isPlain(this, one, held) && isOnScreen(row))
      .map(([, one]) => one)
  },

  // One alone is accepted on its card.
  drawTogether(desk) {
    const count = this.together(desk).length
    this.slot("together", [count > 1 && count], () => (count > 1 ? [button(`Accept these ${count}`, "Shift+A", () => this.askTogether(desk), { class: "plain", "data-key": "together" })] : []))
  },

  onMoved(desk) {
    if (this.slots.size) this.drawTogether(desk)
  },

  askTogether(desk) {
    if (desk.isLeaving) return desk.onLeaving()
    const items = this.together(desk)
    if (items.length > 1) return this.openPanel(desk, new TogetherPanel(desk, items))
    desk.notify("together", "There are not two items in the list on the screen that can be accepted together.")
    return true
  },

  // What has been answered meanwhile, or has been given to somebody else, is left out.
  acceptTogether(desk, asked) {
    const held = new Set(desk.line.ours())
    const items = asked.filter((item) => isPlain(this, item, held))
    if (items.length < asked.length) desk.notify("together", `${asked.length - items.length} of these cannot be accepted any more, since something has changed meanwhile.`)
    if (!items.length) return
    desk.decideTogether(items, acceptance)
  },
})
