// One question about a concept: the keys, and what they do.

class ChoiceView extends View {
  constructor() {
    super()
    this.kind = CHOICE.kind
    this.jumpKey = "g"
    this.reset()
  }

  reset() {
    this.panel = null
    this.drafts = new Map() // item id -> { field: value } of what is chosen and not saved yet
    this.frames = new Map()
    this.at = 0 // the field in focus
  }

  // --- what the desk tells ------------------------------------------------------------------------------------------

  onShown(desk, item) {
    this.panel = null
    this.passage = item ? desk.line.passages.get(sheetId(item)) : null
    const open = item ? fieldsOf(item).findIndex((field) => !(field.name in this.draftOf(item))) : 0
    this.at = Math.max(0, open)
  }

  onDecided(desk, item) {
    this.drafts.delete(item.id)
    this.panel = null
  }

  onUndone() {}

  labelOf(desk, said) {
    if (said.label) return said.label
    const item = desk.line.items.get(said.item)
    if (!item) return ""
    const mine = item.mine.find((one) => one.cid === said.cid)
    const answer = mine && answerWords(item, mine)
    return [item.label, answer].filter(Boolean).join(": ")
  }

  // --- what is chosen -----------------------------------------------------------------------------------------------

  draftOf(item) {
    return this.drafts.get(item.id) ?? {}
  }

  proposalOf(item) {
    return item.proposals[0] ?? null
  }

  // One field decides at once; of several, each goes on to the next one, and the last saves.
  choose(desk, item, field, option) {
    const fields = fieldsOf(item)
    const draft = { ...this.draftOf(item), [field.name]: option.value }
    const open = fields.findIndex((one) => !(one.name in draft))
    if (open === -1) return this.save(desk, item, option, draft)
    this.drafts.set(item.id, draft)
    this.at = open
    this.announce(`${field.heading}: ${optionName(option)}. ${fields[open].heading}?`)
    return desk.draw()
  }

  save(desk, item, option, draft) {
    if (option.action) return desk.decide(item, option.action, { proposal: this.proposalOf(item)?.id ?? null })
    return desk.decide(item, CHOICE.action, { answer: draft })
  }

  // --- keys -----------------------------------------------------------------------------------------------------

  onKey(desk, name, event) {
    if (this.panel) return this.onPanelKey(name, event)
    const item = desk.line.current
    if (name === "c") return true // Streamlit would offer to clear its caches
    if (name === "h") return this.openPanel(desk, new HelpPanel(desk, this.help(item)))
    if (name === "j") return desk.move(1) ?? true
    if (name === "k") return desk.move(-1) ?? true
    if (event?.repeat) return /^[a-z0-9]$/.test(name) // a key held down decides once
    if (name === "z") return desk.undo() ?? true
    if (!item) return /^[a-z0-9]$/.test(name)
    if (name === "Enter") return this.onEnter(desk)
    if (this.onFieldKey(desk, item, name)) return true
    const act = {
      s: () => desk.decide(item, "unsure"),
      n: () => this.openPanel(desk, new NotePanel(desk, item)),
      o: () => this.openOrigin(desk),
    }[name]
    if (act) act()
    return Boolean(act) || /^[a-z0-9]$/.test(name)
  }

  help(item) {
    return helpTables(item ? fieldsOf(item) : CHOICE.fields)
  }

  onFieldKey(desk, item, name) {
    const fields = fieldsOf(item)
    const option = fields[this.at].options.find((one) => one.keys.includes(name))
    if (option) {
      this.choose(desk, item, fields[this.at], option)
      return true
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[name]
    if (!by || fields.length === 1) return false
    this.at = (this.at + by + fields.length) % fields.length
    desk.draw()
    return true
  }

  // --- the text ---------------------------------------------------------------------------------------------------

  texts() {
    return [] // nothing is selected in it
  }

  scroll() {
    const pane = this.slots.get("text")
    if (pane) scrollToMark(pane)
  }
}
