// Building the page. Text from outside only ever becomes text nodes; attribute names and styles are ours.

const SVG = "http://www.w3.org/2000/svg"

function el(tag, props, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue
    if (name === "on") {
      for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener)
    } else {
      node.setAttribute(name, value === true ? "" : String(value))
    }
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false))
  return node
}

// Control and direction characters could hide text or turn it round: each is boxed, named and powerless outside its box.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u

function said(text) {
  const plain = String(text ?? "")
  if (!HIDDEN.test(plain)) return [document.createTextNode(plain)]
  return plain
    .split(new RegExp(`(${HIDDEN.source})`, "u"))
    .filter((part) => part !== "")
    .map((part) => {
      if (!HIDDEN.test(part)) return document.createTextNode(part)
      const code = part.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")
      return el("span", { class: "control", "data-code": `U+${code}` }, part)
    })
}

// A piece of text from outside, kept apart from what stands around it.
const words = (text, props = {}) => el("span", { dir: "auto", ...props, class: `words ${props.class ?? ""}` }, said(text))

const ICONS = {
  accept: "M3 8.5 6.5 12 13 4.5",
  reject: "M4 4l8 8M12 4l-8 8",
  fix: "M3 13l1-3.5L10.5 3 13 5.5 6.5 12 3 13Z",
  unsure: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.8v.2",
  add: "M8 3v10M3 8h10",
  classify_error: "M3 3h5l5 5-5 5-5-5V3ZM5.8 5.8v.1",
  note: "M3 3.5h10M3 7.5h10M3 11.5h6",
  close: "M2.5 8.5 5 11l4.5-6M7.5 10.5l.5.5L13.5 5",
  reopen: "M4 8a4 4 0 1 1 1.2 2.9M4 12V9h3",
  open: "M8 4a4 4 0 1 0 .01 0",
  warn: "M8 2.5 14 13H2L8 2.5ZM8 6.5v3M8 11.3v.2",
  up: "M4 10l4-4 4 4",
  down: "M4 6l4 4 4-4",
  adjudicate: "M8 2.5v11M5 13.5h6M3 4.5h10M3 4.5l-2 4.5h4ZM13 4.5l-2 4.5h4Z",
  unseen: "M2 8c3-4 9-4 12 0M2 8c3 4 9 4 12 0M3 13 13 3",
  undo: "M6 4 3 7l3 3M3.5 7H10a3 3 0 0 1 0 6H7",
}

function icon(name) {
  const svg = document.createElementNS(SVG, "svg")
  svg.setAttribute("viewBox", "0 0 16 16")
  svg.setAttribute("class", "icon")
  svg.setAttribute("aria-hidden", "true")
  const path = document.createElementNS(SVG, "path")
  path.setAttribute("d", ICONS[name] ?? ICONS.open)
  svg.append(path)
  return svg
}

const key = (name) => el("kbd", {}, shownKey(name))

function button(label, keyName, listener, props = {}) {
  const { glyph, ...rest } = props
  return el(
    "button",
    { type: "button", ...rest, on: { click: listener } },
    glyph && icon(glyph),
    el("span", {}, label),
    keyName && key(keyName),
  )
}

// A group of radios is one stop of Tab; the arrows go through it and choose.
function radioGroup(props, ...children) {
  const group = el("div", { role: "radiogroup", ...props, on: { keydown: turnRadio } }, ...children)
  const radios = [...group.querySelectorAll('[role="radio"]')]
  const stop = radios.find((radio) => radio.getAttribute("aria-checked") === "true") ?? radios[0]
  for (const radio of radios) radio.tabIndex = radio === stop ? 0 : -1
  return group
}

function turnRadio(event) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
  const radios = [...event.currentTarget.querySelectorAll('[role="radio"]')]
  const at = radios.indexOf(event.target.closest('[role="radio"]'))
  if (!by || at === -1) return
  event.preventDefault()
  const next = radios.at((at + by) % radios.length)
  next.focus() // first, so that whoever draws the group anew finds the focus where it belongs
  next.click()
}

// A row of choices, one of which holds. Each choice is [value, label, key]; `turn` is the key that goes through them.
function choices(name, rows, chosen, proposed, onChoose, turn = null) {
  return radioGroup(
    { class: "choices", "aria-label": name },
    el("span", { class: "quiet" }, name, turn && " ", turn && key(turn)),
    rows.map(([value, label, keyName]) =>
      el(
        "button",
        {
          type: "button",
          role: "radio",
          "aria-checked": value === chosen ? "true" : "false",
          class: value === chosen ? (value === proposed ? "on hollow" : "on solid") : "",
          "data-key": `${name} ${value}`,
          on: { click: () => onChoose(value) },
        },
        el("span", {}, label),
        keyName && key(keyName),
      ),
    ),
  )
}
