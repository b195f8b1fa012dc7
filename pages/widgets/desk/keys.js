// Single keys, caught before Streamlit's own (R reruns, C clears caches). Off while somebody types, with a modifier,
// and while a dialog is open.

function isTyping(event) {
  const target = event.composedPath()[0]
  if (!(target instanceof Element)) return false
  if (target.isContentEditable) return true
  const tag = target.tagName
  if (tag === "TEXTAREA" || tag === "SELECT") return true
  if (tag === "INPUT") return !["button", "checkbox", "radio", "range", "submit", "reset"].includes(target.type)
  return ["textbox", "combobox", "searchbox", "listbox", "option", "slider", "menu", "menuitem"].includes(
    target.getAttribute("role") ?? "",
  )
}

const turnsRadio = (event) => event.key.startsWith("Arrow") && event.composedPath()[0].role === "radio"

// Streamlit's word that the server is gone asks nothing, and the desk says so itself: it does not count.
const dialogs = () => [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], dialog[open], [data-testid="stPopoverBody"]')]
const dialogOpen = () => dialogs().some((dialog) => !dialog.textContent.startsWith(LOST))

const WITH_SHIFT = /^(Arrow.*|Home|End|[\d.])$/ // some keyboards have digits and the full stop behind it

const TOGETHER = "Shift+A" // the one letter that means something else with Shift

// `handle(name, event)` answers whether it used the key; "type": it has moved the focus to where the key shall go.
function listenForKeys(handle) {
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    const plain = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const name = event.shiftKey && plain === "a" ? TOGETHER : plain
    if (event.shiftKey && name !== TOGETHER && !WITH_SHIFT.test(event.key)) return
    if (isTyping(event) || turnsRadio(event) || dialogOpen()) return
    const used = handle(name, event)
    if (!used) return
    event.stopImmediatePropagation()
    if (used !== "type") event.preventDefault()
  }
  window.addEventListener("keydown", onKey, true)
  return () => window.removeEventListener("keydown", onKey, true)
}

// The second click of a double click presses nothing that the first one has brought to the screen: it would decide on
// what nobody has seen. `shown()` says what is on the screen.
function guardDoubleClicks(frame, shown) {
  let before = null
  const onClick = (event) => {
    if (event.detail > 1 && shown() !== before && event.target.closest("button, [role=option]")) event.stopPropagation()
    else before = shown()
  }
  frame.addEventListener("click", onClick, true)
  return () => frame.removeEventListener("click", onClick, true)
}
