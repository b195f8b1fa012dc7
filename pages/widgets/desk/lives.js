// One desk's life: from its mounting on a page to its end. What a dead one of this browser held is taken over by the
// next, so that neither a reload nor a closed tab keeps items from its own curator. A lock that the browser drops with
// the page tells the living from the dead; where there are no locks (a page from afar without TLS), the tab's own
// storage knows at least of reloads.

const LIFE = "touchstone.life."
const ended = (globalThis.touchstoneEnded ??= new Set()) // in this page: the browser tells of a dropped lock only later

class Life {
  constructor() {
    this.id = randomId()
    this.former = null // ids of the dead, once known
    store("localStorage", LIFE + this.id, "lived")
  }

  // Answers when it is known whom this life succeeds.
  async begin() {
    this.former = navigator.locks ? await this.succeedByLocks() : this.succeedInTab()
  }

  async succeedByLocks() {
    navigator.locks.request(LIFE + this.id, () => new Promise((end) => (this.drop = end)))
    const { held, pending } = await navigator.locks.query()
    const living = new Set([...held, ...pending].map((lock) => lock.name).filter((name) => !ended.has(name)))
    const dead = storedNames(LIFE).filter((name) => !living.has(name) && name !== LIFE + this.id)
    for (const name of dead) store("localStorage", name, null)
    return dead.map((name) => name.slice(LIFE.length)).slice(-20)
  }

  // A duplicated tab copies the storage, and finds there that the life is still being lived.
  succeedInTab() {
    const before = stored("sessionStorage", "touchstone.life")
    const dead = before !== null && stored("sessionStorage", "touchstone.living") === null
    store("sessionStorage", "touchstone.life", this.id)
    store("sessionStorage", "touchstone.living", "yes")
    return dead ? [before] : []
  }

  end() {
    store("sessionStorage", "touchstone.living", null)
    ended.add(LIFE + this.id)
    this.drop?.()
  }
}
