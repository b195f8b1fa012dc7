// Remembers the curator of this browser, per workspace: this tab's choice first, then the last one of any tab.
// It answers with the curator it knows, at first and after every change, so that a restarted server finds out.

// Whoever follows a link is off to another page: an answer right behind the click would call Streamlit back.
const LEAVE = 3000 // milliseconds until the other page has come, on a slow machine
let leaving = firstPress() + LEAVE // a press before this file was here may have been one on a link
let waiting

// When somebody first pressed something in this page, by the browser's own record. Activation would not do: a reload
// inherits it.
function firstPress() {
  if (!PerformanceObserver.supportedEntryTypes.includes("first-input")) return -Infinity
  const record = new PerformanceObserver(() => {})
  record.observe({ type: "first-input", buffered: true })
  const presses = record.takeRecords()
  record.disconnect()
  return presses[0]?.startTime ?? -Infinity
}

document.addEventListener(
  "click",
  (event) => {
    if (event.composedPath().some((node) => node instanceof HTMLAnchorElement && node.target !== "_blank")) leaving = performance.now() + LEAVE
  },
  true,
)

export default function identity({ data, setStateValue, parentElement }) {
  const key = `touchstone.curator.${data.workspace}`
  let id = data.curator ?? ""
  try {
    if (id) {
      sessionStorage.setItem(key, id)
      localStorage.setItem(key, id)
    } else {
      id = sessionStorage.getItem(key) || localStorage.getItem(key) || ""
    }
  } catch {
    // storage is off: the choice lasts as long as the session
  }
  const known = `${data.workspace} ${id}`
  if (parentElement.touchstoneSaid === known) return
  parentElement.touchstoneSaid = known
  const say = () => setStateValue("remembered", { workspace: data.workspace, id })
  const wait = leaving - performance.now()
  clearTimeout(waiting) // what the page before had to say
  if (wait > 0) waiting = setTimeout(say, wait)
  else say()
}
