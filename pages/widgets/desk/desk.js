// The desk: what every review page shares. It owns the line of items and what is decided on them; a view draws one
// kind of item and answers its keys.

const HISTORY = 10

class Desk extends Exchange {
  // --- deciding -------------------------------------------------------------------------------------------------

  elapsed() {
    return Math.max(0, Math.round(performance.now() - this.shown.since - this.shown.away))
  }

  // The fields every event carries.
  from() {
    return { workspace: this.workspace, curator: this.curator, kind: this.view.kind }
  }

  about(item) {
    return {
      ...this.from(),
      item: item.id > 0 ? item.id : null,
      passage: item.passage,
      concept: item.concept,
      shown: item.proposals.map((proposal) => proposal.id),
      ...(item.blind ? { blind: true } : {}),
    }
  }

  // Judge an item and show the next one at once. `answer` is what the page shows of it meanwhile.
  decide(item, action, fields = {}, answer = fields.answer ?? null) {
    if (this.isLeaving) return this.onLeaving()
    this.judge(item, action, this.elapsed(), fields, answer)
    this.line.advance()
    this.draw()
    this.push()
  }

  judge(item, action, ms, fields, answer) {
    const event = this.outbox.add({ ...this.about(item), action, ms, ...fields })
    item.mine.push({ cid: event.cid, number: null, action, answer, note: null })
    if (item.blind) this.line.sheetOf(item).stale = true // what machines say of it may be seen from now on
    this.view.onDecided(this, item)
    return event
  }

  // Judge several items at once, each by a decision of its own; the time is divided over them. `says(item)` gives what
  // `decide` takes: action, fields and answer. Undo takes them back together while nothing was decided since.
  decideTogether(items, says) {
    if (this.isLeaving) return this.onLeaving()
    const [ms, count] = [this.elapsed(), items.length]
    const part = (i) => Math.floor((ms * (i + 1)) / count) - Math.floor((ms * i) / count)
    const events = items.map((item, i) => {
      const [action, fields, answer] = says(item)
      return this.judge(item, action, part(i), fields, answer)
    })
    this.keepTogether(events.map(({ cid, item, passage, concept, action }) => ({ cid, item, passage, concept, action })))
    for (const item of items) this.line.due.delete(item.id)
    Object.assign(this.shown, { since: performance.now(), away: 0 })
    if (items.includes(this.line.current)) this.line.advance()
    this.draw()
    return this.push()
  }

  get togetherName() {
    return `touchstone.together.${this.workspace}.${this.curator}`
  }

  // The decisions that were given at once, the last time, and that still hold.
  keepTogether(rows) {
    this.together = rows
    store("sessionStorage", this.togetherName, rows.length ? JSON.stringify(rows) : null)
  }

  // What undo takes back: the last decision, with those that were given together with it.
  last() {
    const [row] = this.recent()
    if (!row) return []
    return this.together.some((one) => one.cid === row.cid) ? this.together : [row]
  }

  note(item, text) {
    const event = this.outbox.add({ ...this.about(item), action: "note", note: text })
    item.mine.push({ cid: event.cid, number: null, action: "note", answer: null, note: text })
    this.draw()
    this.push()
  }

  setClosed(passage, closed) {
    this.showClosed(passageId(passage), closed)
    this.outbox.add({
      ...this.from(),
      passage: passageId(passage),
      action: closed ? "close" : "reopen",
    })
    this.draw()
    this.push()
  }

  // On every sheet of a passage.
  showClosed(passage, closed) {
    for (const sheet of this.line.passages.values()) if (passageId(sheet) === passage) sheet.closed = closed
  }

  // The last decisions, newest first: those on their way, then those the store holds; what is undone is left out.
  recent() {
    const undone = new Set(this.outbox.events.filter((e) => e.action === "undo").map((e) => e.undoes_cid))
    const waiting = this.outbox.events
      .filter((event) => event.action !== "undo" && (event.kind ?? "concept") === this.view.kind)
      .map((event) => ({
        cid: event.cid,
        number: null,
        item: event.item,
        passage: event.passage,
        action: event.action,
        blind: event.blind,
        label: this.view.labelOf(this, event),
        doc: this.line.passages.get(sheetId(this.line.items.get(event.item)) ?? event.passage)?.doc ?? "",
      }))
      .reverse()
    const known = new Set(waiting.map((row) => row.cid))
    const stored = this.history.map((row) => ({ ...row, label: this.view.labelOf(this, row) }))
    return [...waiting, ...stored.filter((row) => !known.has(row.cid))]
      .filter((row) => !undone.has(row.cid))
      .slice(0, HISTORY)
  }

  // Take back one decision, whichever it was, or several that were given together, and show the first item.
  undo(...rows) {
    const [row, ...others] = rows.length ? rows : this.last()
    if (!row) return this.notify("undo", "There is nothing to undo.")
    for (const other of others.reverse()) {
      this.takeBack(other)
      if (this.line.items.has(other.item)) this.line.goTo(other.item) // they come next again, in their order
    }
    this.takeBack(row)
    this.line.ended = false
    if (row.item && (this.line.items.has(row.item) || row.action !== "add")) this.open(row.item)
    else this.push()
    return this.draw()
  }

  takeBack(row) {
    this.outbox.add({
      ...this.from(),
      action: "undo",
      item: row.item,
      passage: row.passage,
      concept: row.concept ?? this.line.items.get(row.item)?.concept ?? null,
      undoes_cid: row.cid,
    })
    if (this.together.length) this.keepTogether(this.together.filter((one) => one.cid !== row.cid))
    const item = this.line.items.get(row.item)
    if (item) item.mine = item.mine.filter((one) => one.cid !== row.cid)
    if (item) this.line.due.add(item.id)
    this.view.onUndone(this, row)
    if (row.action === "close" || (row.action === "reopen" && !row.blind)) this.showClosed(row.passage, row.action === "reopen")
  }

  // Show any item, loading it where need be.
  open(id) {
    this.wanted = this.line.items.has(id) ? null : id
    if (!this.wanted) this.line.goTo(id)
    this.draw()
    this.push(true)
  }

  // Go through this queue once more, from its first item on.
  restart() {
    this.places.keep(this.line.queue, null)
    this.line.queue = ""
    this.line.ended = false
    this.draw()
    this.push(true)
  }

  // Whether the item that was asked for is on its way: what is on the screen meanwhile is not meant.
  get isLeaving() {
    return this.wanted !== null && this.line.current !== null
  }

  onLeaving() {
    this.notify("leaving", `The item that you asked for is on its way. ${shownKey("J")} and ${shownKey("K")} stay here.`)
    return true
  }

  // The place of what is on the screen in the list, from 1; 0: it is not in it; null: there is no list.
  placeInList() {
    if (!this.listed) return null
    const { current } = this.line
    return this.listed.ids.indexOf(this.listed.of === "passages" ? current?.passage : current?.id) + 1
  }

  get canTurn() {
    return this.places.round || (!this.listed && this.progress?.unsure > 0)
  }

  // Through what was left as unsure, or back to the queue. Both begin at their own place; the round anew each time.
  turnRound() {
    if (this.places.round) this.places.keep(this.line.queue, null)
    this.places.turnRound()
    this.line.ended = false
    this.draw()
    return this.push(true)
  }

  move(by) {
    this.wanted = null
    if (this.line.step(by)) this.draw()
    if (this.line.want()) this.push()
  }

  // --- showing --------------------------------------------------------------------------------------------------

  notify(name, text) {
    this.notices = [...this.notices.filter((notice) => notice.name !== name), { name, text, at: Date.now() }].slice(-3)
    this.draw()
  }

  dismiss(name) {
    this.notices = this.notices.filter((notice) => notice.name !== name)
    this.draw()
  }

  onKey(name, event) {
    if (!this.curator || this.stopped) return false
    if (event?.shiftKey && name.length > 1 && name !== TOGETHER && !this.view.caret) return false
    if (event?.repeat && name === "Enter") return true // held down, it presses a button once
    if (this.isLeaving && /^[a-z0-9]$/.test(name) && !"chjkz".includes(name)) return this.onLeaving()
    if (name === "u" && this.canTurn && !this.line.current && !this.view.panel) return this.turnRound() ?? true
    if (name === this.view.jumpKey && !this.view.panel && !event?.repeat) return this.view.openPanel(this, new JumpPanel(this))
    if (name === this.view.guideKey && !this.view.panel && !event?.repeat) return this.view.openPanel(this, new GuidelinePanel(this))
    return this.view.onKey(this, name, event)
  }

  // The item first; the rest of the page follows when that is on the screen.
  draw() {
    if (this.stopped || !this.data) return
    this.drawItem()
    if (this.restDue) return
    this.restDue = true
    const drawRest = () => {
      this.restDue = false
      if (!this.stopped) this.view.drawRest(this)
    }
    if (document.hidden) setTimeout(drawRest)
    else requestAnimationFrame(() => setTimeout(drawRest))
  }

  drawItem() {
    const item = this.line.current
    const id = item?.id ?? null
    if (id !== this.shown.item) {
      const first = this.shown.item === null // what is told while the first item is on its way has not been read yet
      const { panel } = this.view
      this.shown = { item: id, since: performance.now(), away: 0, hiddenSince: document.hidden ? performance.now() : null }
      this.notices = this.notices.filter((notice) => first || Date.now() - notice.at < 6000 || notice.name === "refused")
      this.view.onShown(this, item)
      if (this.line.sheetOf(item)?.stale) this.push()
      if (first) this.view.panel = panel // it is about no item, and what is typed there shall not be taken for answers
      if (item && item.id > 0) this.places.show(item.id, () => !this.stopped)
    }
    this.keepPlace(item)
    this.view.drawItem(this)
  }

  // What was opened from elsewhere is no place of the queue, and what was gone through to its end begins anew.
  keepPlace(item) {
    const { queue, aside, again, ended } = this.line
    if (queue && item?.id > 0 && item.id !== aside) this.places.keep(queue, item.id)
    else if (queue && !item && again && ended) this.places.keep(queue, null)
  }
}

// Streamlit calls the component again with every reply; there is one desk per place on the page.
const desks = (globalThis.touchstoneDesks ??= new Map())

function mountDesk(component, view) {
  const root = component.parentElement
  for (const [place, left] of desks) if (!place.isConnected) endDesk(place, left) // the next takes over from it
  let desk = desks.get(root)
  if (!desk || desk.stopped) {
    desk = new (component.data.readOnly ? LookingDesk : Desk)(root, view())
    desks.set(root, desk)
  }
  desk.press.after(() => desk.receive(component))
  // Where replies come fast, Streamlit ends an earlier call of this function only after a later one has begun, though the
  // component stays: what is still on the page goes on living.
  const end = () => {
    if (!root.isConnected && !desk.stopped) endDesk(root, desk)
  }
  return () => {
    end()
    setTimeout(end, 1000)
  }
}

function endDesk(root, desk) {
  desk.stop()
  desks.delete(root)
}
