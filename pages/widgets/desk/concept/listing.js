// A passage on the screen as a whole. A blind one: its curator lists its concepts before anything that a machine said of
// it has come. M adds one, P ends the list, and then the passage is reviewed like any other. And one that is to be closed.

Object.assign(ConceptView.prototype, {
  // Whether a passage is on the screen as a whole: one that is to be listed, one in which nothing is proposed, or the
  // last step of one of a list of passages.
  isWhole(item) {
    return Boolean(item.whole || this.passage?.unlisted)
  },

  // Whether the list has been ended, and what is proposed is on its way.
  isEnding(desk, passage) {
    return desk.outbox.events.some((event) => event.action === "reopen" && event.passage === passage.id)
  },

  endList(desk, passage) {
    if (this.isEnding(desk, passage)) return true
    passage.stale = true
    desk.outbox.add({ ...desk.from(), passage: passage.id, action: "reopen", blind: true, ms: desk.elapsed() })
    desk.draw()
    desk.push()
    return true
  },

  // What stood for the passage as a whole is done with that.
  close(desk, passage) {
    const { current } = desk.line
    if (current?.whole && sheetId(current) === passage.id) desk.line.advance()
    desk.setClosed(passage, true)
    return true
  },

  // A passage that is open again comes back as a whole, where it was closed so.
  showWhole(desk, passage) {
    const whole = desk.line.passages.get(passage)?.items.find((item) => item.whole)
    if (!whole || !desk.line.ids.includes(whole.id)) return
    desk.line.due.add(whole.id)
    desk.line.goTo(whole.id)
  },

  sayListFirst(desk) {
    desk.notify("list", this.passage.unlisted ? `The list comes first: ${shownKey("M")} adds a concept, ${shownKey("P")} ends the list.` : `This is the passage as a whole: ${shownKey("M")} adds a concept, ${shownKey("P")} marks it as done.`)
    return true
  },

  // Ends the list, closes the passage on the screen or opens it again, even where P is for the one before.
  doneButton(desk, attributes) {
    const { unlisted, closed } = this.passage
    const done = () => {
      this.finished = null
      this.passageDone(desk)
    }
    return button(unlisted ? "List done" : closed ? "Reopen" : "Passage done", this.finished ? null : "P", done, attributes)
  },

  passageWords() {
    return this.passage.items.find((item) => item.whole)?.why ?? "List the concepts of this passage first."
  },

  drawWhole(desk) {
    const passage = this.passage
    const rows = inOrder(labelsOf(passage))
    const ending = passage.unlisted && this.isEnding(desk, passage)
    this.slot("side", [passage.id, passage.unlisted, passage.closed, ending, Boolean(this.finished), rows.map((item) => [item.id, item.mine])], () => this.wholeCard(desk, rows, ending))
  },

  wholeCard(desk, rows, ending) {
    const { unlisted } = this.passage
    const row = (item) => {
      const answer = judgement(item)?.answer
      return el("li", {}, stateChip(stateOf(item)), words(answer?.label ?? item.label, { class: "name" }), el("code", {}, words(answer?.concept ?? item.concept)), answer && answerWords(answer))
    }
    const how = "Name all that it supports. What is proposed here is shown when the list is done."
    return el(
      "section",
      { class: "card whole", "aria-label": "Passage" },
      el("h2", { class: "label" }, el("span", {}, icon("unseen"), " ", words(this.passageWords()))),
      el("p", { class: "quiet", role: "status" }, ending ? "Your list is being saved…" : unlisted ? how : "Is anything missing in it?"),
      rows.length > 0 && el("ul", {}, rows.map(row)),
      el(
        "div",
        { class: "foot" },
        button("Add a concept", "M", () => this.onKey(desk, "m"), { "data-key": "add", disabled: ending }),
        this.doneButton(desk, { class: "accept", "data-key": "done", disabled: ending }),
        button("Undo", "Z", () => this.onKey(desk, "z"), { "data-key": "undo" }),
      ),
    )
  },
})
