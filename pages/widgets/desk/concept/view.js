// Concept review: the keys, and what is where on the page.

class ConceptView extends View {
  constructor() {
    super()
    this.kind = "concept"
    this.jumpKey = "g"
    this.guideKey = "."
    this.reset()
  }

  reset() {
    this.panel = this.offer = this.muted = null // a name to be muted; the one that was muted last
    this.selection = null // [start, end] in code points
    this.drafts = new Map() // item id -> what is chosen on its card
    this.frames = new Map()
    this.finished = null // the passage just decided to its end, until the next decision
    this.adding = 0
  }

  // --- what the desk tells ------------------------------------------------------------------------------------------

  onShown(desk, item) {
    this.panel = null
    this.selection = null
    this.caret = null
    this.passage = item ? desk.line.passages.get(sheetId(item)) : null
    if (item?.whole && this.passage === this.finished) this.finished = null // its last step asks the same
    clearTimeout(this.lookTimer)
    // candidates are fetched while the curator reads, so that the fix panel opens with them
    this.lookTimer = setTimeout(() => {
      if (item && !this.passage.unlisted && !item.whole && !desk.stopped && desk.line.current === item) desk.lookUp("around", this.passage.corpus, item.concept, this.quoteOf(item))
    }, 700)
  }

  onDecided(desk, item) {
    this.drafts.delete(item.id)
    this.panel = null
    const passage = desk.line.passages.get(sheetId(item))
    this.finished = passage && !passage.closed && labelsOf(passage).every(judgement) ? passage : null
  }

  onUndone(desk, row) {
    this.finished = null
    if (row.action === "close") this.showWhole(desk, row.passage)
    const item = desk.line.items.get(row.item) ?? [...desk.line.items.values()].find((one) => one.addedBy === row.cid)
    if (!item) return
    item.mine = item.mine.filter((one) => one.cid !== row.cid)
    const passage = desk.line.passages.get(sheetId(item))
    if (item.proposals.length === 0 && (passage.unlisted || !item.blind) && !item.decoy && !judgement(item)) {
      passage.items = passage.items.filter((one) => one !== item)
      desk.line.items.delete(item.id)
      desk.line.ids = desk.line.ids.filter((id, i) => id !== item.id || i < desk.line.at)
    }
  }

  // What a decision says, for the strip: one that the store holds has its label, one on its way speaks for itself.
  labelOf(desk, said) {
    if (said.action === "close" || said.action === "reopen") return said.blind ? "passage, after its list" : "passage"
    if (said.label) return [said.label, said.answer && answerWords(said.answer)].filter(Boolean).join(", ")
    const isMine = (one) => one.cid === said.cid
    const item = [...desk.line.items.values()].find((one) => one.mine.some(isMine)) ?? desk.line.items.get(said.item)
    const answer = item?.mine.find(isMine)?.answer ?? said.answer
    if (!answer) return item?.label ?? said.concept
    return `${answer.label ?? (answer.concept === item?.concept ? item.label : answer.concept)}, ${answerWords(answer)}`
  }

  // Show an added concept before the store has given it an item id.
  addLocally(desk, event, passage, row = null) {
    if (!passage || passage.items.some((item) => item.concept === event.concept)) return
    this.adding += 1
    const label = row?.name ?? event.concept
    const item = {
      id: -this.adding,
      addedBy: event.cid,
      passage: event.passage,
      sheet: passage.id,
      concept: event.concept,
      label,
      definition: row?.definition ?? "",
      path: row?.path ?? [],
      proposals: [],
      mine: [{ cid: event.cid, number: null, action: "add", answer: { ...event.answer, label }, note: null }],
      why: "You added this concept.",
    }
    passage.items.push(item)
    desk.line.items.set(item.id, item)
  }

  // --- what the card holds ------------------------------------------------------------------------------------------

  quoteOf(item) {
    const quotes = item.proposals.flatMap((proposal) => proposal.evidence.map((e) => e.quote))
    return [...new Set(quotes)].slice(0, 3).join(" ") || item.label
  }

  draftOf(item) {
    const known = this.drafts.get(item.id)
    if (known) return known
    const main = item.proposals[0]
    const answer = judgement(item)?.answer
    return {
      proposal: main?.id ?? null,
      class: main?.class ?? answer?.class ?? "explicit",
      assertion: main?.assertion ?? answer?.assertion ?? "affirmed",
    }
  }

  choose(item, fields) {
    this.drafts.set(item.id, { ...this.draftOf(item), ...fields })
    this.desk.draw()
  }

  isChanged(item) {
    const proposal = proposalOf(this, item)
    const draft = this.draftOf(item)
    return Boolean(proposal) && (draft.class !== proposal.class || draft.assertion !== proposal.assertion || draft.left?.length > 0)
  }

  // --- keys -----------------------------------------------------------------------------------------------------

  onKey(desk, name, event) {
    const used = this.onCaretKey(desk, name, event)
    if (used !== null) return used
    if (this.panel) return this.onPanelKey(name, event) // nothing below may decide meanwhile
    const item = desk.line.current
    if (name === "c") return true // Streamlit would offer to clear its caches
    if (name === "h") return this.help(desk)
    if (name === "j") return desk.move(1) ?? true
    if (name === "k") return desk.move(-1) ?? true
    if (event?.repeat) return /^[axrfsznmobdptlyq1-4]$/.test(name) // a key held down decides once
    if (name === TOGETHER) return event?.repeat || this.askTogether(desk) || true
    if (name === "z" || name === "q") return this.onMuteKey(desk, name) ?? true
    if (name === "p") return this.passageDone(desk)
    if (name === "Escape" && this.selection) return this.select(desk, null)
    if (!item) return /^[axrfsnmobdetly1-4]$/.test(name)
    if (name === "Enter") return this.onEnter(desk)
    if (this.isWhole(item) && /^[axrfsnobdlty1-4]$/.test(name)) return this.sayListFirst(desk)
    const act = {
      a: () => this.accept(desk, item),
      x: () => desk.decide(item, "reject"),
      r: () => desk.decide(item, "reject"),
      s: () => desk.decide(item, "unsure"),
      f: () => this.fix(desk, item),
      b: () => this.fix(desk, item, "broader"),
      d: () => this.fix(desk, item, "narrower"),
      m: () => this.add(desk, item),
      n: () => this.openPanel(desk, new NotePanel(desk, item)),
      o: () => this.openOrigin(desk),
      e: () => this.turnMention(desk, item) || this.startCaret(desk),
      l: () => this.askAlike(desk, item),
      y: () => this.keepNarrower(desk, item),
      t: () => this.turnStatus(item),
      1: () => this.choose(item, { class: CLASSES[0][0] }),
      2: () => this.choose(item, { class: CLASSES[1][0] }),
      3: () => this.choose(item, { class: CLASSES[2][0] }),
      4: () => this.choose(item, { class: CLASSES[3][0] }),
    }[name]
    if (!act) return false
    act()
    return true
  }

  help(desk) {
    const tables = [["Keys", HELP], ["Class", HELP_CLASSES], ["Status", HELP_STATUSES], ["In the fix panel", HELP_PANEL]]
    return this.openPanel(desk, new HelpPanel(desk, tables))
  }

  accept(desk, item) {
    const proposal = proposalOf(this, item)
    if (item.blind) return this.fix(desk, item)
    if (!proposal) return desk.notify("accept", "You added this concept yourself; reject it or fix it.")
    const draft = this.draftOf(item)
    const proposed = answerOfProposal(item, proposal)
    return this.decideAnswer(desk, item, proposal, { ...proposed, spans: this.keptSpans(item, proposal), class: draft.class, assertion: draft.assertion }, item.label)
  }

  // An answer that says what the proposal says accepts it, any other one fixes it. Blind, that is the concept alone.
  decideAnswer(desk, item, proposal, answer, label) {
    const accepts = item.blind ? answer.concept === item.concept : proposal && sameAnswer(answer, answerOfProposal(item, proposal))
    const fields = { proposal: proposal?.id ?? null, ...(accepts && proposal ? {} : { answer }) }
    return desk.decide(item, accepts ? "accept" : "fix", fields, { ...answer, label })
  }

  // The same answer, given once more after another look.
  keepAnswer(desk, item) {
    const { action, answer } = judgement(item)
    const { concept, class: kind, assertion, spans } = answer
    const said = { concept, class: kind, assertion, spans: spansInOrder(spans) }
    return desk.decide(item, action, { proposal: proposalOf(this, item)?.id ?? null, answer: said, note: "Looked at again, and kept." }, answer)
  }

  turnStatus(item) {
    const order = ASSERTIONS.map((row) => row[0])
    this.choose(item, { assertion: order[(order.indexOf(this.draftOf(item).assertion) + 1) % order.length] })
  }

  // The panel starts with what holds: the curator's own answer, until a run's answer is put on the card again; class and
  // status as they were set on the card since; else what is proposed. Selected text is the evidence.
  fix(desk, item, group = null, picked = null) {
    const proposal = proposalOf(this, item)
    const draft = this.drafts.get(item.id)
    const own = draft?.ofRun ? null : judgement(item)?.answer
    const { class: kind, assertion } = draft ?? own ?? this.draftOf(item)
    const spans = this.selection ? [this.selection] : spansInOrder(own?.spans ?? (proposal ? this.keptSpans(item, proposal) : []))
    this.openPanel(desk, new Panel(desk, "fix", this.passage, item, { first: this.keptOf(item), proposal, class: kind, assertion, spans, group, picked }))
  }

  // Rows that stand first in the panel, whatever is found: what is kept, and what was proposed where that is another one.
  keptOf(item) {
    const own = this.drafts.get(item.id)?.ofRun ? null : judgement(item)?.answer
    if (!own || own.concept === item.concept) return [{ id: item.concept, name: item.label, group: "keep" }]
    const proposed = { id: item.concept, name: item.label, group: "proposed", definition: item.definition, path: item.path }
    return [{ id: own.concept, name: own.label || own.concept, group: "keep" }, proposed]
  }

  showNarrower(desk, item, row) {
    return row.item ? desk.open(row.item) : this.fix(desk, item, null, row.id)
  }

  add(desk, item) {
    const spans = this.selection ? [this.selection] : []
    const query = this.selection ? this.frameOf(this.passage).slice(...this.selection).trim() : ""
    this.openPanel(desk, new Panel(desk, "add", this.passage, null, { query, class: "explicit", assertion: "affirmed", spans }))
    return item
  }

  panelSaved(desk, panel, row, answer) {
    this.panel = null
    if (panel.kind === "fix") return this.decideAnswer(desk, panel.item, panel.proposal, answer, row.name)
    const there = panel.passage.items.find((item) => item.concept === row.id)
    if (there) {
      if (panel.passage.unlisted) this.closePanel(desk)
      desk.notify("there", "This concept is in the passage already; here it is.")
      return panel.passage.unlisted || desk.open(there.id)
    }
    const event = desk.outbox.add({
      ...desk.from(),
      action: "add",
      item: null,
      passage: passageId(panel.passage),
      concept: row.id,
      shown: [],
      answer,
      ms: desk.elapsed(),
      ...(panel.passage.unlisted ? { blind: true } : {}),
    })
    this.addLocally(desk, event, panel.passage, row)
    desk.draw()
    return desk.push()
  }

  // P closes the passage just finished, else the one on the screen; once more reopens it.
  passageDone(desk) {
    const passage = this.finished ?? this.passage
    if (!passage) return (desk.unclosed.first && desk.open(desk.unclosed.first)) ?? true
    if (passage.unlisted) return this.endList(desk, passage)
    if (passage.closed) {
      desk.setClosed(passage, false)
      return true
    }
    const open = labelsOf(passage).filter((item) => ["open", "unsure"].includes(stateOf(item)))
    if (open.length) return this.openPanel(desk, new ClosePanel(desk, passage, open))
    this.finished = null
    return this.close(desk, passage)
  }

  // --- text selected --------------------------------------------------------------------------------------------

  select(desk, span) {
    this.selection = span
    this.caret = null
    if (!span) clearSelection()
    desk.draw()
    return true
  }

  texts(desk) {
    return [{ side: null, pane: this.slots.get("text"), frame: this.frameOf(this.passage), from: firstOffset(desk.line.current) }]
  }

  asSelection(side, span) {
    return span
  }

  // An open panel takes what is selected; else it stays until F or M says what it is evidence of.
  take(desk) {
    if (!this.panel?.addSpan) return
    this.panel.addSpan(this.selection)
    this.select(desk, null)
  }

  scroll() {
    const pane = this.slots.get("text")
    if (pane) scrollToMark(pane)
  }
}
