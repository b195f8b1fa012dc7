// How a desk fits the screen. Wide: two columns, on a page that scrolls. Else the desk is one frame, as high as what is
// left of the screen: the text, below it what is judged and the answers, and the rest in a sheet. Tall: there is room for
// the sheet at all times. Low: text and answers side by side, for a telephone that is held across.

const WIDE = 52 // rem, as are all that follow
const LOW = 36
const TALL = 60
const BESIDE = 28 // width from which text and answers fit side by side
const LEAST = 24 // height of the frame
const ABOVE = 4.5 // Streamlit's header, which stays when the page scrolls

const pageOf = (frame) => frame.getRootNode().host?.closest('[data-testid="stMain"]') ?? document.scrollingElement

function fitOf(frame) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
  const seen = window.visualViewport // without the keyboard of a telephone
  const left = `${Math.max(0, frame.getBoundingClientRect().left - 24)}px` // what lies over the desk begins here
  const screen = seen ? seen.height * seen.scale : window.innerHeight
  const top = frame.getBoundingClientRect().top + pageOf(frame).scrollTop
  const [width, height] = [frame.clientWidth / rem, screen / rem]
  const room = Math.round(Math.max(screen - top, Math.min(LEAST * rem, screen - ABOVE * rem)))
  if (width > WIDE && height > LOW) return { kind: "wide", room: `${room}px`, left }
  const kind = height >= TALL ? "tall" : height <= LOW && width >= BESIDE ? "low" : "phone"
  return { kind, room: `${room}px`, left }
}

// Where the desk is one frame, all of it is on the screen when an item comes.
function bringIntoView(frame) {
  const page = pageOf(frame)
  const beyond = frame.getBoundingClientRect().bottom - page.getBoundingClientRect().bottom
  if (beyond > 0) page.scrollTop += beyond
}

// Work whenever the screen or the desk's place on it has changed. Answers how to stop that.
function watchFit(frame, work) {
  let width = 0
  const place = new ResizeObserver(() => {
    if (frame.clientWidth === width) return // its height is what we set
    width = frame.clientWidth
    work()
  })
  place.observe(frame)
  const sources = [window, window.visualViewport].filter(Boolean)
  for (const source of sources) source.addEventListener("resize", work)
  return () => {
    place.disconnect()
    for (const source of sources) source.removeEventListener("resize", work)
  }
}

// Work whenever something else may be in sight: a part of the desk was scrolled, the page, or the screen has changed.
function watchMoves(frame, work) {
  const sources = [[frame, "scroll"], [window, "scroll"], [window, "resize"]]
  for (const [source, type] of sources) source.addEventListener(type, work, true)
  return () => {
    for (const [source, type] of sources) source.removeEventListener(type, work, true)
  }
}
