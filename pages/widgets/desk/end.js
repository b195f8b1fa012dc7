const REPORTS = { pair: ["conflict_metrics", "Conflict metrics"] } // where figures of a kind stand, if not with the others

// The time that this sitting took, what holds of its answers, and what came of it, in a new tab: here one goes on.
function closing(desk) {
  const [page, title] = REPORTS[desk.view.kind] ?? ["metrics", "Metrics"]
  const report = el("a", { class: "report", href: page, target: "_blank", rel: "noopener", "data-key": "report" }, `See what came of it: ${title}`)
  const link = [report, learning(desk)]
  if (!desk.sitting?.answers) return [null, link]
  const { answers, minutes, stand } = desk.sitting
  const held = JUDGEMENTS.filter((action) => stand[action]).map((action) => `${stand[action]} ${STATES[action].toLowerCase()}`)
  const took = minutes < 1.5 ? "a minute" : `${Math.round(minutes)} minutes`
  const given = `This sitting: ${answers === 1 ? "one answer" : `${answers} answers`} in ${took}.`
  return [[given, held.length && `What holds of them: ${held.join(", ")}.`, rightOf(desk.sitting.right)].filter(Boolean).join(" "), link]
}

// The way to what these answers teach: the place where one learns, with corpus and answers chosen.
function learning(desk) {
  const { mine } = desk.progress
  if (desk.view.kind !== "concept" || !mine) return null
  const chosen = { learn: desk.data.corpus, from: `reviewed@now:curator=${desk.curator}` }
  const said = `Learn from ${mine === 1 ? "this decision" : `these ${mine} decisions`}`
  return el("a", { class: "report", href: `runs?${new URLSearchParams(chosen)}`, target: "_blank", rel: "noopener", "data-key": "learn" }, said)
}

// What the answers did to the number: the share of this queue that was right as proposed, before this sitting and now.
function rightOf(right) {
  if (!right?.now.n) return null
  const percent = (share) => `${Math.round(100 * share)} %`
  const { now, before } = right
  const within = now.low === null ? "" : `, 95 % interval ${percent(now.low)} to ${percent(now.high)}`
  const then = before.n && before.n !== now.n ? `; before this sitting ${percent(before.value)} of ${before.n}` : ""
  return `Right as proposed: ${percent(now.value)} of the ${now.n} that you have judged here${within}${then}.`
}

// The end of a queue says what is true: what is left there, and the way to each part of it.

// A heading, and rows of what is left, each a sentence and the ways to it.
function endOf(desk) {
  const { total, done, mine, settled, unsure } = desk.progress
  const count = (n, one, many) => (n === 1 ? `One ${one}` : `${n} ${many}`)
  const lacking = settled === null ? 0 : done - settled // answered by this curator, and not by as many as they need
  const again = button("From the start", null, () => desk.restart())
  if (desk.outbox.size) return { heading: "Saving your last answers…", rows: [] }
  if (desk.places.round) {
    const heading = unsure ? `${unsure} still unsure` : "Nothing is unsure any more"
    return { heading, rows: [[null, button("Back to the queue", "U", () => desk.turnRound()), unsure > 0 && again]] }
  }
  if (!total) return { heading: "Nothing passes these filters", rows: [["Widen the filters above."]] }
  const lacks = desk.line.again || done < total // a list of passages is done when all are closed
  if (desk.listed && !desk.line.ids.length && lacks) {
    return { heading: "This list is open in another tab of yours", rows: [[null, button("Look again", null, () => desk.restart())]] }
  }
  if (desk.listed && !desk.line.again && lacks) return { heading: `${count(total - done, "passage", "passages")} of this list ${total - done === 1 ? "is" : "are"} not done yet`, rows: [[null, again]] }
  if (desk.listed) return { heading: "That was the last of this list", rows: desk.line.again ? [[null, again]] : [] }
  if (desk.line.again) return { heading: "That was the last of these", rows: [[null, again]] }
  const held = total - done
  const rows = [
    unsure > 0 && ["Later, they wait here.", button("Go through them now", "U", () => desk.turnRound(), { class: "unsure" })],
    held > 0 && [`${count(held, "item is", "items are")} open with another curator, or in another tab of yours, at the moment.`, button("Look again", null, () => desk.beat())],
    desk.unclosed.count > 0 && [
      `${count(desk.unclosed.count, "passage is", "passages are")} decided, but not marked as done.`,
      button("Show the first", desk.view.finished ? null : "P", () => desk.open(desk.unclosed.first)),
    ],
    desk.silenced > 0 && [`${count(desk.silenced, "proposal is", "proposals are")} left out, as the name is muted.`],
    lacking > 0 && [`${count(lacking, "item waits", "items wait")} for answers of others.`],
    done > mine && [`${count(done - mine, "item was", "items were")} answered by others.`],
  ].filter(Boolean)
  const heading = unsure ? `${unsure} unsure left: now or later?` : held ? "Nothing more to decide here at the moment" : "Every item of this queue is decided"
  return { heading, rows }
}
