// Where the concept stands in its ontology, as a small ladder: what is above it, itself, what is below it. Each name has its
// definition as a tooltip and opens the fix panel with it.

function drawAboutConcept(view, item) {
  if (!item.place) return drawAbout(item)
  const { above, below } = item.place
  const current = () => view.desk.line.current
  const name = (row) =>
    el("button", { type: "button", class: "plain", "data-key": `place ${row.id}`, title: row.definition || "No definition is given.", on: { click: () => view.fix(view.desk, current(), null, row.id) } }, words(row.name))
  const step = (kind, before, { rows, more }, group, what) =>
    rows.length > 0 &&
    el(
      "li",
      { class: kind },
      el("span", { class: "unseen" }, `${GROUPS[group]}: `),
      before.map((one) => [words(one, { class: "quiet" }), el("i", {}, " › ")]),
      rows.map((row, i) => [i > 0 && ", ", name(row)]),
      more > 0 && [", ", el("button", { type: "button", class: "plain", "data-key": `place ${group}`, title: `${more} more ${what}: open the fix panel`, on: { click: () => view.fix(view.desk, current(), group) } }, `+${more}`)],
    )
  return el(
    "div",
    { class: "about" },
    el(
      "ol",
      { class: "place", "aria-label": "Place in the ontology" },
      step("above", item.path?.slice(-3, -1) ?? [], above, "broader", "parents"),
      el("li", { class: "this", title: item.definition || null }, el("strong", {}, words(item.label))),
      step("below", [], below, "narrower", "children"),
    ),
    item.definition && el("p", { class: "definition" }, words(item.definition)),
  )
}
