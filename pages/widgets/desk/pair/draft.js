// What a curator makes of a label before it is saved, and which combinations stand. Nothing here touches the page.

// Axes in the order of the form, whatever order a label names them in, so that ticking one off and on changes nothing.
const inOrder = (axes) => AXES.map((axis) => axis.value).filter((axis) => axes.includes(axis))

const spanKey = (spans) => JSON.stringify(SIDES.map((side) => [...spans[side]].sort((a, b) => a[0] - b[0] || a[1] - b[1])))

function draftOfLabel(label) {
  const spans = { a: [], b: [] }
  for (const e of label?.evidence ?? []) {
    if (e.start === null || spans[e.side].some(([start, end]) => start === e.start && end === e.end)) continue
    spans[e.side].push([e.start, e.end])
  }
  return {
    proposal: label?.id ?? null,
    type: label?.type ?? null,
    axes: inOrder(label?.axes ?? []),
    confounder: label?.confounder ?? null,
    comparable: label?.comparable ?? true,
    reconciliation: label?.reconciliation ?? "",
    spans,
    parked: null, // axes and confounder that "no conflict" has put aside
  }
}

function draftOfAnswer(answer, proposal) {
  const pairs = (spans) => (spans ?? []).map(([start, end]) => [start, end])
  return {
    proposal,
    type: answer.conflict_type,
    axes: inOrder(answer.axes),
    confounder: answer.confounder ?? null,
    comparable: answer.comparable,
    reconciliation: answer.reconciliation ?? "",
    spans: { a: pairs(answer.spans_a), b: pairs(answer.spans_b) },
    parked: null,
  }
}

function answerOf(draft) {
  return {
    comparable: draft.comparable,
    conflict_type: draft.type,
    axes: draft.axes,
    confounder: draft.confounder,
    reconciliation: draft.reconciliation.trim(),
    spans_a: draft.spans.a,
    spans_b: draft.spans.b,
  }
}

// Fields in which a draft, or another label, differs from a label: in words.
function differences(draft, label) {
  if (!label) return []
  const other = draftOfLabel(label)
  return [
    draft.type !== other.type && "type",
    draft.axes.join() !== other.axes.join() && "axes",
    draft.confounder !== other.confounder && "confounder",
    draft.comparable !== other.comparable && "comparable",
    draft.reconciliation.trim() !== other.reconciliation.trim() && "reconciliation",
    spanKey(draft.spans) !== spanKey(other.spans) && "evidence",
  ].filter(Boolean)
}

// Each of these gives what changes in a draft, and with `told` what a curator should know about it.

function withType(draft, type) {
  if (type === NO_CONFLICT && draft.axes.length) {
    const one = draft.axes.length === 1
    return {
      type,
      axes: [],
      confounder: null,
      parked: { axes: draft.axes, confounder: draft.confounder },
      told: `Without a conflict there is nothing for axes to explain: ${axisNames(draft.axes)} ${one ? "is" : "are"} unticked. Another type brings ${one ? "it" : "them"} back.`,
    }
  }
  if (type !== NO_CONFLICT && draft.parked) return { type, ...draft.parked, parked: null, told: null }
  return { type, told: null }
}

function withAxis(draft, axis) {
  if (draft.type === NO_CONFLICT) return { told: GUIDE.refusals.axes }
  if (!draft.axes.includes(axis)) {
    return { axes: inOrder([...draft.axes, axis]), told: null }
  }
  const dominant = draft.confounder === axis
  return {
    axes: draft.axes.filter((one) => one !== axis),
    confounder: dominant ? null : draft.confounder,
    told: dominant ? `${axisName(axis)} was the dominant confounder, too; there is none now.` : null,
  }
}

function withConfounder(draft, axis) {
  if (axis !== null && !draft.axes.includes(axis)) return { told: GUIDE.refusals.confounder }
  return { confounder: axis, told: null }
}

function nextConfounder(draft) {
  if (!draft.axes.length) return { told: "The dominant confounder is one of the ticked axes: tick one first." }
  const order = [null, ...draft.axes]
  return withConfounder(draft, order[(order.indexOf(draft.confounder) + 1) % order.length])
}

// Why a draft cannot be saved, as sentences; empty where it can.
function refusals(draft) {
  const found = []
  if (!draft.type) found.push("Choose a conflict type first, with 1 to 6.")
  if (draft.type === NO_CONFLICT && (draft.axes.length || draft.confounder)) found.push(GUIDE.refusals.axes)
  if (draft.confounder && !draft.axes.includes(draft.confounder)) found.push(GUIDE.refusals.confounder)
  return found
}

// What the boundary rules speak against; the curator may know better.
function doubtsOf(draft) {
  const named = draft.axes.some((axis) => axis !== "unknown_latent_factor")
  const axes = named ? "named" : draft.axes.length ? "unknown" : "none"
  return GUIDE.doubts[`${draft.comparable} ${draft.type} ${axes}`] ?? []
}
