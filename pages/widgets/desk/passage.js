// A passage with its evidence. Spans may overlap: the text is cut at every edge, and each span keeps a lane of its own
// under the line, so that every one of them can be seen from end to end.

const LANES = 4

// The text region. A mark of a `kind` looks like its kind, any other one lies in its lane. The text nodes, read in order,
// are the passage and nothing else.
function drawText(frame, marks, extra, onPick) {
  const chosen = extra.map(([start, end]) => ({ start, end, item: null, kind: "chosen", lane: 0 }))
  const pieces = cutAtEdges(frame.length, [...marks, ...chosen])
  const region = el("div", { class: "text", dir: "auto", tabindex: "0", "aria-label": "Passage" })
  for (const piece of pieces) {
    let node = said(frame.slice(piece.from, piece.to))
    const layers = [...piece.marks].sort((a, b) => (a.lane ?? 0) - (b.lane ?? 0))
    for (const mark of layers) {
      const kind = mark.kind ?? `lane${mark.lane % LANES}`
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
