// The words and keys of concept review. GUIDE, which comes before all scripts, holds what curators go by.

const GROUPS = {
  keep: "Keep the concept",
  standing: "Narrower, and in the text",
  found: "Found by the words",
  broader: "Broader",
  narrower: "Narrower",
  siblings: "Siblings",
  proposed: "Proposed",
  loose: "Like the words",
}
const HELP = [
  ["A", "Accept the proposal as it stands (with the class or status you changed, if any)"],
  ["Shift+A", "Accept the undecided items that the list under the text shows; you are asked once, and Z undoes all of them"],
  ["L", "Like this one: the same words for the same concept, of all open passages, as one question; Z takes all of them back"],
  ["Y", "Yes to the narrower of two concepts on the same words; the broader one inside it is rejected"],
  ["X  R", "Reject it; nobody asks why"],
  ["F", "Fix it: another concept, class, status or evidence"],
  ["Q", "Quiet: mute the name that you have rejected three times, when you are asked; its open proposals leave the queue, and Z brings them back"],
  ["S", "Unsure: out of the way for now, kept for later"],
  ["Z", "Undo your last decision, on whichever item"],
  ["J  K", "Next or previous item without deciding"],
  ["B", "Broader: choose among the parents"],
  ["D", "Deeper: choose among the children"],
  ["1 2 3 4", "Class: what each one means stands below"],
  ["T", "Status: affirmed, negated, uncertain, other person in turn"],
  ["N", "Write a note on the item"],
  ["E", "Evidence by keyboard: arrows go by word and sentence, Shift takes more in, Enter takes it, Esc leaves; on a mention of the list, where Tab leads: leave it out, and A stores the rest as a fix"],
  ["O", "Origin: how the proposal came about, in a new tab"],
  ["M", "Add a missing concept; select text first to name its evidence"],
  ["P", "Passage done: nothing is missing in it; in a blind check of a passage, your list is done"],
  ["G", "Go to a document by its id"],
  ["U", "At the end of the queue: once more through your unsure ones"],
  [".", "The guideline that you go by, and its revision"],
  ["H", "This help"],
]
const HELP_CLASSES = GUIDE.classes.map((row, i) => [String(i + 1), row])
const HELP_STATUSES = GUIDE.statuses.map((row) => ["T", row])
const HELP_PANEL = [
  ["0-9", "Pick a row of the list; 0 keeps the concept"],
  ["letters", "Search"],
  ["Enter", "Save what stands on the button"],
  ["Esc", "Leave without saving"],
  ["mouse", "Select text in the passage to mark it as evidence; by keyboard: Shift+Tab to the passage, then the key for evidence"],
]

const SHEET_PARTS = ["state", "about", "narrower", "nested", "runs", "evidence", "class", "status", "why", "mine"]

// Spans of an item's evidence as [start, end]: its holder's answer where there is one, else what is proposed.
function spansOf(item) {
  const answer = judgement(item)?.answer
  return answer?.spans ? spansInOrder(answer.spans) : spansInOrder(item.proposals.flatMap(groundedSpans))
}

// What accepting a proposal of an item says.
const answerOfProposal = (item, proposal) => ({
  concept: item.concept,
  class: proposal.class,
  assertion: proposal.assertion,
  spans: groundedSpans(proposal),
})

// Accepting an item as its first proposal stands: action, fields and answer, as `decide` takes them.
const acceptance = (item) => {
  const [proposal] = item.proposals
  return ["accept", { proposal: proposal.id }, { ...answerOfProposal(item, proposal), label: item.label }]
}
const REJECTION = ["reject", {}, null]

const sameAnswer = (one, other) =>
  one.concept === other.concept &&
  one.class === other.class &&
  one.assertion === other.assertion &&
  JSON.stringify(spansInOrder(one.spans)) === JSON.stringify(spansInOrder(other.spans))

// Class and status of an answer in words; a concept is affirmed unless it is said to be not.
function answerWords(answer) {
  const named = [[ASSERTIONS, answer.assertion], [CLASSES, answer.class]]
  return named.filter(([, value]) => value && value !== "affirmed").map(([rows, value]) => nameOf(rows, value).toLowerCase()).join(", ")
}

const isOut = (item) => item.muted && !judgement(item)

// Items of a passage but the one that stands for all of it, and what is muted.
const labelsOf = (passage) => passage.items.filter((item) => !item.whole && !isOut(item))

const firstOffset = (item) => spansOf(item)[0]?.[0] ?? -1
