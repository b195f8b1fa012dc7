// Decisions that the store has not acknowledged yet. They are kept in the browser's own storage, so that neither a
// reload nor a closed tab nor a restarted server loses one; the store takes each client id once, so sending an event
// twice, even from two tabs, does no harm.

const randomId = () => Array.from(crypto.getRandomValues(new Uint8Array(9)), (b) => b.toString(36).padStart(2, "0")).join("")

function stored(area, name) {
  try {
    return window[area].getItem(name)
  } catch {
    return null // storage is off: everything works but outliving the tab
  }
}

function store(area, name, value) {
  try {
    if (value === null) window[area].removeItem(name)
    else window[area].setItem(name, value)
  } catch {
    // as above, or full
  }
}

function readJson(text, otherwise) {
  try {
    return JSON.parse(text) ?? otherwise
  } catch {
    return otherwise // written by an older version, or by hand
  }
}

function storedNames(prefix) {
  try {
    return Object.keys(window.localStorage).filter((name) => name.startsWith(prefix))
  } catch {
    return []
  }
}

class Outbox {
  constructor(workspace, curator, life) {
    this.prefix = `touchstone.outbox.${workspace}.${curator}.`
    this.own = this.prefix + life
    this.life = life
    this.rows = [] // { at, event }, oldest first
    for (const name of storedNames(this.prefix)) this.rows.push(...this.read(name))
    const seen = new Set()
    this.rows = this.rows.filter((row) => !seen.has(row.event.cid) && seen.add(row.event.cid))
    this.rows.sort((a, b) => a.at - b.at)
    this.save() // under its own name, and left where it was: both go when the store has it
  }

  read(name) {
    const rows = readJson(stored("localStorage", name), [])
    return Array.isArray(rows) ? rows.filter((row) => typeof row?.event?.cid === "string") : []
  }

  get events() {
    return this.rows.map((row) => row.event)
  }

  get size() {
    return this.rows.length
  }

  get oldest() {
    return this.rows.length ? this.rows[0].at : null
  }

  has(cid) {
    return this.rows.some((row) => row.event.cid === cid)
  }

  add(event) {
    const at = Math.max(Date.now(), (this.rows.at(-1)?.at ?? 0) + 1) // order survives a clock that jumps back
    const complete = { cid: `${MADE_BY}${this.life}-${randomId()}`, ...event }
    this.rows.push({ at, event: complete })
    this.save()
    return complete
  }

  // Forget events that the store holds or has refused, also where another tab of this curator left them.
  settle(cids) {
    const gone = new Set(cids)
    if (!this.rows.some((row) => gone.has(row.event.cid))) return
    this.rows = this.rows.filter((row) => !gone.has(row.event.cid))
    for (const name of storedNames(this.prefix)) {
      if (name === this.own) continue
      const rest = this.read(name).filter((row) => !gone.has(row.event.cid))
      store("localStorage", name, rest.length ? JSON.stringify(rest) : null)
    }
    this.save()
  }

  save() {
    store("localStorage", this.own, this.rows.length ? JSON.stringify(this.rows) : null)
  }
}
