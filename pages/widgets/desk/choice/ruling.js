// What an adjudicator rules on: answers of curators side by side, without names, and only where they differ. A digit takes
// one answer as it is; F goes through the fields, each with the values that somebody gave.

const RULING_HELP = [
  ["1  2 …", "Take this answer, or in the field in focus this value"],
  ["F", "Go through the fields one by one, or back to whole answers"],
  ["Q  W  E  T  Y", "Why they differ: goes with the ruling"],
  ["L", "The guideline needs an update: goes with the ruling"],
  ["Z", "Undo your last ruling, on whichever item"],
  ["J  K", "Next or previous item without ruling"],
  ["N", "Write a note on the item"],
  ["G", "Go to a document by its id"],
  ["H", "This help"],
]

class RulingView extends ChoiceView {
  reset() {
    super.reset()
    this.cause = null
    this.update = false // whether the guideline should be changed
  }

  onShown(desk, item) {
    super.onShown(desk, item)
    this.cause = null
    this.update = false
  }

  // What is ruled out needs no further fields.
  choose(desk, item, field, option) {
    if (field.name === "present" && option.value === "no") return this.save(desk, item, option, { present: "no" })
    return super.choose(desk, item, field, option)
  }

  save(desk, item, option, draft) {
    const chosen = "answer" in draft ? item.answers[Number(draft.answer)] : draft
    const more = { cause: this.cause, update_guideline: this.update }
    desk.decide(item, CHOICE.action, { chosen, heard: item.heard, ...more }, draft)
  }

  onKey(desk, name, event) {
    const item = desk.line.current
    if (!this.panel && item && !event?.repeat) {
      if (name === "s") return true // an adjudicator goes on with J
      if (name === "f" && item.parts.length) return this.turn(desk, item)
      if (name === "l") return this.set(desk, { update: !this.update })
      const cause = CHOICE.causes.find((one) => one.key === name)
      if (cause) return this.set(desk, { cause: this.cause === cause.value ? null : cause.value })
    }
    return super.onKey(desk, name, event)
  }

  help() {
    return [["Keys", RULING_HELP], ["Why curators differ", CHOICE.causes.map((one) => [one.key.toUpperCase(), [el("strong", {}, one.name), ": ", one.definition]])]]
  }

  set(desk, change) {
    Object.assign(this, change)
    desk.draw()
    return true
  }

  // From whole answers to fields, and back.
  turn(desk, item) {
    this.drafts.delete(item.id)
    this.at = 0
    ;[item.fields, item.whole] = item.whole ? [item.whole, null] : [item.parts, item.fields]
    desk.draw()
    return true
  }

  labelOf(desk, said) {
    return said.label || desk.line.items.get(said.item)?.label || ""
  }

  scroll() {
    for (const pane of this.slots.get("text")?.querySelectorAll(".pane") ?? []) scrollToMark(pane, ".mark")
  }

  // --- drawing --------------------------------------------------------------------------------------------------

  spoken(desk, item) {
    return [item.label, item.why, CHOICE.states[item.state]].join(". ")
  }

  title() {
    return [el("h2", {}, words(this.passage.doc))]
  }

  drawTexts() {
    return this.passage.texts.map((one, i) => {
      const marks = one.marks.map(([start, end, at]) => ({ start, end, item: null, lane: at, kind: `lane${at % LANES} current by-${at % LANES}` }))
      if (one.claim) marks.push({ start: one.claim[0], end: one.claim[1], item: null, lane: LANES, kind: "claimed" })
      return el(
        "div",
        { class: "pane" },
        el("h3", {}, this.passage.texts.length > 1 && words(one.doc), one.title && [" ", words(one.title)], one.addresses && el("span", { class: "warning" }, icon("warn"), "Speaks to its reader: ", words(one.addresses))),
        drawText(this.frameOf({ id: `${this.passage.id}.${i}`, text: one.text }), marks, [], () => {}),
      )
    })
  }

  drawPassage(blank, item) {
    this.slot("text", [blank || item.id], () => (blank ? [] : this.drawTexts()))
  }

  parts(desk, item) {
    const draft = this.draftOf(item)
    return {
      name: [[item.label, item.concept], () => el("h2", { class: "label" }, words(item.label), item.of === "concept" && el("code", {}, words(item.concept)))],
      gist: [[item.id, item.mine, this.sheetOpen], () => this.gist(desk, [this.stateOf(item), words(item.why)])],
      evidence: [[item.id], () => this.drawSame(item)],
      aid: [[item.id], () => this.drawNotes(item)],
      mine: [item.mine, () => item.mine.length > 0 && drawChoiceMine(item)],
      question: [[item.fields], () => el("p", { class: "question" }, item.whole ? "Field by field" : CHOICE.question)],
      fields: [[item.fields, draft, this.at, item.mine], () => drawFields(this, item)],
      answers: [[this.cause, this.update, item.id, Boolean(item.whole)], () => this.drawMoreAnswers(desk, item)],
    }
  }

  drawMore(desk) {
    const item = desk.line.current
    if (!item || !desk.curator) return
    this.slot("card-state", [item.id, item.mine], () => this.stateOf(item))
    this.slot("card-why", [item.id], () => el("p", { class: "quiet" }, words(item.why)))
  }

  stateOf(item) {
    if (judgement(item)) return stateChip("adjudicate")
    return el("span", { class: `chip state ${item.state}` }, icon(item.state === "disagree" ? "unsure" : "close"), CHOICE.states[item.state])
  }

  drawSame(item) {
    return item.same.length > 0 && el("dl", { class: "same" }, item.same.map(([name, value]) => [el("dt", {}, name), el("dd", {}, words(value))]))
  }

  // What curators wrote, under the letter of their answer; and who was unsure.
  drawNotes(item) {
    const [whole] = item.whole ?? item.fields
    const rows = whole.options.flatMap((one) => [...one.notes, ...one.reconciliation].map((text) => el("li", {}, el("code", {}, one.code), " ", words(text))))
    const unsure = item.unsure.map((text) => el("li", {}, icon("unsure"), " Unsure", text && [": ", words(text)]))
    return [...rows, ...unsure].length > 0 && el("ul", { class: "said-by" }, rows, unsure)
  }

  drawMoreAnswers(desk, item) {
    const act = (name) => () => this.onKey(desk, name)
    const toggle = (name, text, on) => button(text, name.toUpperCase(), act(name), { class: on ? "on solid" : "", "aria-pressed": on ? "true" : "false", "data-key": `cause ${name}` })
    return [
      el("div", { class: "choices causes", role: "group", "aria-label": "Why they differ" }, el("span", { class: "quiet" }, "Why"), CHOICE.causes.map((one) => toggle(one.key, one.name, this.cause === one.value)), toggle("l", "Guideline needs an update", this.update)),
      el(
        "div",
        { class: "more" },
        item.parts.length > 0 && button(item.whole ? "Whole answers" : "Field by field", "F", act("f")),
        button("Undo", "Z", act("z")),
        button("Back", "K", act("k")),
        button("Next", "J", act("j")),
        button("Note", "N", act("n")),
        el("a", { href: `${item.of === "pair" ? "conflict" : "concept"}_labels?item=${item.id}`, target: "_blank", rel: "noopener" }, "None of them: answer it"),
      ),
    ]
  }
}
