// The tree of an ontology: one stop of Tab, arrows through the nodes in sight (WAI-ARIA tree). The server sends the nodes
// in sight; a node's children come once it is opened.

export default function drawTree({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".tree") ?? parentElement.appendChild(el("ul", { class: "tree", role: "tree", "aria-label": "Concepts" }))
  root.touchstone = { data, say: setTriggerValue }
  const told = JSON.stringify(data)
  if (root.touchstoneSaid === told) return
  root.touchstoneSaid = told
  const had = root.contains(root.getRootNode().activeElement) ? root.touchstoneStop : null
  const nodes = data.nodes.map((node) => drawNode(root, node))
  root.replaceChildren(...nodes)
  const stop = nodes.find((node) => node.dataset.key === had) ?? nodes.find((node) => node.dataset.key === data.current) ?? nodes[0]
  for (const node of nodes) node.tabIndex = node === stop ? 0 : -1
  root.touchstoneStop = stop?.dataset.key ?? null
  if (had) stop?.focus()
  else if (stop) scrollToMark(root, stop)
  root.onkeydown ??= (event) => turn(root, event)
}

function drawNode(root, node) {
  const isHere = node.key === root.touchstone.data.current
  const toggle = () => root.touchstone.say("toggle", node.key)
  const choose = () => root.touchstone.say("choose", node.key)
  return el(
    "li",
    {
      role: "treeitem",
      "aria-level": node.level,
      "aria-expanded": node.children ? String(node.opened) : null,
      "aria-current": isHere ? "true" : null,
      "aria-selected": String(isHere),
      "aria-label": node.children ? `${node.name}, ${node.children} narrower` : node.name,
      "data-key": node.key,
      style: `--level: ${node.level - 1}`,
      class: isHere ? "here" : "",
      on: { click: choose },
    },
    node.children
      ? el("span", { class: "twist", "aria-hidden": "true", on: { click: (event) => (event.stopPropagation(), toggle()) } }, node.opened ? "▾" : "▸")
      : el("span", { class: "twist", "aria-hidden": "true" }, "·"),
    words(node.name, { class: "name" }),
    node.children > 0 && el("span", { class: "quiet", "aria-hidden": "true" }, String(node.children)),
    node.more > 0 && el("span", { class: "quiet" }, `the first of them: ${node.more} more by search`),
  )
}

function turn(root, event) {
  const nodes = [...root.children]
  const at = nodes.indexOf(event.target.closest("[role='treeitem']"))
  if (at === -1 || event.ctrlKey || event.altKey || event.metaKey) return
  const key = nodes[at].dataset.key
  const level = Number(nodes[at].ariaLevel ?? nodes[at].getAttribute("aria-level"))
  const expanded = nodes[at].getAttribute("aria-expanded")
  const go = (to) => {
    const next = nodes[Math.max(0, Math.min(nodes.length - 1, to))]
    for (const node of nodes) node.tabIndex = node === next ? 0 : -1
    root.touchstoneStop = next.dataset.key
    next.focus()
  }
  const up = () => nodes.findLastIndex((node, i) => i < at && Number(node.getAttribute("aria-level")) < level)
  const does = {
    ArrowDown: () => go(at + 1),
    ArrowUp: () => go(at - 1),
    Home: () => go(0),
    End: () => go(nodes.length - 1),
    ArrowRight: () => (expanded === "false" ? root.touchstone.say("toggle", key) : expanded && go(at + 1)),
    ArrowLeft: () => (expanded === "true" ? root.touchstone.say("toggle", key) : up() >= 0 && go(up())),
    Enter: () => root.touchstone.say("choose", key),
    " ": () => root.touchstone.say("choose", key),
  }[event.key]
  if (!does) return
  event.preventDefault()
  does()
}
