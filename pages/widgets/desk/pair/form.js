// The form of a label: type, axes, confounder, whether comparable, reconciliation, evidence. Parts that look alike for two
// pairs are not drawn anew, so what they do, they do to the pair on the screen.

function drawTypes(view, draft, label) {
  return radioGroup(
    { class: "types", "aria-label": "Conflict type" },
    TYPES.map((type, i) => {
      const on = type.value === draft.type
      return el(
        "button",
        {
          type: "button",
          role: "radio",
          "aria-checked": on ? "true" : "false",
          class: on ? (type.value === label?.type ? "on hollow" : "on solid") : "",
          title: `${type.definition}\n${type.boundary}`,
          "data-key": `type ${type.value}`,
          on: { click: () => view.onKey(view.desk, String(i + 1)) },
        },
        key(String(i + 1)),
        el("span", {}, type.name),
      )
    }),
  )
}

// The chosen type in words: what it is, what to look for, where it ends.
function drawGuide(draft) {
  const type = typeOf(draft.type)
  if (!type) return el("p", { class: "quiet" }, "Choose a type with 1 to 6; what it means is shown here.")
  return [
    el("p", { class: "definition" }, type.definition),
    el("dl", {}, el("dt", {}, "Look for"), el("dd", {}, type.signal), el("dt", {}, "Boundary"), el("dd", {}, type.boundary)),
  ]
}

// Without a conflict there is nothing for axes to explain: they are folded away, and come back with another type.
function drawAxes(view, draft, label, differing) {
  const off = draft.type === NO_CONFLICT
  const chip = (axis) => {
    const on = draft.axes.includes(axis.value)
    const proposed = label?.axes.includes(axis.value)
    return el(
      "button",
      {
        type: "button",
        role: "checkbox",
        "aria-checked": on ? "true" : "false",
        "aria-disabled": off ? "true" : null,
        class: `axis ${on ? (proposed ? "on hollow" : "on solid") : proposed ? "was" : ""} ${off ? "off" : ""}`,
        title: `${axis.definition}\nSuch as: ${axis.cues.join(", ")}`,
        "data-key": `axis ${axis.value}`,
        on: {
          click: () => view.toggle(view.desk.line.current, axis.value),
          focus: (event) => event.target.matches(":focus-visible") && view.atHand(axis.value),
          mouseenter: () => view.atHand(axis.value),
          mouseleave: () => view.atHand(null),
        },
      },
      el("span", { class: "box", "aria-hidden": "true" }, on && icon("accept")),
      el("span", {}, axis.name),
      differing.includes(axis.value) && el("small", { class: "sign", title: "Words of the two sides differ on it" }, "≠"),
      key(AXIS_KEYS[axis.value].toUpperCase()),
    )
  }
  const group = (provisional) => AXES.filter((axis) => axis.provisional === provisional).map(chip)
  const groups = [
    el("div", { class: "axes", role: "group", "aria-label": "Axes" }, group(false)),
    el("div", { class: "axes provisional", role: "group", "aria-label": "Provisional axes" }, el("span", { class: "quiet" }, "Provisional"), group(true)),
  ]
  return off ? el("details", { class: "folded" }, el("summary", { "data-key": "axes" }, "Axes: none (not needed without a conflict)"), groups) : groups
}

// What an axis means, while it is hovered, focused or just ticked.
function drawHint(view, item) {
  if (view.draftOf(item).type === NO_CONFLICT) return null
  const axis = axisOf(view.hint)
  if (!axis) return el("p", { class: "hint quiet" }, !item.blind && "≠: the sides differ. ", "Hover or tick an axis for its meaning.")
  return el("p", { class: "hint" }, el("strong", {}, axis.name), ": ", axis.definition, el("span", { class: "quiet" }, ` Such as ${axis.cues.join(", ")}.`))
}

// Comparable and confounder: each in turn by one key.
function drawTurns(view, draft, label) {
  const change = (fields) => view.change(view.desk.line.current, fields)
  const confounders = draft.axes.map((axis) => [axis, axisName(axis)])
  const mostly = confounders.length
    ? choices("Mostly", [...confounders, ["none", "None"]], draft.confounder ?? "none", label?.confounder ?? "none", (value) => change(withConfounder(draft, value === "none" ? null : value)), "8")
    : el("div", { class: "choices" }, el("span", { class: "quiet" }, "Mostly ", key("8")), el("span", { class: "quiet none" }, "one of the ticked axes; none is ticked"))
  return [
    choices(
      "Comparable",
      [
        ["yes", "Yes"],
        ["no", "No"],
      ],
      draft.comparable ? "yes" : "no",
      label ? (label.comparable ? "yes" : "no") : null,
      (value) => change({ comparable: value === "yes" }),
      "7",
    ),
    draft.type !== NO_CONFLICT && mostly,
  ]
}

// Made once: a new box would have to be laid out for each pair.
function makeBox(view) {
  const leave = (event) => {
    event.preventDefault()
    event.target.blur()
    view.desk.frame.focus({ preventScroll: true })
  }
  return el("textarea", {
    rows: "2",
    "aria-label": "Reconciliation",
    placeholder: "How both claims can stand, in a sentence",
    maxlength: "20000",
    on: {
      input: (event) => view.change(view.desk.line.current, { reconciliation: event.target.value }, false),
      focus: (event) => event.target.closest(".slot-card-box").classList.add("writing"),
      blur: (event) => event.target.closest(".slot-card-box")?.classList.remove("writing"),
      keydown: (event) => {
        event.stopPropagation()
        if (event.isComposing) return
        if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) leave(event)
      },
    },
  })
}

const drawBox = (box) => [el("label", { class: "quiet" }, "Reconciliation ", key("9"), el("span", { class: "leave" }, key("Ctrl+Enter"), " or ", key("Esc"), " to leave")), box]

// Evidence of one side, under its text.
function drawSpans(view, item, draft, label, side) {
  const said_ = (label?.evidence ?? []).filter((e) => e.side === side)
  const levels = new Map(said_.map((e) => [`${e.start} ${e.end}`, e.level]))
  const row = (span) => {
    const level = levels.get(span.join(" "))
    const quote = view.frameOf(item, side).slice(...span)
    return el(
      "li",
      { class: level ? "hollow" : "solid" },
      el(
        "button",
        { type: "button", class: "plain quote", title: `${quote}\n(${level ? LEVELS[level] : "marked by you"})`, "data-key": `span ${side} ${span.join()}`, on: { click: () => view.pulse(side, [`evidence ${span[0]}`]) } },
        el("q", {}, words(quote)),
      ),
      level === "claim" && el("small", { title: LEVELS.claim }, "claim"),
      el("button", { type: "button", class: "plain", title: "Take this evidence away", "aria-label": `Take away “${quote}” in ${side.toUpperCase()}`, on: { click: () => view.unmark(item, side, span) } }, "×"),
    )
  }
  return [
    el("h3", {}, draft.spans[side].length ? `Evidence in ${side.toUpperCase()}` : `No evidence in ${side.toUpperCase()} yet: select text to mark it`),
    el(
      "ul",
      { class: "evidence pair" },
      draft.spans[side].map(row),
      said_.filter((e) => e.start === null).map((e) => el("li", { class: "ungrounded" }, icon("warn"), "Not in this abstract: ", el("q", {}, words(e.quote)))),
    ),
  ]
}
