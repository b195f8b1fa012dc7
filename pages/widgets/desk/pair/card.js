// The card of a pair: what machines propose and where they differ, and the keys to answer.

// The proposed labels, the model's first. Choosing one puts its answer into the form.
function drawLabels(view, item, chosen) {
  if (item.blind) return null
  if (!item.proposals.length) return el("p", { class: "quiet" }, "No annotator has labelled this pair. Choose a type to label it yourself.")
  const main = item.proposals[0]
  const alone = item.proposals.length === 1
  const row = (label) => {
    const other = label === main ? item.proposals[1] : main
    const differs = other ? new Set(differences(draftOfLabel(label), other)) : new Set()
    const part = (name, text) => el("span", { class: differs.has(name) ? "differs" : "" }, text)
    return el(
      "button",
      {
        type: "button",
        role: "radio",
        "aria-checked": label === chosen ? "true" : "false",
        class: label === chosen ? "on" : "",
        "data-key": `label ${label.id}`,
        on: { click: () => view.choose(item, label) },
      },
      el(
        "span",
        { class: "who" },
        el("span", { class: `dot ${label.band}`, title: BANDS[label.band] }),
        el("span", { title: label.source }, ORIGINS[label.origin] ?? label.origin),
        label.repaired && el("small", { class: "warning", title: label.repairs.join("; ") }, icon("warn"), " repaired"),
      ),
      part("type", typeName(label.type)),
      el("small", {}, part("axes", label.axes.length ? axisNames(label.axes) : "no axes")),
      label.confounder && el("small", {}, part("confounder", `mostly ${axisName(label.confounder)}`)),
      !label.comparable && el("small", {}, part("comparable", "not comparable")),
    )
  }
  return [
    radioGroup({ class: "labels", "aria-label": "Proposed label" }, item.proposals.map(row)),
    !alone && el("div", { class: "quiet turn" }, el("span", {}, agreement(item)), el("span", {}, "the other ", key("Q"))),
  ]
}

// The line of a small screen: what of the label is not in its type, and whose it is.
function drawPairGist(view, item, label, draft) {
  const parts = [
    stateOf(item) !== "open" && stateChip(stateOf(item)),
    item.blind && blindMark(),
    label && differences(draft, label).length > 0 && el("span", { class: "warning" }, "changed"),
    !draft.comparable && el("span", {}, "not comparable"),
    el("span", { class: "axes-said" }, draft.axes.length ? axisNames(draft.axes) : "no axes", draft.confounder && `; mostly ${axisName(draft.confounder)}`),
    item.proposals.length > 1 && el("span", { class: "quiet" }, `${item.proposals.length} labels`),
  ]
  return view.gist(view.desk, parts)
}

function agreement(item) {
  const [main, ...others] = item.proposals
  const found = [...new Set(others.flatMap((other) => differences(draftOfLabel(other), main)))].filter((name) => name !== "evidence")
  return found.length ? `≠ ${found.join(", ")}` : "= They agree."
}

function drawPairOrigin(item, label) {
  if (item.blind) return null
  const query = new URLSearchParams({ run: label?.run ?? item.run, pair: item.id })
  return el(
    "a",
    { class: "origin", href: `runs?${query}`, target: "_blank", rel: "noopener", "data-key": "origin", title: "Articles, stages and raw answers behind this pair, in a new tab" },
    el("span", {}, "Origin"),
    key("O"),
  )
}

// How likely a conflict is, in words; of older runs, which told none, the score.
function drawScore(item) {
  if (item.likelihood) {
    return el(
      "span",
      { class: "score", title: "How likely these two claims disagree, by what can be read off them" },
      el("span", { class: "quiet" }, "conflict"),
      el("meter", { min: 0, max: 1, value: item.likelihood.value, "aria-label": "Likelihood of a conflict" }),
      item.likelihood.word,
    )
  }
  if (!item.scored) return null
  const score = item.scores.combined
  return el(
    "span",
    { class: "score", title: "Combined score of the pair: how likely two comparable claims disagree" },
    el("span", { class: "quiet" }, "score"),
    el("meter", { min: 0, max: 1, value: Math.max(0, Math.min(1, score)), "aria-label": "Combined score" }),
    score.toFixed(2),
  )
}

// Why this pair is in the queue, and what its score is made of: the latter only where somebody wants to see it.
function drawPairWhy(view, item, label) {
  if (item.blind) return blindNote(item)
  const onToggle = (event) => {
    if (view.whyOpen === event.target.open) return
    view.whyOpen = event.target.open
    view.desk.draw()
  }
  return el(
    "details",
    { class: "why", open: view.whyOpen, on: { toggle: onToggle } },
    el("summary", { "data-key": "why" }, words(item.why, { class: "line" })),
    view.whyOpen && drawReasons(item, label),
  )
}

function drawReasons(item, label) {
  const facts = [
    ["Confidence", !label ? "no label" : label.confidence === null ? "its source states none" : `${label.band} (${label.confidence.toFixed(2)})`],
    ["Annotator", label?.source ?? "none"],
    label?.repairs.length && ["Repaired", label.repairs.join("; ")],
    label?.notes && ["Its notes", label.notes],
    ["Signals", item.signals.join("; ") || "none"],
    ["Tier", item.tier],
    ["Domain", spaced(item.domain)],
    ["Run", label?.run ?? item.run],
  ].filter(Boolean)
  return [
    item.likelihood && el(
      "table",
      { class: "scores" },
      el(
        "tbody",
        {},
        item.likelihood.parts.map(([name, value]) =>
          el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "number" }, value.toFixed(2))),
        ),
        el("tr", { class: "sum" }, el("th", { scope: "row" }, `A conflict is ${item.likelihood.word}`), el("td", { class: "number" }, item.likelihood.value.toFixed(2))),
      ),
    ),
    item.scored && el(
      "table",
      { class: "scores" },
      el(
        "tbody",
        {},
        SCORES.map(([name, label_, weight, text]) => {
          const value = item.scores[name]
          const part = weight < 0 ? -value : weight * value
          return el(
            "tr",
            { title: text },
            el("th", { scope: "row" }, label_),
            el("td", {}, el("meter", { min: 0, max: weight < 0 ? 0.2 : 1, value: Math.max(0, value) })),
            el("td", { class: "number" }, value.toFixed(2)),
            el("td", { class: "number quiet" }, weight < 0 ? "" : `× ${weight.toFixed(2)}`),
            el("td", { class: "number" }, `${part < 0 ? "−" : "+"} ${Math.abs(part).toFixed(2)}`),
          )
        }),
        el("tr", { class: "sum" }, el("th", { scope: "row", colspan: "4" }, "Combined"), el("td", { class: "number" }, item.scores.combined.toFixed(2))),
      ),
    ),
    el("dl", {}, facts.map(([name, value]) => [el("dt", {}, name), el("dd", {}, words(value))])),
  ]
}

// What this curator has said so far, solid, with what it changed.
function drawPairMine(item) {
  const mine = judgement(item)
  const notes = item.mine.filter((one) => one.action === "note")
  const answer = mine?.answer
  return el(
    "div",
    { class: "mine" },
    mine &&
      el(
        "div",
        {},
        el("span", { class: "quiet" }, "Your answer: "),
        stateChip(mine.action),
        answer && el("span", { class: "change" }, [typeName(answer.conflict_type), answer.axes.length > 0 && axisNames(answer.axes)].filter(Boolean).join(": ")),
      ),
    notes.map((one) => el("div", { class: "note" }, icon("note"), words(one.note))),
  )
}

// Made once: what its buttons do, they do to the pair on the screen.
function drawPairAnswers(desk) {
  const act = (name) => () => desk.view.onKey(desk, name)
  return [
    desk.view.mainAnswers(desk),
    el(
      "div",
      { class: "more" },
      button("Undo", "Z", act("z")),
      button("Back", "K", act("k")),
      button("Next", "J", act("j")),
      button("Note", "N", act("n")),
    ),
  ]
}
