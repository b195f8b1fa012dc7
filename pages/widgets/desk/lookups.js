// What a view looks up on the server: one question at a time, its answers kept.

const ANSWERS = 200 // kept
const AGAIN = 2000 // until rows that are still being made are asked for again

class LookUps {
  constructor(push) {
    this.push = push // tell the server soon
    this.waiting = null // the question without an answer yet
    this.answers = new Map() // question -> answer
  }

  // What the next message asks.
  question() {
    if (!this.waiting) return null
    const { name, ...question } = this.waiting
    return question
  }

  // Concepts to choose from, or null while the answer is on its way; the view is drawn again when it comes. Rows that
  // take longer are asked for as soon as the first ones are here, and again, as long as the view asks for them, where
  // they are still being made.
  find(kind, corpus, concept, text) {
    const question = { kind, corpus, concept, text: text.slice(0, 500) }
    const name = JSON.stringify(question)
    const known = this.answers.get(name)
    if (known && (!known.more || performance.now() - known.at < AGAIN)) return known
    if (this.waiting?.name !== name) this.ask({ name, ...question, final: Boolean(known) })
    return known ?? null
  }

  ask(question) {
    this.waiting = { ...question, id: randomId() }
    this.push()
  }

  // An answer of the server. Rows already here keep their places; what comes later stands below them.
  hear(answer) {
    if (answer?.id !== this.waiting?.id) return
    const { name, final } = this.waiting
    const shown = this.answers.get(name)?.rows ?? []
    const ids = new Set(shown.map((row) => row.id))
    const rows = [...shown, ...answer.rows.filter((row) => !ids.has(row.id))]
    this.answers.delete(name)
    this.answers.set(name, { ...answer, rows, at: performance.now() })
    if (this.answers.size > ANSWERS) this.answers.delete(this.answers.keys().next().value)
    if (answer.more && !final) this.ask({ ...this.waiting, final: true })
    else this.waiting = null
  }
}
