// The two abstracts: the claim, the evidence, and the words of context in which the sides differ.

// Marks of one side, in code points. Claims and cues are what the machine found; evidence is what the answer holds.
function marksOf(item, side, draft, selection) {
  const claim = item.sides[side].claim
  const proposed = new Set((item.proposals.find((one) => one.id === draft.proposal)?.evidence ?? []).filter((e) => e.side === side).map((e) => `${e.start} ${e.end}`))
  const marks = [{ start: claim.start, end: claim.end, kind: "claim" }]
  for (const [start, end] of draft.spans[side]) {
    marks.push({ start, end, kind: proposed.has(`${start} ${end}`) ? "evidence hollow" : "evidence solid" })
  }
  for (const row of item.table) {
    for (const cue of row[side]) marks.push({ start: cue.start, end: cue.end, kind: row.differs ? "cue" : "like", axis: row.axis })
  }
  if (selection?.side === side) marks.push({ start: selection.span[0], end: selection.span[1], kind: "chosen" })
  return marks
}

// Outer to inner: the claim holds what stands in it.
const DEPTH = { claim: 0, evidence: 1, chosen: 2, like: 3, cue: 4 }
const depth = (mark) => DEPTH[mark.kind.split(" ")[0]]

function drawSideText(frame, marks, side) {
  const region = el("div", { class: "text", dir: "auto", tabindex: "0", "aria-label": `Abstract ${side.toUpperCase()}`, "data-side": side })
  for (const piece of cutAtEdges(frame.length, marks)) {
    let node = said(frame.slice(piece.from, piece.to))
    for (const mark of [...piece.marks].sort((a, b) => depth(b) - depth(a))) {
      const cue = mark.kind === "cue"
      const first = piece.from === mark.start
      node = [
        el(
          "span",
          {
            class: `on-${mark.kind} ${first ? "first" : ""} ${piece.to === mark.end ? "last" : ""}`,
            "data-place": mark.axis ? `${mark.axis} ${mark.start}` : `${mark.kind.split(" ")[0]} ${mark.start}`,
            "data-key": cue && first ? AXIS_KEYS[mark.axis].toUpperCase() : null,
            title: cue ? `${axisName(mark.axis)}: differs between the sides` : null,
          },
          node,
        ),
      ]
    }
    region.append(...node)
  }
  return region
}

function drawSideHead(item, side) {
  const its = item.sides[side]
  const claim = its.claim
  return [
    el(
      "div",
      { class: "side-title" },
      el("span", { class: "letter" }, side.toUpperCase()),
      el("h2", {}, its.title ? words(its.title, { class: "headline" }) : el("span", { class: "headline quiet" }, "No title is given")),
    ),
    el(
      "div",
      { class: "side-meta" },
      its.journal && words(its.journal, { class: "journal" }),
      el("span", { class: its.year === null ? "quiet" : "" }, its.year === null ? "year unknown" : String(its.year)),
      claim.type && el("span", { class: "chip hollow", title: `The claim's type, by rule; confidence ${claim.confidence.toFixed(2)}` }, `${spaced(claim.type)} claim`),
      DIRECTIONS[claim.direction] && el("span", { class: "quiet" }, DIRECTIONS[claim.direction], claim.negated && ", negated"),
      words(its.doc, { class: "doc" }),
    ),
    claim.alone &&
      el("div", { class: "quiet", title: "What the claim leaves open, said by rule from its abstract. Pairs are found by it; decisions are on the claim as it stands." }, "Read alone: ", words(claim.alone)),
    its.addresses &&
      el("div", { class: "warning", title: "A text that gives instructions may have misled a model. Judge its labels with care." }, icon("warn"), " Speaks to its reader: ", words(its.addresses)),
  ]
}
