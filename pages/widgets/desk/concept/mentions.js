// One of several mentions is left out of the answer: the mention in focus, by a key or a press. What is left makes the
// status, unless the curator chose one, and accepting stores a fix with the rest.

const STRONGEST_FIRST = ["affirmed", "uncertain", "negated", "other_person"]
const spanKey = ([start, end]) => `${start}-${end}`

// The status of the mentions that stay: the first in order of strength that one of them has.
function statusOf(proposal, left) {
  const staying = proposal.evidence.filter((e) => e.start !== null && !left.includes(spanKey([e.start, e.end])))
  const said = new Set(staying.map((e) => e.assertion ?? proposal.assertion))
  return STRONGEST_FIRST.find((status) => said.has(status)) ?? proposal.assertion
}

Object.assign(ConceptView.prototype, {
  // Spans of a proposal without those that are left out on the card.
  keptSpans(item, proposal) {
    const left = this.drafts.get(item.id)?.left ?? []
    return groundedSpans(proposal).filter((span) => !left.includes(spanKey(span)))
  },

  // The mention whose button has the focus, as "start-end"; null: none.
  mentionInFocus(desk) {
    const focused = desk.frame.getRootNode().activeElement?.dataset?.key
    return focused?.startsWith("mention ") ? focused.slice("mention ".length) : null
  },

  // Leave the mention in focus out, or take it in again. False: no mention is in focus.
  turnMention(desk, item, span = this.mentionInFocus(desk)) {
    const proposal = span && proposalOf(this, item)
    if (!proposal) return false
    const draft = this.draftOf(item)
    const before = draft.left ?? []
    const left = before.includes(span) ? before.filter((one) => one !== span) : [...before, span]
    if (groundedSpans(proposal).every((one) => left.includes(spanKey(one)))) {
      desk.notify("mentions", `This is the last mention. Reject the concept with ${shownKey("X")} if none of them holds.`)
      return true
    }
    // as proposed while nothing is left out: a run may have weighed its mentions in its own way
    const made = (out) => (out.length ? statusOf(proposal, out) : proposal.assertion)
    this.choose(item, { left, assertion: draft.assertion === made(before) ? made(left) : draft.assertion })
    return true
  },
})

function drawMentions(desk, item, proposal) {
  const list = drawEvidence(desk, proposal)
  const spans = groundedSpans(proposal)
  if (spans.length < 2) return list
  const left = desk.view.drafts.get(item.id)?.left ?? []
  const rows = [...list.children]
  proposal.evidence.forEach((e, i) => {
    if (e.start === null) return
    const span = spanKey([e.start, e.end])
    const out = left.includes(span)
    rows[i].classList.toggle("left-out", out)
    rows[i].append(
      button(out ? "Take in" : "Leave out", "E", (event) => {
        event.stopPropagation()
        desk.view.turnMention(desk, desk.line.current, span)
      }, { class: "plain", "data-key": `mention ${span}`, "aria-pressed": out ? "true" : "false", "aria-label": `${out ? "Take in" : "Leave out"} “${e.quote}”` }),
    )
  })
  return list
}
