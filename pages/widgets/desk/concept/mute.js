// A name that was rejected often and never kept is muted with one key: the open proposals that rest on it leave the
// queue, and one undo brings them back. Which ones these are the server says of the sheets that the desk holds.

const isMute = (event) => event.kind === "mute"
const times = (count) => (count === 1 ? "once" : `${count} times`)
const openProposals = (count) => (count === 1 ? "One open proposal" : `${count} open proposals`)

Object.assign(ConceptView.prototype, {
  hearMuted(desk, { silent, offer }) {
    if (desk.outbox.events.some(isMute)) return // this was said before
    const { line } = desk
    const gone = new Set(silent.filter((id) => !judgement(line.items.get(id))))
    for (const item of line.items.values()) item.muted = gone.has(item.id)
    if (!this.muted?.fresh) gone.delete(line.current?.id) // it may have been opened, or taken back
    if (this.muted) this.muted.fresh = false
    line.leaveOut(gone)
    this.offer = offer && !this.declined?.has(`${offer.concept} ${offer.words}`) ? offer : null
  },

  mute(desk) {
    const { offer } = this
    if (!offer) return desk.notify("mute", "No name waits to be muted. You are asked once you have rejected the same words for the same concept three times.")
    this.offer = null
    this.muted = { ...offer, fresh: true, item: desk.line.current?.id ?? null, since: desk.recent()[0]?.cid }
    this.sayMute(desk, offer, true)
    return desk.push()
  },

  unmute(desk) {
    const { muted } = this
    this.muted = null
    this.sayMute(desk, muted, false)
    for (const item of desk.line.items.values()) item.muted = false
    desk.line.anew(desk.t)
    if (muted.item > 0) desk.open(muted.item)
    else desk.push()
    return true
  },

  sayMute(desk, { set, concept, words: said }, muted) {
    desk.outbox.add({ ...desk.from(), kind: "mute", set, concept, words: said, muted })
    desk.draw()
  },

  onMuteKey(desk, name) {
    if (name === "q") return this.mute(desk)
    return this.mutedLast(desk) ? this.unmute(desk) : desk.undo()
  },

  // Whether undo takes back the mute: nothing was decided since.
  mutedLast(desk) {
    return Boolean(this.muted) && this.muted.since === desk.recent()[0]?.cid
  },

  decline(desk) {
    this.declined ??= new Set()
    this.declined.add(`${this.offer.concept} ${this.offer.words}`)
    this.offer = null
    desk.draw()
  },

  askMute(desk) {
    const { offer, muted } = this
    const name = (one) => ["“", words(one.words), "” as ", words(one.label)]
    const bar = (text, ...ways) => el("div", { class: "notice mute", role: "status" }, el("span", {}, text), ways)
    return [
      offer &&
        bar(
          ["You rejected ", name(offer), ` ${times(offer.rejected)}. Mute it? ${openProposals(offer.pending)} ${offer.pending === 1 ? "goes" : "go"}.`],
          button("Mute it", "Q", () => this.mute(desk), { "data-key": "mute" }),
          button("Not now", null, () => this.decline(desk), { class: "plain" }),
        ),
      muted &&
        bar(
          ["Muted: ", name(muted), `. ${openProposals(muted.pending)} ${muted.pending === 1 ? "has" : "have"} left the queue; runs from now on go by it where they use the learned set “`, words(muted.set), "”."],
          button("Undo", this.mutedLast(desk) && "Z", () => this.unmute(desk), { "data-key": "unmute", "aria-label": `Undo: muted ${muted.words}` }),
          button("Dismiss", null, () => { this.muted = null; desk.draw() }, { class: "plain" }),
        ),
    ].filter(Boolean)
  },
})
