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

// Views know each key by its usual name. A curator may move some to other keys: usual key -> the key pressed for it, kept
// in this browser. A key whose action has moved stands for what the new key stood for, so that on no desk two actions
// share a key and none is without one.
const KEYS = "touchstone.keys."
const FIXED = /^([cr\d\s]|..+)$/ // keys that cannot be taken
let moved = {}

function loadKeys(curator) {
  const rows = Object.entries(readJson(stored("localStorage", KEYS + curator), {}))
  const valid = rows.every((row) => row.every((name) => typeof name === "string" && name && !FIXED.test(name)))
  moved = valid && new Set(rows.map((row) => row[1])).size === rows.length ? Object.fromEntries(rows) : {}
}

// name: a usual key, or null for all; pressed: the key for it from now on.
function moveKey(curator, name, pressed = name) {
  if (name === null) moved = {}
  else if (pressed === name) delete moved[name]
  else moved[name] = pressed
  store("localStorage", KEYS + curator, Object.keys(moved).length ? JSON.stringify(moved) : null)
}

const movedTo = (pressed) => Object.keys(moved).find((name) => moved[name] === pressed)

function nameOfKey(pressed) {
  let name = movedTo(pressed)
  if (name) return name
  for (name = pressed; moved[name]; ) name = moved[name]
  return name
}

function keyOfName(name) {
  if (moved[name]) return moved[name]
  let pressed = name
  while (movedTo(pressed)) pressed = movedTo(pressed)
  return pressed
}

// The key as buttons show it: "A", also behind "Shift+".
const shownKey = (name) => String(name).replace(/(^|^Shift\+)(.)$/u, (_, shift, letter) => shift + keyOfName(letter.toLowerCase()).toUpperCase())

const TOGETHER = "Shift+A" // the one letter that means something else with Shift

// `handle(name, event)` answers whether it used the key; "type": it has moved the focus to where the key shall go.
function listenForKeys(handle) {
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    const plain = event.key.length === 1 ? nameOfKey(event.key.toLowerCase()) : event.key
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
