// Remembers the curator of this browser, per workspace: this tab's choice first, then the last one of any tab.
// Names come from the store; the browser keeps ids only.
const slot = (workspace) => `touchstone.curator.${workspace}`

export default function identity({ data, setStateValue, parentElement }) {
  const key = slot(data.workspace)
  try {
    if (data.curator) {
      sessionStorage.setItem(key, data.curator)
      localStorage.setItem(key, data.curator)
    } else if (data.forget) {
      sessionStorage.removeItem(key)
      localStorage.removeItem(key)
    }
  } catch {
    // storage is off: the choice lasts as long as the tab's session
  }
  if (parentElement.touchstoneAnswered === data.workspace) return
  parentElement.touchstoneAnswered = data.workspace
  let id = ""
  try {
    id = sessionStorage.getItem(key) || localStorage.getItem(key) || ""
  } catch {
    // as above
  }
  setStateValue("remembered", { workspace: data.workspace, id })
}
