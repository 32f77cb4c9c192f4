// What the other scripts stand on: reading the DOM, and what ARIA makes of it. All three are joined into one function
// that runs in an isolated world of every frame, so a page can neither see it nor change what it reads.
// Built-ins that a page can shadow by naming a form field or an image after them (DOM clobbering reaches isolated
// worlds too) are taken from their prototypes once, before any of the page's markup exists.
const getter = (proto, name) => {
  const get = Object.getOwnPropertyDescriptor(proto, name).get;
  return (node) => get.call(node);
};
const method = (proto, name) => {
  const f = proto[name];
  return (node, ...args) => f.apply(node, args);
};
const tagOf = getter(Element.prototype, "localName");
const parentOf = getter(Node.prototype, "parentNode");
const firstOf = getter(Node.prototype, "firstChild");
const nextOf = getter(Node.prototype, "nextSibling");
const typeOf = getter(Node.prototype, "nodeType");
const connected = getter(Node.prototype, "isConnected");
const rootOf = method(Node.prototype, "getRootNode");
const shadowOf = getter(Element.prototype, "shadowRoot");
const slotOf = getter(Element.prototype, "assignedSlot");
const textSlotOf = getter(Text.prototype, "assignedSlot");
const assigned = method(HTMLSlotElement.prototype, "assignedNodes");
const idAttr = getter(Element.prototype, "id");
const attr = method(Element.prototype, "getAttribute");
const has = method(Element.prototype, "hasAttribute");
const matches = method(Element.prototype, "matches");
const closest = method(Element.prototype, "closest");
const boxOf = method(Element.prototype, "getBoundingClientRect");
const rectsOf = method(Element.prototype, "getClientRects");
const queryAll = method(Element.prototype, "querySelectorAll");
const shown = method(Element.prototype, "checkVisibility");
const nextElement = getter(Element.prototype, "nextElementSibling");
const firstElementOf = { e: getter(Element.prototype, "firstElementChild"), f: getter(DocumentFragment.prototype, "firstElementChild") };
const hasElements = (el) => firstElementOf.e(el) !== null || shadowOf(el) !== null;
const firstElement = (node) => (typeOf(node) === 1 ? firstElementOf.e(node) : firstElementOf.f(node));
const textOf = getter(Node.prototype, "textContent");
const innerTextOf = getter(HTMLElement.prototype, "innerText");
const editable = getter(HTMLElement.prototype, "isContentEditable");
const hitDocument = method(Document.prototype, "elementFromPoint");
const hitShadow = method(ShadowRoot.prototype, "elementFromPoint");
const activeOf = { d: getter(Document.prototype, "activeElement"), s: getter(ShadowRoot.prototype, "activeElement") };
const byIdDocument = method(Document.prototype, "getElementById");
const byIdShadow = method(DocumentFragment.prototype, "getElementById");
const rootElement = getter(Document.prototype, "documentElement");
const animationsOf = method(Document.prototype, "getAnimations");
const newRange = method(Document.prototype, "createRange");
const readyOf = getter(Document.prototype, "readyState");
const titleOf = getter(Document.prototype, "title");
const scrollingOf = getter(Document.prototype, "scrollingElement");
const bodyOf = getter(Document.prototype, "body");
const clientHeightOf = getter(Element.prototype, "clientHeight");
const clientWidthOf = getter(Element.prototype, "clientWidth");
const scrollHeightOf = getter(Element.prototype, "scrollHeight");
const scrollWidthOf = getter(Element.prototype, "scrollWidth");
const doc = document;
const style = (el, pseudo) => getComputedStyle(el, pseudo);

const PLAIN = { visibilityProperty: true, checkVisibilityCSS: true, opacityProperty: true };
const VISIBLE = { visibilityProperty: true, checkVisibilityCSS: true };
const SKIP = new Set(["script", "style", "noscript", "template", "head", "meta", "link", "title", "base", "option",
  "optgroup", "datalist", "defs", "symbol", "clippath", "mask"]);
const REPLACED = new Set(["img", "canvas", "video", "iframe", "embed", "object", "svg"]);
const ACTION_ROLES = new Set(["button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox",
  "menuitemradio", "option", "combobox", "textbox", "searchbox", "slider", "spinbutton", "treeitem"]);
// What swallows weaker evidence inside it: the icon in a button is no mark of its own.
const SWALLOWS = new Set(["button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox",
  "menuitemradio", "option", "textbox", "searchbox", "slider", "spinbutton"]);
const FROM_CONTENT = new Set(["button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox",
  "menuitemradio", "option", "treeitem", "clickable", "cell", "gridcell", "row", "columnheader", "rowheader", "heading"]);
const TEXT_INPUTS = new Set(["text", "search", "email", "url", "tel", "password", "number", "date", "time", "month",
  "week", "datetime-local"]);
const SET_INPUTS = new Set(["range", "color", "date", "time", "month", "week", "datetime-local"]);
const MAX_NODES = 60000;
const MAX_NAMED = 1500;
const MAX_ROW = 240;

const fold = (text) => (text || "").replace(/[\s\u200b\u00a0]+/g, " ").trim();
const cut = (text, n) => (text.length > n ? text.slice(0, n - 1) + "…" : text);
const html = (el) => el instanceof HTMLElement;

// --- identity: stable while the document lives, and nothing is written to the page --------------------------
const ids = new WeakMap();
let nextId = 1;
let held = new Map();
function hold(el) {
  let id = ids.get(el);
  if (!id) { id = nextId++; ids.set(el, id); }
  held.set(id, el);
  return id;
}
const heldElement = (id) => {
  const el = held.get(id);
  return el && connected(el) ? el : null;
};

const listeners = new WeakSet();
const listening = (...elements) => { for (const el of elements) listeners.add(el); };

// --- the flat tree ------------------------------------------------------------------------------------------
function* children(node) {
  if (typeOf(node) === 1) {
    const shadow = shadowOf(node);
    if (shadow) { yield* children(shadow); return; }
    if (tagOf(node) === "slot") {
      const nodes = assigned(node);
      if (nodes.length) { yield* nodes; return; }
    }
  }
  for (let c = firstOf(node); c; c = nextOf(c)) yield c;
}
function flatParent(node) {
  const slot = typeOf(node) === 1 ? slotOf(node) : typeOf(node) === 3 ? textSlotOf(node) : null;
  if (slot) return slot;
  const parent = parentOf(node);
  return parent && parent instanceof ShadowRoot ? parent.host : parent;
}
function within(node, ancestor) {
  for (let n = node; n; n = flatParent(n)) if (n === ancestor) return true;
  return false;
}
function deepHit(x, y) {
  let el = hitDocument(doc, x, y);
  for (;;) {
    const shadow = el && shadowOf(el);
    const inner = shadow && hitShadow(shadow, x, y);
    if (!inner || inner === el) return el;
    el = inner;
  }
}
function focusedElement() {
  let el = activeOf.d(doc);
  for (;;) {
    const shadow = el && shadowOf(el);
    const inner = shadow && activeOf.s(shadow);
    if (!inner) return el;
    el = inner;
  }
}
// --- rows: what is written around one of several elements that are called the same ---------------------------
const ENTRY = "li,article,tr,[role=listitem],[role=article],[role=comment],[role=row]";
const HEADING = "h1,h2,h3,h4,h5,h6,header,[role=heading]";
const isEntry = (node) => typeOf(node) === 1 && matches(node, ENTRY);
// Its row is the largest part of the page that holds none of the others, with what heads it: what stands before that
// part, back to another one or to where its entry begins. `others` may be its neighbours in the document alone.
function rowWords(el, others) {
  const taken = new Set();
  for (const other of others) for (let n = other; n; n = flatParent(n)) taken.add(n);
  let row = el;
  for (let up = flatParent(row); up && !taken.has(up); up = flatParent(row)) row = up;
  const before = headOf(row, taken);
  return cut(fold(`${wordsOf(before, el, MAX_ROW / 2)} ${wordsOf([row], el, MAX_ROW)}`), MAX_ROW);
}
function headOf(row, taken) {
  let head = [], nearest = null;
  for (let part = row; !isEntry(part); part = flatParent(part)) {
    const parent = flatParent(part);
    if (!parent) break;
    let before = [], first = true;
    for (const child of children(parent)) {
      if (child === part) break;
      if (taken.has(child)) { before = []; first = false; } else before.push(child);
    }
    head = [...before, ...head];
    nearest ||= before;
    if (!first || isEntry(parent)) return head;
  }
  // In no entry, and the first of all: much stands before it that is not about it.
  const heads = (nearest || []).map((node) => typeOf(node) === 1 && matches(node, HEADING));
  return heads.includes(true) ? nearest.slice(heads.lastIndexOf(true)) : [];
}
// The first visible words of some nodes, without those of one element and of what is typed into.
function wordsOf(nodes, apart, most) {
  let found = "", more = false;
  const gap = () => { if (!found.endsWith(" ")) found += " "; };
  const read = (some) => {
    for (const node of some) {
      if (found.length > most + 1) { more = true; return; }
      if (typeOf(node) === 3) found += node.data.replace(/\s+/g, " ");
      if (typeOf(node) !== 1 || node === apart) continue;
      const tag = tagOf(node);
      if (SKIP.has(tag) || tag === "textarea" || !isVisible(node)) continue;
      const inline = style(node).display === "inline" && tag !== "br";
      if (!inline) gap();
      read(children(node));
      if (!inline) gap();
    }
  };
  read(nodes);
  // What was left out is told also where folding brings the rest below the limit.
  const words = fold(found);
  return more && words.length <= most ? `${words.slice(0, most - 1)}…` : cut(words, most);
}
const elementById = (root, id) =>
  root instanceof ShadowRoot ? byIdShadow(root, id) : root instanceof Document ? byIdDocument(root, id) : null;
const labelControl = (el) => (el instanceof HTMLLabelElement ? el.control : null);
const labelsOf = (el) => ("labels" in el && el.labels ? [...el.labels] : []);
const isVisible = (el) => shown(el, VISIBLE) || style(el).display === "contents";
const inputType = (el) => (el instanceof HTMLInputElement ? el.type : "");
const isDisabled = (el) => matches(el, ":disabled") || attr(el, "aria-disabled") === "true" ||
  (!!closest(el, "[aria-disabled='true']") && !matches(el, "a[href]"));

// --- names, as ARIA computes them ---------------------------------------------------------------------------
function references(el, name) {
  const value = attr(el, name);
  if (!value) return [];
  const root = rootOf(el);
  return value.split(/\s+/).map((id) => id && elementById(root, id)).filter(Boolean);
}
function selectedText(el) {
  return [...el.selectedOptions].map((o) => fold(o.label)).join(", ");
}
function embedded(el) {
  if (el instanceof HTMLSelectElement) return selectedText(el);
  if (el instanceof HTMLTextAreaElement) return el.value;
  const type = inputType(el);
  if (["submit", "button", "reset"].includes(type)) return el.value;
  if (type === "password") return "";
  return TEXT_INPUTS.has(type) || type === "range" ? el.value : "";
}
// `named`: inside what aria-labelledby names, where ARIA follows it no further (a label may name what it holds).
function content(node, skip, named) {
  let out = "";
  for (const child of children(node)) {
    const type = typeOf(child);
    if (type === 3) { out += child.data; continue; }
    if (type !== 1 || child === skip || SKIP.has(tagOf(child))) continue;
    if (attr(child, "aria-hidden") === "true" || !isVisible(child)) continue;
    const tag = tagOf(child);
    if (tag === "br") { out += " "; continue; }
    let inner = fold(attr(child, "aria-label"));
    if (!inner && !named) inner = fold(references(child, "aria-labelledby").map((r) => content(r, null, true)).join(" "));
    if (!inner && tag === "img") inner = fold(attr(child, "alt"));
    else if (!inner && tag === "svg") inner = svgTitle(child);
    else if (!inner && (tag === "input" || tag === "select" || tag === "textarea")) inner = " " + embedded(child) + " ";
    else if (!inner) inner = content(child, skip, named);
    if (!inner.trim() && has(child, "title")) inner = attr(child, "title");
    if (inner) out += style(child).display.startsWith("inline") && tag !== "img" ? inner : " " + inner + " ";
  }
  return out;
}
function svgTitle(svg) {
  for (let c = firstOf(svg); c; c = nextOf(c)) if (typeOf(c) === 1 && tagOf(c) === "title") return fold(textOf(c));
  return "";
}
function nameOf(el, role) {
  const by = fold(references(el, "aria-labelledby").map((r) => fold(attr(r, "aria-label")) || content(r, el, true) || embedded(r)).join(" "));
  if (by) return by;
  const label = fold(attr(el, "aria-label"));
  if (label) return label;
  const tag = tagOf(el);
  const type = inputType(el);
  if (type === "submit" || type === "button" || type === "reset") {
    return fold(el.value) || fold(attr(el, "title")) || { submit: "Submit", reset: "Reset", button: "" }[type];
  }
  if (type === "image") return fold(attr(el, "alt")) || fold(attr(el, "value")) || fold(attr(el, "title")) || "Submit";
  if (tag === "input" || tag === "select" || tag === "textarea" || tag === "button") {
    const labels = fold(labelsOf(el).map((l) => fold(attr(l, "aria-label")) || content(l, el)).join(" "));
    if (labels) return labels;
  }
  if (tag === "img" || tag === "area") { const alt = fold(attr(el, "alt")); if (alt) return alt; }
  if (tag === "svg") { const t = svgTitle(el); if (t) return t; }
  if (FROM_CONTENT.has(role) && tag !== "input" && tag !== "select" && tag !== "textarea" && !(html(el) && has(el, "contenteditable"))) {
    const inside = fold(content(el, null));
    if (inside) return inside;
  }
  return fold(attr(el, "title")) || fold(attr(el, "placeholder")) || fold(attr(el, "aria-placeholder")) || fold(attr(el, "data-placeholder"));
}

// --- what an element is -------------------------------------------------------------------------------------
function explicitRole(el) {
  const value = attr(el, "role");
  if (!value) return "";
  const role = value.trim().toLowerCase().split(/\s+/)[0];
  return role === "presentation" || role === "none" || role === "generic" ? "" : role;
}
function nativeRole(el) {
  switch (tagOf(el)) {
    case "a": case "area": return has(el, "href") || has(el, "xlink:href") ? "link" : "";
    case "button": return "button";
    case "summary": return "button";
    case "textarea": return "textbox";
    case "select": return el.multiple || el.size > 1 ? "listbox" : "combobox";
    case "input": {
      const type = inputType(el);
      if (type === "hidden") return "";
      if (["submit", "button", "reset", "image", "file", "color"].includes(type)) return "button";
      if (type === "checkbox" || type === "radio") return type;
      if (type === "range") return "slider";
      if (type === "number") return "spinbutton";
      if (has(el, "list")) return "combobox";
      return type === "search" ? "searchbox" : "textbox";
    }
  }
  if (html(el) && has(el, "contenteditable") && editable(el)) return "textbox";
  return "";
}
function roleOf(el) {
  const native = nativeRole(el);
  return explicitRole(el) || native;
}
function statesOf(el, role) {
  const out = [];
  const aria = (name) => attr(el, "aria-" + name);
  if (isDisabled(el)) out.push("disabled");
  const type = inputType(el);
  if (type === "checkbox" || type === "radio") {
    out.push(el.indeterminate ? "mixed" : el.checked ? "checked" : "unchecked");
  } else if (aria("checked")) {
    out.push({ true: "checked", mixed: "mixed" }[aria("checked")] || "unchecked");
  }
  if (aria("selected") === "true") out.push("selected");
  let expanded = aria("expanded");
  if (tagOf(el) === "summary" && parentOf(el) && tagOf(parentOf(el)) === "details") expanded = String(has(parentOf(el), "open"));
  if (expanded === "true") out.push("expanded");
  if (expanded === "false") out.push("collapsed");
  if (focusedElement() === el) out.push("focused");
  if (("readOnly" in el && el.readOnly === true && type !== "checkbox" && type !== "radio") || aria("readonly") === "true") out.push("readonly");
  if (("required" in el && el.required === true) || aria("required") === "true") out.push("required");
  if (aria("pressed") === "true") out.push("pressed");
  if ((aria("invalid") && aria("invalid") !== "false") || (isUserInvalid(el))) out.push("invalid");
  if (aria("current") && aria("current") !== "false") out.push("current");
  if ((el instanceof HTMLSelectElement && el.multiple) || aria("multiselectable") === "true") out.push("multiselect");
  if (scrolls(el)) out.push("scrollable");
  return out;
}
const isUserInvalid = (el) => tagOf(el) !== "form" && tagOf(el) !== "fieldset" && matches(el, ":user-invalid");
// Sizes first: computed styles cost more than all the rest.
function scrolls(el) {
  const height = clientHeightOf(el), width = clientWidthOf(el);
  const down = height >= 24 && scrollHeightOf(el) - height > 4;
  const across = width >= 24 && scrollWidthOf(el) - width > 4 && tagOf(el) !== "input";
  if (!down && !across) return false;
  const css = style(el);
  return (down && /auto|scroll/.test(css.overflowY)) || (across && /auto|scroll/.test(css.overflowX));
}
function valueOf(el, role) {
  const tag = tagOf(el);
  if (tag === "select") return cut(selectedText(el), 500);
  if (tag === "textarea") return cut(el.value, 2000);
  if (tag === "input") {
    const type = inputType(el);
    if (type === "password") return "•".repeat(el.value.length);
    if (["checkbox", "radio", "submit", "button", "reset", "image"].includes(type)) return "";
    if (type === "file") return [...el.files].map((f) => f.name).join(", ");
    return cut(el.value, 2000);
  }
  if (html(el) && has(el, "contenteditable") && editable(el)) return cut(innerTextOf(el).trim(), 2000);
  const aria = attr(el, "aria-valuetext") || attr(el, "aria-valuenow");
  if (aria) return fold(aria);
  if (role === "combobox" && html(el)) return cut(fold(innerTextOf(el)), 200);
  return "";
}
// Position of each child among those of its kind; kept for one look, as counting anew for each is quadratic.
let counted = new Map();
function places(parent) {
  let of = counted.get(parent);
  if (!of) {
    counted.set(parent, (of = new Map()));
    const kinds = new Map();
    for (let c = firstElement(parent); c; c = nextElement(c)) {
      const kind = tagOf(c);
      const n = (kinds.get(kind) || 0) + 1;
      kinds.set(kind, n);
      of.set(c, n);
    }
  }
  return of;
}
function cssPath(el) {
  const root = rootOf(el);
  const parts = [];
  for (let n = el; n && typeOf(n) === 1; n = parentOf(n)) {
    const id = idAttr(n);
    if (id && /^[A-Za-z][\w-]*$/.test(id) && elementById(root, id) === n) { parts.unshift("#" + id); break; }
    if (n === rootElement(doc)) break;
    parts.unshift(`${tagOf(n)}:nth-of-type(${places(parentOf(n)).get(n)})`);
  }
  const path = parts.join(" > ");
  return root instanceof ShadowRoot ? cssPath(root.host) + " >>> " + path : path;
}
