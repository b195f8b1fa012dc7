// What a machine proposes of a concept: its classes and statuses in words, its evidence, why, and where it comes from.

const CLASSES = [
  ["explicit", "Explicit", "1"],
  ["logically_implicit", "Logical", "2"],
  ["pragmatically_implicit", "Pragmatic", "3"],
  ["not_relevant", "Not relevant", "4"],
]
const ASSERTIONS = [
  ["affirmed", "Affirmed"],
  ["negated", "Negated"],
  ["uncertain", "Uncertain"],
  ["other_person", "Other person"],
]

// Evidence as [start, end], in order, none twice.
const spansInOrder = (spans) => [...new Map(spans.map(([start, end]) => [`${start}-${end}`, [start, end]])).values()].sort((a, b) => a[0] - b[0] || a[1] - b[1])

const groundedSpans = (proposal) => spansInOrder(proposal.evidence.filter((e) => e.start !== null).map((e) => [e.start, e.end]))

function drawAbout(item) {
  return el(
    "div",
    { class: "about" },
    item.path?.length > 0 && el("div", { class: "path" }, item.path.map((name, i) => [i > 0 && el("i", {}, "›"), words(name)])),
    item.definition && el("p", { class: "definition" }, words(item.definition)),
  )
}

function drawEvidence(desk, proposal) {
  const rows = proposal.evidence.map((e) => {
    if (e.start === null) {
      return el("li", { class: "ungrounded" }, icon("warn"), "Not in the text: ", el("q", {}, words(e.quote)))
    }
    const differs = e.assertion && e.assertion !== proposal.assertion
    return el(
      "li",
      { on: { click: () => desk.view.scroll() } },
      el("q", {}, words(e.quote)),
      differs && el("small", {}, ` ${nameOf(ASSERTIONS, e.assertion).toLowerCase()} here`),
    )
  })
  return rows.length ? el("ul", { class: "evidence" }, rows) : el("p", { class: "quiet" }, "No quote is given.")
}

function drawWhy(view, item, proposal) {
  const facts = [
    ["Reason", proposal.reason || "none given"],
    ["Confidence", proposal.confidence === null ? "its source states none" : `${proposal.band} (${proposal.confidence.toFixed(2)})`],
    ["Run", proposal.run],
    ["Source", proposal.source],
    ["Came in at", proposal.repaired ? `${proposal.stage}, reply repaired` : proposal.stage],
    ["Ontology", view.passage?.ontology ?? "none"],
  ]
  return el(
    "details",
    { class: "why", open: view.whyOpen, on: { toggle: (event) => { view.whyOpen = event.target.open } } },
    el("summary", {}, el("span", { class: `dot ${proposal.band}` }), el("span", {}, BANDS[proposal.band]), words(item.why, { class: "line" })),
    el("dl", {}, facts.map(([name, value]) => [el("dt", {}, name), el("dd", {}, words(value))])),
  )
}

// Where the runs page tells how a proposal came about: its claims, every stage's verdict, the raw answers. It opens beside
// the desk, which goes on as it is.
function drawOrigin(item, proposal) {
  if (!proposal || item.id < 0) return null
  const query = new URLSearchParams({ run: proposal.run, item: item.origin ?? item.id })
  return el(
    "a",
    { class: "origin", href: `runs?${query}`, target: "_blank", rel: "noopener", "data-key": "origin", title: "Claims, stages and raw answers behind this proposal, in a new tab" },
    el("span", {}, "How it came about"),
    key("O"),
  )
}
