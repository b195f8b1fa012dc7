// The words and keys of a page that asks one thing about a concept. CHOICE, which comes before all scripts, says what is
// asked: { kind, question, action, fields: [{ name, heading, options: [{ keys, value, name, definition, example }] }] }.
// An option with an `action` of its own is that action; the others are values of an answer. `sure`: nobody answers that
// they are unsure.

const HELP = [
  ["S", "Unsure: out of the way for now, kept for later"],
  ["Z", "Undo your last decision, on whichever item"],
  ["J  K", "Next or previous item without deciding"],
  ["N", "Write a note on the item"],
  ["O", "Origin: how the proposal came about, in a new tab"],
  ["G", "Go to a document by its id"],
  ["U", "At the end of the queue: once more through your unsure ones"],
  ["H", "This help"],
]

const optionName = (option) => [option.code, option.name].filter(Boolean).join(" ")

// Each answer with what it means, then the keys that every page has.
function helpTables(fields) {
  const row = (option) => [[...option.keys.toUpperCase()].join(" "), { ...option, name: optionName(option) }]
  return [...fields.map((field) => [field.heading, field.options.map(row)]), ["Keys", HELP]]
}

const SHEET_PARTS = ["state", "about", "evidence", "aid", "why", "mine"]
const FOOT_PARTS = ["question", "fields", "answers"] // in sight however long the card is

// The fields that an item asks about: those that it names, with what it says of them, else all.
function fieldsOf(item) {
  if (!item.fields) return CHOICE.fields
  return item.fields.map((own) => ({ ...CHOICE.fields.find((field) => field.name === own.name), ...own }))
}

// What an answer of the curator says of a field; null: nothing.
function valueOf(mine, field) {
  if (!mine) return null
  return mine.answer?.[field.name] ?? field.options.find((option) => option.action === mine.action)?.value ?? null
}

const optionOf = (field, value) => field.options.find((option) => option.value === value) ?? null

// An answer in words.
function answerWords(item, mine) {
  const named = fieldsOf(item).map((field) => optionOf(field, valueOf(mine, field))).filter(Boolean)
  return named.map(optionName).join(", ")
}
