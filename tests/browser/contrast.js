// Every text and mark on the screen whose contrast with what is behind it is too low: 4.5 for text, 3 for icons and the
// edges of buttons that answer (WCAG 2.2, 1.4.3 and 1.4.11). What is switched off is left out, as there.
() => {
  const parse = (color) => {
    const numbers = (color.match(/-?[\d.]+(e-?\d+)?/g) ?? []).map(Number)
    if (color.startsWith("color(srgb")) return [...numbers.slice(0, 3).map((one) => one * 255), numbers[3] ?? 1]
    return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0, numbers[3] ?? 1]
  }
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1]
  const up = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b)
    return (high + 0.05) / (low + 0.05)
  }
  // Whether what is in an element lies out of it, as the value of a slider does out of its handle.
  const beside = (inner, outer) => {
    const [one, other] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()]
    return getComputedStyle(inner).position === "absolute" && (one.bottom <= other.top || one.top >= other.bottom)
  }
  const behind = (node) => {
    const layers = []
    let fade = 1
    for (let at = node, below = null; at; below = at, at = up(at)) {
      const style = getComputedStyle(at)
      fade *= Number(style.opacity)
      const [r, g, b, a] = parse(style.backgroundColor)
      if (a === 0 || (below && beside(below, at))) continue
      layers.push([r, g, b, a])
      if (a === 1) break
    }
    return [layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255, 1]), fade]
  }
  const off = (node) => {
    for (let at = node; at; at = up(at)) if (at.disabled || at.getAttribute("aria-disabled") === "true" || at.inert) return true
    return false
  }
  const seen = (node, box) => box.width > 1 && box.height > 1 && node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const found = []
  const judge = (node, color, least, what) => {
    const [ground, fade] = behind(node)
    const [r, g, b, a] = parse(color)
    const ratio = contrast(over([r, g, b, a * fade], ground), ground)
    if (ratio < least - 0.005) found.push(`${ratio.toFixed(2)} ${what}`)
  }
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot)
      if (off(node) || ["STYLE", "SCRIPT", "NOSCRIPT", "OPTION"].includes(node.tagName)) continue
      const box = node.getBoundingClientRect()
      if (!seen(node, box)) continue
      const style = getComputedStyle(node)
      const text = [...node.childNodes].filter((one) => one.nodeType === 3).map((one) => one.data).join("").trim()
      const hidden = style.clipPath.startsWith("inset(50%)") || style.clip === "rect(0px, 0px, 0px, 0px)" || box.right < 0 || up(node)?.matches(".unseen *")
      if (text && !hidden && !node.closest(".barlayer, .cartesianlayer .plot")) {
        const glyph = node.matches('[data-testid="stIconMaterial"]')
        judge(node, node instanceof SVGElement ? style.fill : style.color, glyph ? 3 : 4.5, `${node.tagName}.${node.className?.baseVal ?? node.className} “${text.slice(0, 40)}”`)
      }
      if (node.matches("button.accept, button.reject, button.fix, button.unsure")) judge(node, style.borderTopColor, 3, `edge of ${node.textContent}`)
      if (node.matches(".desk svg.icon")) judge(node, style.color, 3, `icon in ${node.parentElement.textContent.slice(0, 30)}`)
      if (node.matches("input, textarea") && node.placeholder && !node.value) judge(node, getComputedStyle(node, "::placeholder").color, 4.5, `placeholder “${node.placeholder}”`)
    }
  }
  walk(document)
  return [...new Set(found)]
}
