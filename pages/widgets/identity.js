// Remembers the curator of this browser, per workspace: this tab's choice first, then the last one of any tab.
// It answers with the curator it knows, at first and after every change, so that a restarted server finds out.

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
  setStateValue("remembered", { workspace: data.workspace, id })
}
