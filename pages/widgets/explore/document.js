// A document with all that is said of it. Each layer, one voice, keeps a letter, a colour, a line of its own kind and a
// lane under the words, so that no layer is told by its colour alone. Layers are switched on and off here.

const OFF = new Set() // layers that are switched off, from one document to the next
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const HUES = ["blue", "green", "orange", "violet", "red", "gray"]
const VOICES = { machine: "Machine", person: "People", gold: "Gold", claim: "Claims" }

export default function drawDocument({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".document") ?? parentElement.appendChild(el("div", { class: "document" }))
  const said = JSON.stringify(data)
  if (root.touchstoneSaid === said) return
  root.touchstoneSaid = said
  const layers = data.layers.map((layer, at) => ({ ...layer, letter: LETTERS[at] ?? String(at + 1), hue: HUES[at % HUES.length] }))
  new DocumentView(root, data, layers, (concept) => setTriggerValue("concept", concept)).draw()
}

class DocumentView {
  constructor(root, data, layers, open) {
    this.root = root
    this.rows = data.rows
    this.layers = layers
    this.byId = new Map(layers.map((layer) => [layer.id, layer]))
    this.frame = new TextFrame(data.text)
    this.open = open
    this.current = null
  }

  draw() {
    this.legend = el("div", { class: "legend", role: "group", "aria-label": "Layers" })
    this.pane = el("div", { class: "pane" })
    this.list = el("div", { class: "list" })
    this.root.replaceChildren(this.legend, el("div", { class: "columns" }, this.pane, this.list))
    this.drawLegend()
    this.drawText()
    this.drawList()
  }

  isOn(layer) {
    return !OFF.has(layer)
  }

  drawLegend() {
    const groups = Object.entries(VOICES).map(([voice, title]) => {
      const own = this.layers.filter((layer) => layer.voice === voice)
      return own.length > 0 && el("div", { class: "voice" }, el("span", { class: "quiet" }, title), own.map((layer) => this.switch(layer)))
    })
    this.legend.replaceChildren(...groups.filter(Boolean))
  }

  switch(layer) {
    const press = () => {
      if (this.isOn(layer.id)) OFF.add(layer.id)
      else OFF.delete(layer.id)
      button.setAttribute("aria-pressed", String(this.isOn(layer.id)))
      this.drawText()
      this.drawList()
    }
    const button = el(
      "button",
      { type: "button", class: `layer ${layer.hue}`, "aria-pressed": String(this.isOn(layer.id)), on: { click: press } },
      this.sample(layer),
      words(layer.name),
      el("span", { class: "quiet" }, String(layer.count)),
    )
    return button
  }

  sample(layer) {
    return el("span", { class: `sample mark ${layer.voice} ${layer.hue}`, "aria-hidden": "true" }, layer.letter)
  }

  drawText() {
    const marks = this.rows.flatMap((row, at) =>
      row.labels
        .filter((label) => this.isOn(label.layer))
        .flatMap((label) => label.spans.map(([start, end]) => ({ start, end, row: at, layer: this.byId.get(label.layer) }))),
    )
    const lanes = this.layers.filter((layer) => marks.some((mark) => mark.layer === layer)) // those that mark something, from the words down
    const region = el("div", { class: "text", style: `--lanes: ${lanes.length}`, dir: "auto", tabindex: "0", role: "region", "aria-label": "Text of the document" })
    for (const piece of cutAtEdges(this.frame.length, marks)) {
      let node = said(this.frame.slice(piece.from, piece.to))
      const seen = new Set(piece.marks.map((mark) => mark.layer.id))
      for (const layer of lanes.filter((one) => seen.has(one.id))) {
        node = [el("span", { class: `mark ${layer.voice} ${layer.hue}`, style: `--lane: ${lanes.indexOf(layer)}` }, node)]
      }
      const rows = [...new Set(piece.marks.map((mark) => mark.row))]
      if (rows.length) {
        const here = rows.includes(this.current) ? "piece current" : "piece"
        const told = rows.map((at) => this.rows[at].name).join("; ")
        node = [el("span", { class: here, title: told, "data-rows": rows.join(" "), on: { click: () => this.choose(rows[0], true) } }, node)]
      }
      region.append(...node)
    }
    this.pane.replaceChildren(region)
  }

  drawList() {
    const rows = this.rows.map((row, at) => [row, at]).filter(([row]) => row.labels.some((label) => this.isOn(label.layer)))
    const own = rows.filter(([row]) => row.id !== null)
    const claims = rows.filter(([row]) => row.id === null)
    const some = (title, part) => part.length > 0 && [el("h3", {}, `${title} (${part.length})`), el("ul", {}, part.map(([row, at]) => this.row(row, at)))]
    const empty = rows.length === 0 && el("p", { class: "quiet" }, "Nothing is said of this document by the layers that are on.")
    this.list.replaceChildren(...[some("Concepts", own), some("Claims", claims), empty].flat(2).filter(Boolean))
  }

  row(row, at) {
    const isHere = at === this.current
    const name = el(
      "button",
      { type: "button", class: "name", "aria-pressed": String(isHere), "data-row": at, on: { click: () => this.choose(at, false) } },
      words(row.name),
    )
    const entry =
      row.concept &&
      el("button", { type: "button", class: "entry", "aria-label": `${row.name}: open in the ontology`, on: { click: () => this.open(row.concept) } }, "In the ontology")
    return el(
      "li",
      { class: isHere ? "here" : "" },
      el("div", { class: "head" }, name, entry),
      row.labels.filter((label) => this.isOn(label.layer)).map((label) => this.label(label)),
    )
  }

  label(label) {
    const layer = this.byId.get(label.layer)
    return el(
      "div",
      { class: "label", title: label.reason || null },
      this.sample(layer),
      el("span", {}, words(layer.name), ": ", words([label.said, ...label.detail].join(", "))),
      label.spans.length === 0 && el("span", { class: "quiet" }, "no place in the text"),
    )
  }

  choose(at, fromText) {
    this.current = this.current === at ? null : at
    this.drawText()
    this.drawList()
    const [pane, selector] = fromText ? [this.list, "li.here"] : [this.pane, ".piece.current"]
    const target = pane.querySelector(selector)
    if (target) scrollToMark(pane, target)
    if (!fromText) this.list.querySelector(`[data-row="${at}"]`)?.focus()
  }
}
