// What was decided on an item, and how sure a machine is, in words.

const STATES = {
  accept: "Accepted",
  fix: "Fixed",
  reject: "Rejected",
  unsure: "Unsure",
  add: "Added",
  classify_error: "Classified",
  adjudicate: "Ruled",
  note: "Noted",
  close: "Passage done",
  reopen: "Reopened",
  open: "Proposed",
}
const BANDS = { high: "High confidence", medium: "Medium confidence", low: "Low confidence", unstated: "Confidence not stated" }

const nameOf = (rows, value) => rows.find((row) => row[0] === value)?.[1] ?? value

function stateOf(item) {
  return judgement(item)?.action ?? "open"
}

// An item that is asked about blind says so: in a word, and in the sentence that the server sends.
const blindMark = () => el("span", { class: "blind" }, icon("unseen"), " blind check")
const blindNote = (item) => el("p", { class: "blind" }, icon("unseen"), " ", words(item.why))

// A state is always an icon, a word and an outline: dashed for a machine's, solid for a person's.
function stateChip(state, text = STATES[state]) {
  return el("span", { class: `chip state ${state} ${state === "open" ? "hollow" : "solid"}` }, icon(state), text)
}
