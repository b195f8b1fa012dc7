// Whoever presses something lets go of it a moment later, and the browser makes a click of the two where both meet the
// same node. What the server says meanwhile would put another node there, and the click would be lost: it waits.

const LIFTED = 100 // milliseconds from a lifted finger to the click that the browser makes of it

class Press {
  constructor(frame) {
    this.held = false
    this.waiting = []
    const down = (event) => {
      if (event.button !== 0) return
      clearTimeout(this.over) // of the press before
      this.held = true
    }
    const over = (event) => {
      if (!this.held) return
      clearTimeout(this.over)
      this.over = setTimeout(() => this.release(), event.pointerType === "mouse" ? 0 : LIFTED)
    }
    const moved = (event) => event.buttons === 0 && over(event) // it was let go where this page was not told
    frame.addEventListener("pointerdown", down, true)
    const listeners = { pointerup: over, pointercancel: over, pointermove: moved }
    for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, true)
    this.end = () => {
      this.waiting = []
      for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener, true)
    }
  }

  release() {
    this.held = false
    for (const work of this.waiting.splice(0)) work()
  }

  // Work that draws the desk anew: now, or in its order as soon as nothing is held down.
  after(work) {
    if (this.held) this.waiting.push(work)
    else work()
  }
}
