// The line of items in front of a curator: what was shown, what is on the screen, what is prefetched.

const JUDGEMENTS = ["accept", "fix", "reject", "add", "unsure", "classify_error", "adjudicate"]
const AHEAD = 12 // ask for more when no more undecided items than these are prefetched
const BATCH = 24
const HURRY = 10000 // ten decisions in less than this many milliseconds: prefetch three times as far
const BEHIND = 60 // items kept to look back at

// The judgement of this curator that holds on an item.
const judgement = (item) => item?.mine.findLast((said) => JUDGEMENTS.includes(said.action)) ?? null

// Items come and go in sheets: a passage with all its items, or an item that stands alone.
const sheetId = (item) => item?.sheet ?? item?.passage

// The passage that a sheet shows: one that asks about an item again is no sheet of its passage.
const passageId = (sheet) => sheet.passage ?? sheet.id

class Line {
  constructor() {
    this.items = new Map()
    this.passages = new Map()
    this.from = 0 // messages up to this number asked for what is not wanted any more
    this.clear()
  }

  clear() {
    this.ids = []
    this.at = 0
    this.due = new Set() // items given by the store and not decided since
    this.aside = null // the item on the screen that was opened from elsewhere; the queue's place is right behind it
    this.after = null // the last item given by the store, behind which the queue goes on
    this.again = false // whether the queue holds what is decided already, too
    this.queue = null
    this.elsewhere = new Set() // items that the store said are open elsewhere, and has not given since
    this.ended = false
    this.times = [] // of the last ten decisions
  }

  get current() {
    return this.items.get(this.ids[this.at]) ?? null
  }

  sheetOf(item) {
    return this.passages.get(sheetId(item))
  }

  isDue(id) {
    return this.due.has(id) && (this.again || !judgement(this.items.get(id)))
  }

  // Items due from here on: those whose leases are kept.
  held() {
    return this.ids.slice(this.at).filter((id) => this.isDue(id))
  }

  // Of these, the ones that the store has left to this desk.
  ours() {
    return this.held().filter((id) => !this.elsewhere.has(id))
  }

  // How many more items to ask for.
  want() {
    const hurried = this.times.length === 10 && performance.now() - this.times[0] < HURRY
    if (this.ended || this.held().length > (hurried ? 3 * AHEAD : AHEAD)) return 0
    return hurried ? 2 * BATCH : BATCH
  }

  // t: number of the message that a sheet answers. Returns the sheet as it is held.
  put(sent, t) {
    const known = this.passages.get(sent.id)
    if (known && (known.stale || known.renewed === t)) return this.renew(known, sent, t)
    this.passages.set(sent.id, sent)
    for (const item of sent.items) if (sheetId(item) === sent.id) this.items.set(item.id, item)
    return sent
  }

  // A sheet comes once more when something was answered blind: it holds now what machines say of that. What is on the
  // screen stays the same object, and what is not stored yet of this curator's answers stays, too.
  renew(known, sent, t) {
    if (sent.unlisted || sent.items.some((item) => item.blind && judgement(this.items.get(item.id)))) return known // from before the answer
    for (const item of sent.items) {
      const held = this.items.get(item.id)
      const stored = new Map(item.mine.map((one) => [one.cid, one]))
      if (held) Object.assign(held, { blind: false, decoy: false }, item, { mine: held.mine.map((one) => stored.get(one.cid) ?? one) })
    }
    if (known.unlisted) this.fill(known, sent)
    return Object.assign(known, { stale: false, renewed: t })
  }

  // A passage whose list has ended holds all its items now.
  fill(known, sent) {
    for (const item of sent.items) if (!this.items.has(item.id)) this.items.set(item.id, item)
    known.items = sent.items.map((item) => this.items.get(item.id))
    known.unlisted = false
  }

  // Items take the place of one that stood for them, or that they are shown instead of.
  replace(id, others) {
    const at = this.ids.indexOf(id)
    const fresh = others.filter((one) => this.items.has(one) && (one === id || !this.ids.includes(one)))
    if (at === -1) return
    const shown = at === this.at
    this.due.delete(id)
    for (const one of fresh) this.due.add(one)
    if (fresh.length) this.ids.splice(at, 1, ...fresh)
    if (at < this.at) this.at += Math.max(0, fresh.length - 1)
    if (shown) this.goTo(others[0])
  }

  // Sheets that need not be sent again.
  have() {
    return [...this.passages.values()].filter((sheet) => !sheet.stale).map((sheet) => sheet.id)
  }

  // Queue up items that the store has given us; undecided ones that were skipped before come back at the end.
  append(ids) {
    for (const id of ids) {
      this.after = id
      this.elsewhere.delete(id)
      const known = this.ids.indexOf(id)
      if (known !== -1 && (this.again || known >= this.at)) continue
      if (!this.items.has(id) || (!this.again && judgement(this.items.get(id)))) continue
      this.ids.push(id)
      this.due.add(id)
    }
  }

  drop(ids) {
    const gone = new Set(ids)
    for (const id of gone) this.elsewhere.add(id)
    const shown = this.ids[this.at]
    this.ids = this.ids.filter((id, i) => i <= this.at || !gone.has(id))
    return gone.has(shown)
  }

  // Go on without these, which need not be decided any more.
  leaveOut(gone) {
    if (!gone.size) return
    for (const id of gone) this.due.delete(id)
    this.ids = this.ids.filter((id, i) => i < this.at || !gone.has(id))
  }

  // What the store gives, and whether that is all, unless it was asked for before the line began anew.
  take(reply, wanted) {
    if (reply.t <= this.from) return
    this.append(reply.page.filter((id) => id !== wanted))
    if (reply.end !== undefined) this.ended = reply.end
  }

  // Ask for all that comes behind what is on the screen once more. t: number of the last message.
  anew(t) {
    this.from = t
    for (const id of this.ids.splice(this.at + 1)) this.due.delete(id)
    this.after = this.current?.id ?? null
    this.ended = false
  }

  // Show an item now; what was on the screen comes right after it.
  goTo(id) {
    const known = this.ids.indexOf(id)
    if (known === this.at) return
    if (known !== -1) this.ids.splice(known, 1)
    if (known !== -1 && known < this.at) this.at -= 1
    if (!this.isDue(id)) this.aside = id
    this.ids.splice(this.at, 0, id)
  }

  // Go on at the place where the curator was before.
  takeUp(id) {
    if (!this.ids.includes(id)) this.ids.splice(this.at, 0, id)
    this.due.add(id)
    this.after ??= id
    this.goTo(id)
  }

  step(by) {
    const to = Math.max(0, Math.min(this.ids.length, this.at + by))
    const moved = to !== this.at
    this.at = to
    return moved
  }

  // On to the next item that is due; past the end where none is left.
  advance() {
    this.times = [...this.times, performance.now()].slice(-10)
    this.due.delete(this.ids[this.at])
    do this.at += 1
    while (this.at < this.ids.length && !this.isDue(this.ids[this.at]))
    this.at = Math.min(this.at, this.ids.length)
    this.forget()
  }

  // Let go of what lies far behind, so that a long day does not fill the memory.
  forget() {
    if (this.at < 2 * BEHIND) return
    this.ids.splice(0, this.at - BEHIND)
    this.at = BEHIND
    const needed = new Set(this.ids.map((id) => sheetId(this.items.get(id))))
    for (const [id, passage] of this.passages) {
      if (needed.has(id)) continue
      this.passages.delete(id)
      for (const item of passage.items) if (sheetId(item) === id) this.items.delete(item.id)
    }
  }
}
