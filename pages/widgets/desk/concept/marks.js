// Which evidence is marked in a passage, and how.

// While the current item's evidence is being edited, its own marks give way to the chosen ones.
function passageMarks(passage, current, editing) {
  const marks = passage.items
    .filter((item) => (item === current ? !editing : stateOf(item) !== "reject" && !isOut(item)))
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
