// Copies the address of the page, which holds what the page shows: run, filters, view, the open number.

const LABEL = "Copy link"
const SAID = 2000 // milliseconds that "Copied" stands

export default function link({ parentElement }) {
  if (parentElement.querySelector("button")) return
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = LABEL
  button.style.cssText =
    "font: .875rem var(--st-font); color: var(--st-text-color); background: none; border: 0; padding: .4rem .25rem; cursor: pointer"
  const say = (words) => {
    button.textContent = words
    setTimeout(() => (button.textContent = LABEL), SAID)
  }
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href)
      say("Copied")
    } catch {
      say("Copy it from the address bar") // the browser lets no page write there
    }
  })
  button.setAttribute("aria-live", "polite")
  parentElement.append(button)
}
