// The card: what the machine proposes, on which evidence and why, and the keys to answer it.

function proposalOf(view, item) {
  const draft = view.draftOf(item)
  return item.proposals.find((proposal) => proposal.id === draft.proposal) ?? item.proposals[0] ?? null
}

// The line of a small screen: what accepting means, and whether something is odd about it.
function drawGist(view, item, proposal, draft, nest) {
  const parts = [
    stateOf(item) !== "open" && stateChip(stateOf(item)),
    item.blind && blindMark(),
    el("span", {}, `${nameOf(CLASSES, draft.class)}, ${nameOf(ASSERTIONS, draft.assertion).toLowerCase()}`),
    proposal?.evidence.some((e) => e.start === null) && el("span", { class: "warning" }, icon("warn"), "quote not in the text"),
    item.proposals.length > 1 && el("span", {}, `${item.proposals.length} runs`),
    nest && el("span", { class: "quiet" }, item === nest.host ? ["inside it: ", namesOf(nest.inside)] : ["inside: ", words(nest.host.label)]),
    item.narrower?.length > 0 && el("span", { class: "quiet" }, "narrower: ", words(item.narrower[0].name), item.narrower.length > 1 && ` and ${item.narrower.length - 1} more`),
  ]
  return view.gist(view.desk, parts)
}

function spokenItem(view, item) {
  const draft = view.draftOf(item)
  const [at, of] = view.frameOf(view.passage).sentence(firstOffset(item))
  const state = stateOf(item)
  if (item.blind) return [item.label, item.why, state !== "open" && STATES[state]].filter(Boolean).join(". ")
  return [
    item.label,
    `${nameOf(CLASSES, draft.class)}, ${nameOf(ASSERTIONS, draft.assertion).toLowerCase()}`,
    at ? `Sentence ${at} of ${of}` : "No place in the text",
    state !== "open" && STATES[state],
  ].filter(Boolean).join(". ")
}

// A broad concept is not accepted unseen where the text has the words of a narrow one. Each leads to its own item, or to the
// fix panel, where it has this digit.
function drawNarrower(view, item) {
  const first = view.keptOf(item).length
  return el(
    "div",
    { class: "narrower" },
    el("span", { class: "quiet" }, `${GROUPS.standing}:`),
    item.narrower.map((row, i) =>
      el(
        "button",
        { type: "button", class: "plain", "data-key": `narrower ${row.id}`, title: row.item ? "Show it" : "Open the fix panel with it", on: { click: () => view.showNarrower(view.desk, view.desk.line.current, row) } },
        words(row.name),
        row.item ? el("small", {}, "proposed here too") : [key("F"), key(String(first + i))],
      ),
    ),
  )
}

// Several runs, one item: which of them says what. Choosing one puts its answer on the card.
function drawRuns(view, item, chosen) {
  if (item.proposals.length < 2) return null
  return radioGroup(
    { class: "runs", "aria-label": "Which run" },
    item.proposals.map((proposal) =>
      el(
        "button",
        {
          type: "button",
          role: "radio",
          "aria-checked": proposal === chosen ? "true" : "false",
          class: proposal === chosen ? "on" : "",
          "data-key": `run ${proposal.id}`,
          on: { click: () => view.choose(item, { ofRun: true, proposal: proposal.id, class: proposal.class, assertion: proposal.assertion }) },
        },
        words(proposal.run),
        el("small", {}, `${nameOf(ASSERTIONS, proposal.assertion)}, ${nameOf(CLASSES, proposal.class).toLowerCase()}`),
      ),
    ),
  )
}

// What this curator has said so far, solid, with the way back.
function drawMine(desk, item) {
  const mine = judgement(item)
  const notes = item.mine.filter((one) => one.action === "note")
  const answer = mine?.answer
  const main = item.proposals[0]
  const changes = answer
    ? [
        answer.concept !== item.concept && [words(answer.label ?? answer.concept), " ", el("code", {}, words(answer.concept))],
        answer.class !== main?.class && nameOf(CLASSES, answer.class),
        answer.assertion !== main?.assertion && nameOf(ASSERTIONS, answer.assertion),
      ].filter(Boolean)
    : []
  return el(
    "div",
    { class: "mine" },
    mine && el("div", {}, el("span", { class: "quiet" }, "Your answer: "), stateChip(mine.action), changes.map((change) => el("span", { class: "change" }, change))),
    isInDoubt(item) ? drawDoubt(desk, item) : mine?.older && drawOlder(desk, item),
    notes.map((one) => el("div", { class: "note" }, icon("note"), words(one.note))),
  )
}

// An answer that an earlier version of this page may have saved with another concept than was chosen.
const isInDoubt = (item) => item.doubted && !judgement(item)?.cid.startsWith(MADE_BY)

function drawDoubt(desk, item) {
  return el(
    "div",
    { class: "doubted" },
    el("p", { class: "warning" }, icon("warn"), ` An earlier version of this page may have changed the concept of your answer. Is it the one you meant? ${shownKey("F")} changes it, ${shownKey("A")} accepts the proposal.`),
    button("Keep my answer", null, () => desk.view.keepAnswer(desk, item), { "data-key": "keep" }),
  )
}

// An answer of its own is kept by a button; any other one is given once more by its key.
function drawOlder(desk, item) {
  const { answer } = judgement(item)
  return el(
    "div",
    { class: "doubted" },
    el("p", { class: "warning" }, icon("warn"), " You gave this answer under an older guideline (. shows the one of today). Does it still hold? Give it once more, or another one."),
    answer && button("Keep my answer", null, () => desk.view.keepAnswer(desk, item), { "data-key": "keep" }),
  )
}

// Made once: what its buttons do, they do to the item on the screen.
function drawAnswers(desk) {
  const act = (name) => () => desk.view.onKey(desk, name)
  return [
    desk.view.mainAnswers(desk),
    el(
      "div",
      { class: "more" },
      button("Undo", "Z", act("z")),
      button("Back", "K", act("k")),
      button("Next", "J", act("j")),
      button("Broader", "B", act("b")),
      button("Deeper", "D", act("d")),
      button("Note", "N", act("n")),
      button("Alike", "L", act("l")),
    ),
  ]
}

// The card's parts, drawn one by one when they differ from the item before: [part, signature, how to draw it].
function cardParts(desk, item) {
  const view = desk.view
  const proposal = proposalOf(view, item)
  const draft = view.draftOf(item)
  const choose = (fields) => view.choose(desk.line.current, fields)
  const state = stateOf(item)
  const nest = view.nestOf(desk, item)
  return [
    ["name", [item.label, item.concept], () => el("h2", { class: "label" }, words(item.label), el("code", {}, words(item.concept)))],
    ["gist", [state, item.id, item.blind, proposal?.id, draft, nest?.inside.length, view.sheetOpen], () => drawGist(view, item, proposal, draft, nest)],
    ["about", [item.path, item.definition, item.place, item.place && item.label], () => drawAboutConcept(view, item)],
    ["narrower", [item.narrower, view.keptOf(item).length], () => item.narrower?.length > 0 && drawNarrower(view, item)],
    ["nested", nest && [item.id, nest.host.id, nest.inside.map((one) => one.id)], () => nest && drawNest(view, item, nest)],
    ["runs", [item.proposals.length > 1 && item.id, proposal?.id], () => drawRuns(view, item, proposal)],
    ["evidence", proposal && [item.id, proposal.evidence, proposal.assertion, draft.left], () => proposal && drawMentions(desk, item, proposal)],
    ["class", [draft.class, proposal?.class], () => choices("Class", CLASSES, draft.class, proposal?.class, (value) => choose({ class: value }))],
    ["status", [draft.assertion, proposal?.assertion], () => choices("Status", ASSERTIONS, draft.assertion, proposal?.assertion, (value) => choose({ assertion: value }), "T")],
    ["mine", item.mine, () => item.mine.length > 0 && drawMine(desk, item)],
    ["answers", null, () => drawAnswers(desk)],
  ]
}

// What is no part of the answer: whose the proposal is, how it came about, why it is asked about.
function originParts(view, item) {
  const proposal = proposalOf(view, item)
  const state = stateOf(item)
  return [
    ["state", [state, item.id, proposal?.id], () => [stateChip(state), proposal && el("span", { class: "chip hollow" }, words(proposal.source)), drawOrigin(item, proposal)]],
    ["why", [proposal && { ...proposal, evidence: null, id: null }, item.why, view.passage?.ontology], () => (proposal ? drawWhy(view, item, proposal) : (item.blind || item.decoy) && blindNote(item))],
  ]
}
