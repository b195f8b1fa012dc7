// In a list whose rows can be ticked the space bar ticks the row of the chosen cell: Streamlit's grid asks for Shift, too.

const SPACE = { key: " ", code: "Space", keyCode: 32, bubbles: true, cancelable: true }

// The grid is a canvas; inside it is a table for screen readers. Where there are boxes they are column 0, which is left out.
const hasBoxes = (grid) => grid.querySelector("tbody td")?.id.startsWith("glide-cell-1-")

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== " " || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return
    const grid = event.target.closest?.("[data-testid='data-grid-canvas']")
    if (!grid || !hasBoxes(grid)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    event.target.dispatchEvent(new KeyboardEvent("keydown", { ...SPACE, shiftKey: true }))
  },
  true,
)
