// The exchange with the server. The last message always says everything, and the server answers it from its database
// alone, so replies may come late, twice or not at all, and the server may be restarted at any moment.

const RESEND = 3000
const BEAT = 30000
const QUIET = 250

// What is said of passages of a list that cannot be shown.
const leftOut = ({ ids, lacking }) =>
  `${lacking} of the ${ids.length + lacking} passages of this list ${lacking === 1 ? "is" : "are"} left out: not of this corpus, or not to be shown while the workspace is open to look at only.`

class Exchange {
  constructor(root, view) {
    this.root = root
    this.view = view
    this.line = new Line()
    this.life = new Life()
    this.id = this.life.id
    this.life.begin().then(() => this.hello())
    this.t = 0 // the number of the last message
    this.entered = 0 // the last message for whoever was here before
    this.history = []
    this.progress = null
    this.notices = []
    this.answered = false
    this.wanted = null
    this.lookUps = new LookUps(() => this.push())
    this.problem = null
    this.waiting = false // whether something is about to be said
    this.beatDue = false
    this.beatAt = 0
    this.sentAt = -Infinity
    this.departure = new Departure()
    this.shown = { item: null, since: 0, away: 0, hiddenSince: null }
    this.frame = el("div", { class: "desk", tabindex: "-1" }) // takes the focus of clicks, so that keys go on working
    root.append(this.frame)
    this.press = new Press(this.frame)
    this.pulse = new Pulse(() => this.press.after(() => this.draw()))
    this.cleanups = [
      () => this.press.end(),
      () => this.pulse.stop(),
      ...["keydown", "pointerdown"].map((type) => this.on(window, type, () => this.view.settle(), true)),
      listenForKeys((name, event) => this.onKey(name, event)),
      guardDoubleClicks(this.frame, () => this.view.panel ?? this.line.current),
      this.every(RESEND, () => this.resend()),
      this.every(BEAT, () => this.beat()),
      this.on(window, "pagehide", () => this.life.end()),
      watchFit(this.frame, () => this.view.fit(this)),
      watchMoves(this.frame, () => this.stopped || this.view.onMoved(this)),
      this.on(document, "click", (event) => this.stopped || this.departure.onClick(event, () => this.sayNow()), true),
      this.on(document, "pointerdown", (event) => (this.view.byTouch = event.pointerType !== "mouse")),
      this.on(document, "selectionchange", () => this.view.byTouch && this.view.soon(() => this.view.onTouched(this), 300)),
      this.on(document, "visibilitychange", () => this.onVisibility()),
    ]
  }

  every(milliseconds, work) {
    const timer = setInterval(work, milliseconds)
    return () => clearInterval(timer)
  }

  on(target, type, listener, first = false) {
    target.addEventListener(type, listener, first)
    return () => target.removeEventListener(type, listener, first)
  }

  stop() {
    for (const cleanup of this.cleanups) cleanup()
    this.life.end()
    this.frame.remove()
    this.stopped = true
  }

  // --- what the server says -------------------------------------------------------------------------------------

  receive({ data, setStateValue }) {
    this.setStateValue = setStateValue
    this.data = data
    // a server that has just been restarted does not know the curator yet, but soon will
    const waiting = !data.curator && this.curator && data.workspace === this.workspace
    if (waiting) return this.draw()
    if (data.workspace !== this.workspace || data.curator !== this.curator) this.enter(data)
    if (!this.curator) return this.draw()
    const reset = this.session && data.session !== this.session
    this.session = data.session
    if (reset) {
      this.notify("reset", "The connection was reset and this page picked up where it was. Nothing was lost.")
    }
    if (data.reply?.desk === this.id && data.reply.t > this.entered) this.take(data.reply)
    if (reset) this.push(true)
    else this.hello()
    return this.draw()
  }

  // The first message, as soon as it is known who asks and whose leases are taken over.
  hello() {
    if (this.t === this.entered && this.life.former) this.push(true)
  }

  resend() {
    if (this.curator && this.t > this.entered && (this.outbox.size || !this.answered)) this.push()
    this.draw() // how long something has been waiting
  }

  // Another workspace or curator: begin anew. Unsent decisions of the other one wait in their own outbox.
  enter(data) {
    this.workspace = data.workspace
    this.curator = data.curator
    this.line = new Line()
    this.history = []
    this.progress = null
    this.listed = null
    this.sitting = null // told at the end of a queue
    this.unclosed = { count: 0, first: null }
    this.problem = null
    this.outbox = data.curator ? new Outbox(data.workspace, data.curator, this.id) : null
    this.places = new Places(this.view.kind, data.workspace, data.curator)
    this.together = readJson(stored("sessionStorage", this.togetherName), []) // decisions given at once, the last time
    loadKeys(data.curator)
    redrawKeys(this.view)
    this.answered = false
    this.entered = this.t
    this.wanted = this.places.start()
    this.view.reset(this)
    // whoever has just chosen a curator is still in that box, where keys are typing
    if (data.curator && this.known !== undefined) this.frame.focus({ preventScroll: true })
    this.known = data.curator
    if (this.outbox?.size) this.notify("resent", `${this.outbox.size} decisions from before are being saved now.`)
  }

  take(reply) {
    this.problem = reply.problem
    if (reply.queue === undefined) return
    this.answered = true
    this.progress = reply.progress
    this.listed = reply.listed
    this.unclosed = reply.unclosed
    this.silenced = reply.silenced
    this.sitting = reply.sitting ?? this.sitting
    this.history = reply.history
    for (const [cid, [number, itemId]] of Object.entries(reply.acks)) this.onStored(cid, number, itemId)
    const refused = Object.entries(reply.refused).filter(([cid]) => this.outbox.has(cid)) // else another curator's
    this.outbox.settle([...Object.keys(reply.acks), ...refused.map(([cid]) => cid)])
    for (const [cid, reason] of refused) this.onRefused(cid, reason)
    if (reply.shared.length) {
      this.notify("shared", "Another curator has answered this item, too. Both answers are kept.")
    }
    const fresh = reply.queue !== this.line.queue
    if (fresh && reply.listed?.lacking) this.notify("lacking", leftOut(reply.listed))
    if (fresh) {
      this.line.clear()
      this.line.queue = reply.queue
      this.line.again = reply.again
    }
    for (const sent of reply.passages) {
      const passage = this.line.put(sent, reply.t)
      for (const item of passage.items) this.replay(item)
      this.replayPassage(passage)
    }
    if (reply.instead) {
      const [asked, others] = reply.instead
      this.line.replace(asked, others)
      if (this.places.queues[reply.queue] === asked) this.places.keep(reply.queue, others[0])
      if (this.wanted === asked) this.wanted = others[0]
    }
    this.line.take(reply, this.wanted)
    if (this.line.drop(reply.elsewhere ?? [])) {
      this.notify("elsewhere", "This item is open in another tab or with another curator at the moment.")
    }
    if (reply.unknown) {
      this.notify("unknown", `There is no item ${reply.unknown} in this workspace. Here is the queue instead.`)
      if (this.wanted === reply.unknown) this.wanted = null
    }
    if (this.wanted && this.line.items.has(this.wanted)) {
      if (this.places.queues[reply.queue] === this.wanted) this.line.takeUp(this.wanted)
      else this.line.goTo(this.wanted)
      this.wanted = null
    }
    if (fresh && (this.wanted || this.line.want())) this.push() // the message was about another queue and asked for too little
    if (reply.look) this.lookUps.hear(reply.look)
    if (reply.muted) this.view.hearMuted(this, reply.muted)
  }

  onStored(cid, number, itemId) {
    for (const item of this.line.items.values()) {
      for (const saidThen of item.mine) if (saidThen.cid === cid) saidThen.number = number
    }
    const added = [...this.line.items.values()].find((item) => item.addedBy === cid && item.id !== itemId)
    if (added) this.renumber(added, itemId)
  }

  // An added concept gets its item id from the store.
  renumber(item, id) {
    this.line.items.delete(item.id)
    this.line.ids = this.line.ids.map((known) => (known === item.id ? id : known))
    if (this.shown.item === item.id) this.shown.item = id // still the same item: an open panel stays
    item.id = id
    this.line.items.set(id, item)
  }

  onRefused(cid, reason) {
    for (const item of this.line.items.values()) {
      if (!item.mine.some((saidThen) => saidThen.cid === cid)) continue
      item.mine = item.mine.filter((saidThen) => saidThen.cid !== cid)
      this.line.due.add(item.id)
    }
    this.keepTogether(this.together.filter((one) => one.cid !== cid))
    this.notify("refused", `Not saved: ${reason}`)
  }

  // Decisions still in the outbox, as the curator left things before a reload.
  replay(item) {
    for (const event of this.outbox.events) {
      if (event.item !== item.id) continue
      if (event.action === "undo") {
        item.mine = item.mine.filter((one) => one.cid !== event.undoes_cid && one.number !== event.undoes)
      } else if (!item.mine.some((one) => one.cid === event.cid)) {
        item.mine.push({ cid: event.cid, number: null, action: event.action, answer: event.answer, note: event.note })
      }
    }
  }

  replayPassage(passage) {
    if (this.view.kind !== "concept") return
    for (const event of this.outbox.events) {
      if (event.passage !== passageId(passage) || event.item) continue
      if (event.action === "close") passage.closed = true
      if (event.action === "reopen") passage.closed = false
      if (event.action === "add") this.view.addLocally(this, event, passage)
    }
  }

  // --- what the server is told ----------------------------------------------------------------------------------

  // Say it soon: not before the screen shows what was just done, and not more than a few times a second, since every
  // message makes Streamlit draw the page again.
  push(beat = false) {
    this.beatDue ||= beat
    if (this.waiting || this.stopped || !this.curator) return
    this.waiting = true
    const wait = this.sentAt + QUIET - performance.now()
    if (wait > 0 || document.hidden) setTimeout(() => this.say(), Math.max(0, wait))
    else requestAnimationFrame(() => setTimeout(() => this.say()))
  }

  say() {
    if (!this.waiting || this.stopped || !this.curator) return
    if (this.departure.isOff()) {
      setTimeout(() => this.say(), 100)
      return
    }
    this.waiting = false
    this.sentAt = performance.now()
    if (this.beatDue) this.beatAt = Date.now()
    this.t += 1
    this.setStateValue("message", {
      t: this.t,
      desk: this.id,
      former: this.life.former ?? [],
      queue: this.line.queue,
      current: this.wanted ?? this.line.current?.id ?? null,
      held: this.line.held().filter((id) => id > 0),
      after: this.line.after,
      places: this.places.queues,
      unsure: this.places.round,
      want: this.line.want(),
      beat: this.beatDue,
      have: this.line.have(),
      look: this.lookUps.question(),
      events: this.outbox.events,
    })
    this.beatDue = false
  }

  // Before somebody leaves. Answers when something was last said.
  sayNow() {
    this.say()
    return this.sentAt
  }

  beat() {
    if (!this.curator) return
    this.line.ended = false
    this.push(true)
  }

  onVisibility() {
    if (document.hidden) {
      this.shown.hiddenSince = performance.now()
      return
    }
    if (this.shown.hiddenSince !== null) this.shown.away += performance.now() - this.shown.hiddenSince
    this.shown.hiddenSince = null
    if (this.curator && Date.now() - this.beatAt > BEAT) this.beat()
  }

  lookUp(...question) {
    return this.lookUps.find(...question)
  }
}
