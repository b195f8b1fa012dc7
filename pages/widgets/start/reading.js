// A text with what was found in it underlined, and a list of it. All words are set as text, never as markup.

const el = (tag, attributes, ...inside) => {
  const made = Object.assign(document.createElement(tag), attributes)
  made.append(...inside)
  return made
}

const underlined = ([words, style, said]) =>
  style ? el("mark", { className: style, title: said }, words) : document.createTextNode(words)

const row = ({ name, style, status, quotes }) =>
  el(
    "tr",
    {},
    el("th", { scope: "row" }, name),
    el("td", {}, el("mark", { className: style }, status)),
    el("td", {}, quotes.map((quote) => `“${quote}”`).join(", ")),
  )

const table = (heads, rows) =>
  el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...rows.map(row)),
  )

export default function reading({ data, parentElement }) {
  const drawn = el("div", { className: "reading" }, el("p", { className: "text" }, ...data.pieces.map(underlined)))
  if (data.rows.length) drawn.append(el("div", { className: "list" }, table(data.heads, data.rows)))
  parentElement.querySelector(".reading")?.remove()
  parentElement.append(drawn)
}
