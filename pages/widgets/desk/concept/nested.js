// A broader concept that the text names only inside the words of a narrower one: one key keeps the narrower and rejects
// the broader.

Object.assign(ConceptView.prototype, {
  // The narrower item and the broader ones inside it, where an item is one of them and all can be answered now; else null.
  nestOf(desk, item) {
    if (!this.passage?.items.some((one) => one.inside)) return null // as in most passages
    const held = new Set(desk.line.ours())
    const open = (one) => held.has(one.id) && !judgement(one) && !one.blind && !this.drafts.has(one.id)
    const host = this.passage.items.find((one) => one.id === (item.inside ?? item.id))
    if (!host || !isPlain(this, host, held)) return null
    const inside = this.passage.items.filter((one) => one.inside === host.id && open(one))
    return inside.length && (item === host || inside.includes(item)) ? { host, inside } : null
  },

  keepNarrower(desk, item) {
    const nest = this.nestOf(desk, item)
    if (!nest) return desk.notify("nested", "There is no open pair of a narrower and a broader concept on the same words here.")
    const { host, inside } = nest
    return desk.decideTogether([host, ...inside], (one) => (one === host ? acceptance(one) : REJECTION))
  },
})

// The names of items, with commas between them.
const namesOf = (items) => items.flatMap((item, i) => [i > 0 && ", ", words(item.label)])

function drawNest(view, item, { host, inside }) {
  const said = item === host ? ["Inside its words: ", namesOf(inside)] : ["Inside the words of: ", words(host.label)]
  return el(
    "div",
    { class: "nested" },
    el("span", {}, said),
    button(item === host ? "Keep this, reject what is inside" : "Keep that, reject this", "Y", () => view.keepNarrower(view.desk, view.desk.line.current), { class: "plain", "data-key": "nested" }),
  )
}

// Items in the order of the text, what lies inside another one's words right below it.
function inOrder(items) {
  const rows = [...items].sort((a, b) => firstOffset(a) - firstOffset(b) || a.id - b.id)
  const hosts = new Set(rows.map((item) => item.id))
  const isInside = (item) => item.inside && hosts.has(item.inside)
  return rows.filter((item) => !isInside(item)).flatMap((item) => [item, ...rows.filter((one) => one.inside === item.id)])
}
