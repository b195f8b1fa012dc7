// Drawing one question about a concept: its passage on the left, the card on the right.

Object.assign(ChoiceView.prototype, {
  layOut(desk) {
    const part = (name) => this.part(name)
    const cardPart = (name) => part(`card-${name}`)
    this.sheet = el("div", { class: "sheet" }, SHEET_PARTS.map(cardPart))
    this.card = el("section", { class: "card choice", "aria-label": "Question" }, cardPart("name"), cardPart("gist"), this.sheet, el("div", { class: "foot-bar" }, FOOT_PARTS.map(cardPart)))
    const left = el("div", { class: "left" }, part("title"), part("text"))
    const right = el("div", { class: "right" }, part("side"), part("history"))
    this.homes = { "card-aid": left, history: right }
    this.layAround(desk, el("div", { class: "grid choice" }, left, right))
  },

  drawItem(desk) {
    this.desk = desk
    if (!this.slots.size) this.layOut(desk)
    const item = desk.line.current
    const blank = !desk.curator || !item || !this.passage
    desk.frame.dataset.item = item?.id ?? ""
    this.slot("title", [blank || this.passage.id], () => (blank ? [] : this.title()))
    this.drawPassage(blank, item)
    if (this.panel && !this.panel.overlay) this.show("side", this.panel.node)
    else if (blank) this.slot("side", this.endKey(desk), () => this.emptySide(desk))
    else this.drawCard(desk, item)
    this.showMark(item)
    this.drawOverlay()
  },

  drawPassage(blank, item) {
    this.slot("text", [blank || item.id], () => (blank ? [] : drawText(this.frameOf(this.passage), choiceMarks(item), [], () => {})))
  },

  spoken(desk, item) {
    return spokenChoice(this, item)
  },

  title() {
    const { doc, title, addresses } = this.passage
    return [
      el("h2", {}, words(doc), title && words(title, { class: "subtitle" })),
      addresses &&
        el(
          "span",
          { class: "warning", title: "A text that gives instructions may have misled a model. Judge its labels with care." },
          icon("warn"),
          "Speaks to its reader: ",
          words(addresses),
        ),
    ]
  },

  // The card stays, its parts change: what two items have in common need not be laid out and painted again.
  drawCard(desk, item) {
    this.show("side", this.card)
    this.card.dataset.item = item.id
    this.card.classList.toggle("open", this.sheetOpen)
    for (const [name, [signature, render]] of Object.entries(this.parts(desk, item))) this.slot(`card-${name}`, signature, render)
  },

  // Name of a part -> [what it depends on, how it is drawn].
  parts(desk, item) {
    const draft = this.draftOf(item)
    const state = stateOf(item)
    return {
      name: [[item.label, item.about], () => el("h2", { class: "label" }, words(item.label), el("code", {}, words(item.about)))],
      gist: [[item.id, state, this.sheetOpen], () => drawChoiceGist(this, item)],
      about: [[item.path, item.definition], () => drawAbout(item)],
      evidence: [[item.id], () => item.proposals.length > 0 && drawEvidence(desk, this.proposalOf(item))],
      aid: [[item.id], () => (item.aid ? drawAid(item) : [])],
      mine: [item.mine, () => item.mine.length > 0 && drawChoiceMine(item)],
      question: [null, () => el("p", { class: "question" }, CHOICE.question)],
      fields: [[item.proposed, item.fields, draft, this.at, item.mine], () => drawFields(this, item)],
      answers: [null, () => drawChoiceAnswers(desk)],
    }
  },

  // What is no part of the answer: whose the proposal is, and why it is asked about.
  drawMore(desk) {
    const item = desk.line.current
    if (!item || !desk.curator) return
    const proposal = this.proposalOf(item)
    this.slot("card-state", [item.id, stateOf(item)], () => drawChoiceState(this, item))
    this.slot("card-why", [item.id], () => (proposal ? drawWhy(this, item, proposal) : el("p", { class: "quiet" }, words(item.why))))
  },

  showMark(item) {
    const now = `${item?.id} ${Boolean(this.panel)}`
    if (this.scrolledTo === now) return
    this.scrolledTo = now
    this.slots.get("text").scrollTop = 0
    this.scroll()
  },
})
