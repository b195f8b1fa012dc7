// The card: the concept, what speaks for it and against it, and what is asked.

// Where an item's evidence and its trigger words stand.
function choiceMarks(item) {
  const spans = spansInOrder(item.proposals.flatMap(groundedSpans))
  const evidence = assignLanes(spans.map(([start, end]) => ({ start, end, item: null })))
  const triggers = (item.aid?.triggers ?? []).map(([start, end]) => ({ start, end, item: null, lane: LANES, kind: "trigger" }))
  return [...evidence.map((mark) => ({ ...mark, kind: `lane${mark.lane % LANES} current hollow` })), ...triggers]
}

const proposedIn = (item, said) => fieldsOf(item).map((field) => optionOf(field, item.proposed?.[field.name])).filter(Boolean).map(said).join(", ")
const proposedName = (item) => proposedIn(item, optionName)

const proposedChip = () => el("span", { class: "chip hollow proposed" }, icon("open"), "proposed")

// The line of a small screen.
function drawChoiceGist(view, item) {
  const proposed = proposedName(item)
  const status = view.proposalOf(item)?.assertion
  return view.gist(view.desk, [
    stateOf(item) !== "open" && stateChip(stateOf(item)),
    proposed ? el("span", {}, proposedIn(item, (option) => option.code || option.name), " ", proposedChip()) : el("span", {}, status ? nameOf(ASSERTIONS, status) : "No run proposes it here"),
  ])
}

function spokenChoice(view, item) {
  const [at, of] = view.frameOf(view.passage).sentence(choiceMarks(item)[0]?.start ?? -1)
  const proposed = proposedName(item)
  const state = stateOf(item)
  return [item.label, proposed && `Proposed: ${proposed}`, at ? `Sentence ${at} of ${of}` : "No place in the text", state !== "open" && STATES[state]].filter(Boolean).join(". ")
}

function drawChoiceState(view, item) {
  const proposal = view.proposalOf(item)
  const state = stateOf(item)
  const says = proposal && `${nameOf(ASSERTIONS, proposal.assertion)}, ${nameOf(CLASSES, proposal.class).toLowerCase()}`
  return [
    state !== "open" && stateChip(state),
    proposal && el("span", { class: "chip hollow" }, icon("open"), words(proposal.source), ": ", says),
    item.proposals.length > 1 && el("span", { class: "quiet" }, `and ${item.proposals.length - 1} more`),
    drawOrigin(item, proposal),
  ]
}

// What the passage supports, and where the concept stands to that.
function drawAid(item) {
  const { supported, lineage, other_branch: other, triggers } = item.aid
  const concept = (one) => el("li", {}, words(one.label), el("code", {}, words(one.concept)))
  return [
    lineage.length > 0 && el("div", { class: "lineage" }, el("h3", {}, "On one path"), drawLineage(item, lineage)),
    el("h3", {}, supported.length ? "Supported in this passage" : "Nothing is supported in this passage yet"),
    supported.length > 0 && el("ul", { class: "supported" }, supported.map(concept)),
    other && el("p", { class: "quiet" }, icon("warn"), " Another branch than anything supported here. This alone is no E-2."),
    triggers.length > 0 && el("p", { class: "quiet" }, "The ", el("span", { class: "mark trigger" }, "dotted"), " words may have triggered it."),
  ]
}

// The path from the broader to the narrower concept; both ends say what they are.
function drawLineage(item, lineage) {
  return el(
    "div",
    { class: "path" },
    lineage.map((one, i) => {
      const here = one.concept === item.about
      const role = here ? "proposed" : one.supported ? "supported" : null
      return [i > 0 && el("i", {}, "›"), el("span", { class: role ?? "" }, words(one.label), role && el("small", {}, ` ${role}`))]
    }),
  )
}

// Of several fields, those not in focus show what is chosen.
function drawFields(view, item) {
  const fields = fieldsOf(item)
  return fields.flatMap((field, i) => (i === view.at ? drawOptions(view, item, field, fields.length > 1) : drawFolded(view, item, field, i)))
}

function drawFolded(view, item, field, i) {
  const chosen = optionOf(field, view.draftOf(item)[field.name])
  const open = () => {
    view.at = i
    view.desk.draw()
  }
  return el(
    "button",
    { type: "button", class: "folded", "data-key": `field ${field.name}`, on: { click: open } },
    el("span", { class: "quiet" }, field.heading),
    el("span", {}, chosen ? optionName(chosen) : "–"),
  )
}

function drawOptions(view, item, field, many) {
  const mine = view.draftOf(item)[field.name] ?? valueOf(judgement(item), field)
  const decide = (name) => () => view.onKey(view.desk, name)
  const unsure = !many && !CHOICE.sure && button("Unsure", "S", decide("s"), { class: "option unsure", glyph: "unsure", "data-key": "option unsure" })
  return [
    many && el("h3", {}, field.heading),
    el(
      "div",
      { class: `options of-${field.options.length} ${field.options.length > 2 && (field.options.length + Boolean(unsure)) % 2 ? "odd" : ""}`, role: "group", "aria-label": field.heading },
      field.options.map((option) => drawOption(field, option, item.proposed?.[field.name], mine, decide(option.keys[0]))),
      unsure,
    ),
  ]
}

function drawOption(field, option, proposed, mine, onChoose) {
  const isProposed = option.value === proposed
  return el(
    "button",
    {
      type: "button",
      class: `option ${option.action ?? ""} ${isProposed ? "hollow" : ""} ${option.value === mine ? "on solid" : ""}`,
      "aria-pressed": option.value === mine ? "true" : "false",
      "data-key": `option ${field.name} ${option.value}`,
      title: [option.definition, option.example].filter(Boolean).join("\n") || null,
      on: { click: onChoose },
    },
    option.action && icon(option.action),
    el("span", { class: "name" }, option.code && el("code", { class: option.mark ?? "" }, option.code, " "), option.lines?.length ? drawLines(option.lines) : words(option.name)),
    key(option.keys[0].toUpperCase()),
    isProposed && proposedChip(),
    el("span", { class: "short" }, option.short),
  )
}

// What an answer says, field by field.
function drawLines(lines) {
  return el("span", { class: "lines" }, lines.map(([name, value]) => el("span", {}, el("small", {}, name), " ", words(value))))
}

function drawChoiceMine(item) {
  const mine = judgement(item)
  const said = mine && answerWords(item, mine)
  const notes = item.mine.filter((one) => one.action === "note")
  return el(
    "div",
    { class: "mine" },
    mine && el("div", {}, el("span", { class: "quiet" }, "Your answer: "), stateChip(mine.action), said && el("span", { class: "change" }, said)),
    notes.map((one) => el("div", { class: "note" }, icon("note"), words(one.note))),
  )
}

// Made once: what its buttons do, they do to the item on the screen.
function drawChoiceAnswers(desk) {
  const act = (name) => () => desk.view.onKey(desk, name)
  const many = CHOICE.fields.length > 1
  return el(
    "div",
    { class: "more" },
    many && button("Unsure", "S", act("s")),
    button("Undo", "Z", act("z")),
    button("Back", "K", act("k")),
    button("Next", "J", act("j")),
    button("Note", "N", act("n")),
  )
}
