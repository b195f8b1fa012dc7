// The guideline beside the card: its text, its revision, and what was decided under an older one. The server is asked
// each time that it is opened, for what is in force may have changed.

class GuidelinePanel {
  constructor(desk) {
    this.desk = desk
    this.overlay = true
    this.beside = true
    this.question = randomId()
    this.item = desk.line.current?.id
    this.told = el("div", { class: "told" }, el("p", { class: "quiet", role: "status" }, "Fetching the guideline…"))
    this.node = el(
      "section",
      { class: "help tray", role: "region", "aria-label": "Guideline", tabindex: "-1" },
      el("h3", {}, "Guideline"),
      this.told,
      button("Close", "Esc", () => this.leave()),
    )
  }

  opened() {
    this.node.focus({ preventScroll: true })
  }

  // Called with every drawing: the answer may have come.
  heard() {
    const found = this.desk.lookUp("guideline", this.question, "", this.item > 0 ? String(this.item) : "")
    if (!found || found === this.found) return
    this.found = found
    const [row] = found.rows
    this.told.replaceChildren(...(row.revision ? this.drawText(row) : [el("p", {}, this.none(row))]))
  }

  drawText({ profile, reference, revision, text, older }) {
    const stored = reference === "profile" ? "the profile's own text" : reference
    return [
      el("p", { class: "quiet" }, "Revision ", el("code", { class: "revision" }, words(revision)), " of the profile ", words(profile), ", ", words(stored)),
      ...(older ? [el("p", { class: "warning" }, icon("warn"), ` ${underOlder(older)} The way to ${older === 1 ? "it" : "them"} stands above the desk.`)] : []),
      words(text, { class: "guideline" }),
    ]
  }

  // What there is to do to have one.
  none({ profile }) {
    if (profile) return ["The profile ", words(profile), " has no guideline. Write one into a file and store it: ", el("code", {}, "touchstone guideline edit FILE --profile ", words(profile))]
    if (this.desk.view.kind === "pair") return "There is no guideline: the run of these pairs names no task profile. What types and axes mean stands in the help (H)."
    return ["There is no guideline: no run of this corpus names a task profile. Label it with ", el("code", {}, "touchstone run concepts --profile NAME"), "."]
  }

  leave() {
    leaveOverlay(this.desk)
  }

  onKey(name) {
    if (name === "Escape" || name === this.desk.view.guideKey || name === "Enter") this.leave()
    return !MOVING.test(name)
  }
}

const underOlder = (count) => (count === 1 ? "One decision of yours was made under an older revision." : `${count} decisions of yours were made under an older revision.`)
