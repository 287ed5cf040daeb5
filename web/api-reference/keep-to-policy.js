// Scalar writes styles in ways that our Content-Security-Policy forbids. This code writes the same styles in allowed
// ways: constructed style sheets, and properties set one by one. The policy stays strict.
;(() => {
  // Otherwise its form checks would test whether text may become code.
  globalThis.__zod_globalConfig = { jitless: true }

  const adopt = (element) => {
    const sheet = new CSSStyleSheet()
    // Adopted sheets follow the page's own. In a layer they give way to `look.css` all the same.
    sheet.replaceSync(`@layer scalar { ${element.textContent} }`)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return element
  }
  for (const name of ['appendChild', 'insertBefore']) {
    const insert = Node.prototype[name]
    Node.prototype[name] = function (node, ...rest) {
      return node instanceof HTMLStyleElement ? adopt(node) : insert.call(this, node, ...rest)
    }
  }

  const setAttribute = Element.prototype.setAttribute
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'style' && this.style) this.style.cssText = value
    else setAttribute.call(this, name, value)
  }

  // In markup the attribute has another name. Its properties are set once the element exists.
  const carried = 'data-carried-style'
  const inner = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...inner,
    set(markup) {
      inner.set.call(this, String(markup).replaceAll(/(<[a-z][^<>]*?\s)style(=["'])/gi, `$1${carried}$2`))
      for (const element of (this.content ?? this).querySelectorAll(`[${carried}]`)) {
        element.style.cssText = element.getAttribute(carried)
        element.removeAttribute(carried)
      }
    },
  })
})()
