// Whether the server is there. It is asked every few seconds, so that a desk on which nothing is done knows it, too.

const PULSE = 4000
const DEAF = 5000 // milliseconds without an answer
const LOST = "Connection error" // the title of Streamlit's own dialog, which would cover the desk and take its keys
const GONE = "Touchstone's server does not answer. Go on: what you decide is kept here, and sent when it is back."

class Pulse {
  // `tell` is called whenever the server is gone or back.
  constructor(tell) {
    this.gone = false
    this.tell = tell
    this.timer = setInterval(() => this.feel(), PULSE)
    this.watch = new MutationObserver(() => this.clear())
    this.watch.observe(document.body, { childList: true })
  }

  stop() {
    clearInterval(this.timer)
    this.watch.disconnect()
  }

  async feel() {
    if (document.hidden || this.asking) return
    this.asking = true
    const there = await this.ask()
    this.asking = false
    if (there !== this.gone) return
    this.gone = !there
    this.tell()
  }

  async ask() {
    try {
      return (await fetch("_stcore/health", { cache: "no-store", signal: AbortSignal.timeout(DEAF) })).ok
    } catch {
      return false // refused, or not in time
    }
  }

  // Close Streamlit's dialog; it does not come again until the server was back.
  clear() {
    for (const dialog of document.querySelectorAll('[role="dialog"]')) {
      if (!dialog.textContent.startsWith(LOST)) continue
      dialog.querySelector("button")?.click()
      this.feel()
    }
  }
}
