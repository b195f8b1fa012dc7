// The words and keys of conflict review. GUIDE, which comes before all scripts, holds what curators go by.

const TYPES = GUIDE.types // { value, name, definition, signal, boundary, example }, in the order of the keys
const AXES = GUIDE.axes // { value, name, definition, cues, example, provisional }, the nine primary ones first
const SIDES = ["a", "b"]
const NO_CONFLICT = "no_conflict"

// One letter each, by what it stands for where it is free: Population, Geography, Year, Measurement, Design, suBtype,
// Lineage, Ward, Endpoint; Intervention, muTation, Vial, Unknown.
const AXIS_KEYS = {
  population_cohort: "p",
  geography: "g",
  year_time_period: "y",
  assay_measurement_protocol: "m",
  study_design: "d",
  disease_subtype: "b",
  organism_strain_lineage: "l",
  clinical_setting: "w",
  endpoint_definition: "e",
  dosage_intervention: "i",
  gene_mutation_molecular_background: "t",
  sample_source: "v",
  unknown_latent_factor: "u",
}
const AXIS_OF = Object.fromEntries(Object.entries(AXIS_KEYS).map(([axis, letter]) => [letter, axis]))

const typeOf = (value) => TYPES.find((type) => type.value === value) ?? null
const axisOf = (value) => AXES.find((axis) => axis.value === value) ?? null
const typeName = (value) => typeOf(value)?.name ?? "No type yet"
const axisName = (value) => axisOf(value)?.name ?? value
const axisNames = (axes) => axes.map(axisName).join(", ")
const spaced = (value) => String(value).replaceAll("_", " ")

const ORIGINS = { model: "Model", heuristic: "Heuristic", imported: "Imported" }
const DIRECTIONS = { increased: "says: increased", decreased: "says: decreased", unchanged: "says: unchanged" }
const LEVELS = { claim: "the claim's own words", abstract: "elsewhere in the abstract" }
const SCORES = [
  ["sim", "Likeness", 0.35, "How alike the claims are, by their vectors"],
  ["dis", "Disagreement", 0.35, "How much speaks for disagreement: direction, negation, context"],
  ["ent", "Entities", 0.15, "Share of the named things that both claims name"],
  ["type", "Claim type", 0.1, "Whether both are claims of one type"],
  ["year", "Years apart", -1, "Taken off for articles of years far apart"],
]

const HELP = [
  ["A", "Accept the label as it stands; with what you changed, it is saved as fixed"],
  ["F", "Fix: save what you changed"],
  ["X  R", "Reject: not usable (a claim is no claim, or the two have nothing in common)"],
  ["S", "Unsure: out of the way for now, kept for later"],
  ["Z", "Undo your last decision, on whichever pair"],
  ["J  K", "Next or previous pair without deciding"],
  ["Q", "The other proposed label, where there are two"],
  ["N", "Write a note on the pair"],
  ["O", "Origin: how the label came about, in a new tab"],
  ["0", "Go to an article by its id"],
  ["U", "At the end of the queue: once more through your unsure ones"],
  [".", "The guideline that you go by, and its revision"],
  ["H", "This help"],
]
const HELP_TYPES = TYPES.map((type, i) => [String(i + 1), type])
const HELP_REST = [
  ["7", "Whether the claims can be compared at all: yes, no in turn"],
  ["8", "Dominant confounder: one of the ticked axes, or none, in turn"],
  ["9", "Write the reconciliation; Ctrl+Enter or Esc leave the box"],
  [",", "Choose evidence by keyboard, once more on the other side: arrows go by word and sentence, Shift takes more in, Enter marks it"],
  ["mouse", "Select text on either side, then Enter, to mark it as evidence"],
  ["Esc", "Leave the selection"],
]
const HELP_AXES = AXES.map((axis) => [AXIS_KEYS[axis.value].toUpperCase(), axis.provisional ? { ...axis, name: `${axis.name} (provisional)` } : axis])

const SHEET_PARTS = ["state", "why", "labels", "types", "guide", "axes", "hint", "turns", "box", "mine"]
const CONTEXTS_AT = SHEET_PARTS.indexOf("axes") // on a small screen they come before what they speak for
const FOOT_PARTS = ["told", "doubts", "answers"] // in sight however long the card is
