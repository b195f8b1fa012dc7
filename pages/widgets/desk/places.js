// Where a curator is: the item on the screen, the place in each queue, and what the address says of it. Kept in the tab's
// storage, so that a reload, another page or another queue lead back to it.

const QUEUES = 40 // whose places are kept
const WRITTEN = 20 // items that we wrote into the address last

// The items or passages that the address lists; empty where it asks for the queue.
function listInAddress() {
  const asked = new URLSearchParams(window.location.search)
  return [...asked].find(([name]) => /[.](items|passages)$/.test(name))?.[1] ?? ""
}

class Places {
  constructor(kind, workspace, curator) {
    this.screenName = `touchstone.place.${kind}.${workspace}` // the item on the screen, and the list it is of
    this.addressName = `touchstone.address.${kind}.${workspace}` // the items that we wrote into the address
    this.queuesName = `touchstone.places.${kind}.${workspace}`
    this.roundName = `touchstone.round.${kind}.${workspace}.${curator}`
    this.queues = readJson(stored("sessionStorage", this.queuesName), {}) // queue -> item
    this.round = stored("sessionStorage", this.roundName) !== null // whether through what was left as unsure
  }

  // The item that a link asks for. Where we wrote it into the address ourselves, this is a reload, and where the address
  // asks for nothing, a return from another page: the one that was on the screen then, unless that was of another list.
  // The history could not bear that mark, for Streamlit writes there too.
  start() {
    const linked = Number(new URLSearchParams(window.location.search).get("item"))
    const ours = linked ? this.isOurs(linked) : !window.location.search
    const shown = readJson(stored("sessionStorage", this.screenName), {})
    const asked = !ours ? linked : shown.list === listInAddress() ? shown.item : null
    return Number.isSafeInteger(asked) && asked > 0 ? asked : null
  }

  // Streamlit, too, writes the whole address, at times with the item that stood there before: after a reload, until
  // something is shown, any that we wrote is ours.
  isOurs(linked) {
    const reloaded = !globalThis.touchstoneShown && performance.getEntriesByType("navigation")[0]?.type === "reload"
    return reloaded ? this.written.includes(linked) : this.written.at(-1) === linked
  }

  get written() {
    return [readJson(stored("sessionStorage", this.addressName), [])].flat()
  }

  // The address names the item, so that a reload finds it and a link can be shared. Debounced: browsers limit it.
  show(id, living) {
    store("sessionStorage", this.screenName, JSON.stringify({ item: id, list: listInAddress() }))
    globalThis.touchstoneShown = true
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      if (!living()) return
      const url = new URL(window.location.href)
      url.searchParams.set("item", String(id))
      try {
        window.history.replaceState(window.history.state, "", url)
        store("sessionStorage", this.addressName, JSON.stringify([...this.written.filter((one) => one !== id), id].slice(-WRITTEN)))
      } catch {
        // refused for a moment: the next item will do
      }
    }, 400)
  }

  // The place in a queue; null: it begins anew.
  keep(queue, id) {
    if ((this.queues[queue] ?? null) === id) return
    delete this.queues[queue]
    if (id !== null) this.queues[queue] = id
    this.queues = Object.fromEntries(Object.entries(this.queues).slice(-QUEUES))
    store("sessionStorage", this.queuesName, JSON.stringify(this.queues))
  }

  turnRound() {
    this.round = !this.round
    store("sessionStorage", this.roundName, this.round ? "yes" : null)
  }
}
