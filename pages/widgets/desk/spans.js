// Spans of a text, and what of it is selected with the mouse.

// marks: { start, end, item, current, solid }, in code points -> pieces { from, to, marks } that cover the whole text.
function cutAtEdges(length, marks) {
  const edges = new Set([0, length])
  for (const mark of marks) {
    edges.add(mark.start)
    edges.add(mark.end)
  }
  const sorted = [...edges].filter((edge) => edge >= 0 && edge <= length).sort((a, b) => a - b)
  return sorted.slice(0, -1).map((from, i) => ({
    from,
    to: sorted[i + 1],
    marks: marks.filter((mark) => mark.start <= from && mark.end >= sorted[i + 1]),
  }))
}

// Give overlapping marks different lanes, so that none hides another.
function assignLanes(marks) {
  const ends = []
  for (const mark of [...marks].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const free = ends.findIndex((end) => end <= mark.start)
    mark.lane = free === -1 ? ends.length : free
    ends[mark.lane] = mark.end
  }
  return marks
}

// What is selected inside the text region, in UTF-16 units of the passage, or null.
function selectedUnits(region) {
  const root = region.getRootNode()
  const selection = document.getSelection()
  let range = selection?.rangeCount ? selection.getRangeAt(0) : null
  if (root instanceof ShadowRoot) {
    if (selection?.getComposedRanges) range = selection.getComposedRanges({ shadowRoots: [root] })[0] ?? null
    else if (root.getSelection?.()?.rangeCount) range = root.getSelection().getRangeAt(0)
  }
  if (!range || range.collapsed) return null
  if (!region.contains(range.startContainer) || !region.contains(range.endContainer)) return null
  const unitAt = (node, offset) => {
    const before = document.createRange()
    before.setStart(region, 0)
    before.setEnd(node, offset)
    return before.toString().length
  }
  return [unitAt(range.startContainer, range.startOffset), unitAt(range.endContainer, range.endOffset)]
}

function clearSelection() {
  document.getSelection()?.removeAllRanges()
}

// Bring a mark into the upper half of its pane, without moving the page.
function scrollToMark(pane, selector = ".mark.current") {
  const mark = typeof selector === "string" ? pane.querySelector(selector) : selector
  if (!mark) return
  const box = mark.getBoundingClientRect()
  const frame = pane.getBoundingClientRect()
  if (box.top < frame.top + 24 || box.bottom > frame.bottom - 24) {
    pane.scrollTop += box.top - frame.top - frame.height / 3
  }
}
