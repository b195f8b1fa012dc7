// Whoever follows a link may be off to another page. A message that reaches Streamlit behind the click would call it back
// to the page just left: what there is to say is said before the click counts, and nothing for a while after it.

const DEPARTING = 1500 // milliseconds after a link in which nothing is said
const DEPARTING_MOST = 10_000 // and so many more, unless the script has run since
const SENDING = 50 // milliseconds until Streamlit has sent what it was told

class Departure {
  constructor() {
    this.until = -Infinity
    this.hasRun = true // since a link was followed
  }

  // A click anywhere, before anybody else hears of it. say: says what is waiting to be said; answers when something was
  // last said. A click that comes too early counts a moment later.
  onClick(event, say) {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.target !== "_blank")
    if (!link) return
    const wait = say() + SENDING - performance.now()
    if (wait > 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      event.stopImmediatePropagation()
      setTimeout(() => link.click(), wait)
      return
    }
    this.until = performance.now() + DEPARTING
    this.hasRun = false
  }

  // Whether another page may be on its way: until the script has run since, and rests. A busy server takes its time.
  isOff() {
    const since = performance.now() - this.until
    const atRest = document.querySelector("[data-test-script-state='notRunning']") !== null
    this.hasRun ||= !atRest
    return since < 0 || (since < DEPARTING_MOST && !(this.hasRun && atRest))
  }
}
