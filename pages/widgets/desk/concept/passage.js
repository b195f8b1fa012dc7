// A passage with its evidence. Spans may overlap: the text is cut at every edge, and each span keeps a lane of its own
// under the line, so that every one of them can be seen from end to end.

const LANES = 4

// While the current item's evidence is being edited, its own marks give way to the chosen ones.
function passageMarks(passage, current, editing) {
  const marks = passage.items
    .filter((item) => (item === current ? !editing : stateOf(item) !== "reject"))
    .flatMap((item) =>
      spansOf(item).map(([start, end]) => ({
        start,
        end,
        item,
        current: item === current,
        solid: ["accept", "fix", "add"].includes(stateOf(item)),
      })),
    )
  return assignLanes(marks)
}

// The text region. Its text nodes, read in order, are the passage and nothing else.
function drawText(frame, marks, extra, onPick) {
  const chosen = extra.map(([start, end]) => ({ start, end, item: null, chosen: true, lane: 0 }))
  const pieces = cutAtEdges(frame.length, [...marks, ...chosen])
  const region = el("div", { class: "text", dir: "auto", tabindex: "0", "aria-label": "Passage" })
  for (const piece of pieces) {
    let node = said(frame.slice(piece.from, piece.to))
    const layers = [...piece.marks].sort((a, b) => (a.lane ?? 0) - (b.lane ?? 0))
    for (const mark of layers) {
      const kind = mark.chosen ? "chosen" : `lane${mark.lane % LANES}`
      node = [el("span", { class: `mark ${kind}`, "data-item": mark.item?.id }, node)]
    }
    const owners = [...new Set(piece.marks.map((mark) => mark.item).filter(Boolean))]
    if (owners.length) {
      node = [el("span", { class: "piece", on: { click: () => onPick(owners) } }, node)]
    }
    region.append(...node)
  }
  return region
}

// Which item is on the screen and what is decided changes with every key; the text does not.
function markStates(place, marks) {
  const byItem = new Map(marks.map((mark) => [String(mark.item.id), mark]))
  for (const node of place.querySelectorAll(".mark[data-item]")) {
    const mark = byItem.get(node.dataset.item)
    node.classList.toggle("current", mark.current)
    node.classList.toggle("solid", mark.solid)
    node.classList.toggle("hollow", !mark.solid)
  }
  for (const piece of place.querySelectorAll(".piece")) {
    const owners = [...new Set([...piece.querySelectorAll(".mark[data-item]")].map((node) => node.dataset.item))]
    const names = owners.map((id) => byItem.get(id).item).map((item) => `${item.label} (${STATES[stateOf(item)].toLowerCase()})`)
    if (piece.title !== names.join("\n")) piece.title = names.join("\n")
  }
}
