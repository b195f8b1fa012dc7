// Above the two abstracts: the pair in short, and what both say of its context, lined up. Of a blind pair neither is shown.

const RELATIONS = {
  opposed: ["≠", "speaks against", "By rule, what A found speaks against what B found. Whether the claims conflict is yours to judge."],
  alike: ["=", "says the same as", "By rule, both found the same. Whether the claims conflict is yours to judge."],
  other: ["·", "beside", "By rule, they speak of different things, or one of them cannot be read."],
}
// How the sides stand to each other along a row: its sign and word, in the order of the table.
const LEVELS_OF_ROWS = { differs: ["≠", "different"], partly: ["≈", "partly same"], same: ["=", "same"], near: ["~", "may agree"], silent: ["–", "one side only"] }
const MOST_NAMED = 3 // axes in the line that tells what is the same, and what differs
const ROWS_SEEN = 4 // of the table, without scrolling, where the screen is high enough

const valuesOf = (row, side) => new Set(row[side].map((cue) => cue.value))

function levelOf(row) {
  if (row.differs) return "differs"
  if (!row.a.length || !row.b.length) return "silent"
  const [ours, theirs] = [valuesOf(row, "a"), valuesOf(row, "b")]
  const shared = [...ours].filter((value) => theirs.has(value)).length
  return shared === 0 ? "near" : shared === ours.size && shared === theirs.size ? "same" : "partly"
}

// What is lined up: the drugs that the claims name, if any, then the axes; what differs first.
function contextRows(item) {
  const order = Object.keys(LEVELS_OF_ROWS)
  const rows = item.table.map((row) => ({ ...row, name: axisName(row.axis) }))
  const [a, b] = (item.short?.drugs ?? [[], []]).map((names) => names.map((name) => ({ quote: name, value: name.toLowerCase() })))
  if (a.length || b.length) {
    const drug = { axis: "drug", name: "Drug", a, b, differs: a.length > 0 && b.length > 0 && !a.some((one) => b.some((other) => other.value === one.value)) }
    rows.unshift(drug)
  }
  return rows.map((row) => ({ ...row, level: levelOf(row) })).sort((one, other) => order.indexOf(one.level) - order.indexOf(other.level))
}

// "A: resistant to meropenem ≠ B: susceptible to tigecycline", and below what is the same and what differs.
function drawStrip(item) {
  if (!item.short) return [] // blind
  const { a, b, relation, subject } = item.short
  const [mark, said_, meaning_] = RELATIONS[relation]
  const named = (level) => {
    const names = contextRows(item).filter((row) => row.level === level).map((row) => row.name.toLowerCase())
    return names.length > 0 && [names.slice(0, MOST_NAMED).join(", "), names.length > MOST_NAMED && ` and ${names.length - MOST_NAMED} more`]
  }
  const same = subject ? words(subject) : named("same")
  const different = named("differs")
  const saying = (side, text) => el("div", { class: "saying" }, el("span", { class: "letter" }, side), words(text, { title: text }))
  return [
    el("div", { class: `strip ${relation}` }, saying("A", a), el("span", { class: "sign", title: meaning_ }, el("span", { "aria-hidden": "true" }, mark), el("span", { class: "unseen" }, said_)), saying("B", b)),
    el(
      "p",
      { class: "quiet in-common" },
      same && el("span", {}, "Same: ", same),
      different && el("span", {}, "Different: ", different),
    ),
  ]
}

// What a side says along a row: each value once, marked where the other side says the same.
function drawCell(view, row, side) {
  const others = valuesOf(row, side === "a" ? "b" : "a")
  const seen = new Map()
  for (const cue of row[side]) {
    const known = seen.get(cue.value)
    if (known) known.cues.push(cue)
    else seen.set(cue.value, { quote: cue.quote, cues: [cue] })
  }
  if (!seen.size) return el("td", { class: "quiet" }, "not told")
  return el(
    "td",
    {},
    [...seen.entries()].map(([value, { quote, cues }]) => {
      const kind = `said ${others.has(value) ? "same" : ""}`
      const parts = [words(quote), cues.length > 1 && el("small", {}, `×${cues.length}`)]
      if (row.axis === "drug") return el("span", { class: kind }, parts)
      return el(
        "button",
        { type: "button", class: kind, title: `Show it in ${side.toUpperCase()}${cues.length > 1 ? ` (${cues.length} times)` : ""}`, "data-key": `cue ${row.axis} ${side} ${value}`, on: { click: () => view.pulse(side, cues.map((cue) => `${row.axis} ${cue.start}`)) } },
        parts,
      )
    }),
  )
}

// Contexts lined up; a click on words shows where they stand.
function drawTable(view, item, draft) {
  if (item.blind) return null
  const rows = contextRows(item)
  if (!rows.length) return [el("h3", {}, "Context"), el("p", { class: "quiet" }, "No words of context were found in these abstracts.")]
  const differing = rows.filter((row) => row.level === "differs").length
  const same = rows.filter((row) => row.level === "same").length
  const counted = [differing && `${differing} different`, same && `${same} the same`].filter(Boolean).join(", ")
  return [
    el(
      "table",
      {},
      el("caption", {}, `Context, lined up: ${counted || "no difference found"}`),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, el("span", { class: "unseen" }, "Axis")), el("th", { scope: "col" }, "A"), el("th", { scope: "col" }, el("span", { class: "unseen" }, "Compared")), el("th", { scope: "col" }, "B"))),
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            { class: row.level, "data-axis": row.axis },
            el("th", { scope: "row" }, row.name, draft.axes.includes(row.axis) && el("span", { class: "ticked", title: "Ticked in the answer" }, icon("accept"))),
            drawCell(view, row, "a"),
            el("td", { class: "sign" }, el("span", { "aria-hidden": "true" }, LEVELS_OF_ROWS[row.level][0]), " ", LEVELS_OF_ROWS[row.level][1]),
            drawCell(view, row, "b"),
          ),
        ),
      ),
    ),
  ]
}
