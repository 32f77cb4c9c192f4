// The eyes: runs in an isolated world of every frame, so a page can neither see it nor change what it reads.
// Built-ins that a page can shadow by naming a form field or an image after them (DOM clobbering reaches isolated
// worlds too) are taken from their prototypes once, before any of the page's markup exists.
(() => {
  if (globalThis.guideact) return;
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
  function content(node, skip) {
    let out = "";
    for (const child of children(node)) {
      const type = typeOf(child);
      if (type === 3) { out += child.data; continue; }
      if (type !== 1 || child === skip || SKIP.has(tagOf(child))) continue;
      if (attr(child, "aria-hidden") === "true" || !isVisible(child)) continue;
      const tag = tagOf(child);
      if (tag === "br") { out += " "; continue; }
      let inner = fold(attr(child, "aria-label"));
      if (!inner) inner = fold(references(child, "aria-labelledby").map((r) => content(r, null)).join(" "));
      if (!inner && tag === "img") inner = fold(attr(child, "alt"));
      else if (!inner && tag === "svg") inner = svgTitle(child);
      else if (!inner && (tag === "input" || tag === "select" || tag === "textarea")) inner = " " + embedded(child) + " ";
      else if (!inner) inner = content(child, skip);
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
    const by = fold(references(el, "aria-labelledby").map((r) => fold(attr(r, "aria-label")) || content(r, el) || embedded(r)).join(" "));
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
  const isNativeControl = (el) => ["input", "select", "textarea", "button", "a", "area", "summary"].includes(tagOf(el));
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

  // --- where it can be reached --------------------------------------------------------------------------------
  const clipRect = (r, c) => {
    const x0 = Math.max(r.left, c[0]), y0 = Math.max(r.top, c[1]);
    const x1 = Math.min(r.right, c[2]), y1 = Math.min(r.bottom, c[3]);
    return x1 - x0 >= 1 && y1 - y0 >= 1 ? [x0, y0, x1, y1] : null;
  };
  const MESH = [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8], [0.08, 0.1], [0.92, 0.1], [0.08, 0.9], [0.92, 0.9]];
  function* probes(el, clip, box) {
    const whole = clipRect(box || boxOf(el), clip);
    // A wrapped link has an empty middle: the rectangles of its lines come first. What fits on one line has one.
    const rects = (box || boxOf(el)).height > 24 ? rectsOf(el) : [];
    if (rects.length > 1) {
      for (const r of rects) {
        const c = clipRect(r, clip);
        if (c) yield [(c[0] + c[2]) / 2, (c[1] + c[3]) / 2];
      }
    }
    if (!whole) return;
    for (const [fx, fy] of MESH) yield [whole[0] + (whole[2] - whole[0]) * fx, whole[1] + (whole[3] - whole[1]) * fy];
  }
  function reaches(el, x, y) {
    for (let n = deepHit(x, y); n; n = flatParent(n)) {
      if (n === el) return true;
      if (typeOf(n) === 1 && labelControl(n) === el) return true;
    }
    return false;
  }
  const viewportClip = () => [0, 0, innerWidth, innerHeight];

  // --- one look -----------------------------------------------------------------------------------------------
  function see(clip, wantGhosts, ...owners) {
    held = new Map();
    counted = new Map();
    const area = clip || viewportClip();
    const records = [];
    const byElement = new Map();
    const lines = [];
    let visited = 0, truncated = false, named = 0;
    const ghosts = [];
    const range = newRange(doc);
    const bodyArea = innerWidth * innerHeight;

    function add(el, role, strength, inside) {
      const record = { el, role, strength, inside, owns: 0, pointer: false };
      byElement.set(el, record);
      records.push(record);
      return record;
    }
    function walk(el, up) {
      if (++visited > MAX_NODES) { truncated = true; return; }
      const tag = tagOf(el);
      if (SKIP.has(tag)) return;
      const box = boxOf(el);
      const outside = box.right <= area[0] || box.bottom <= area[1] || box.left >= area[2] || box.top >= area[3];
      if (outside && tag === "tr") { if (wantGhosts) ghostsIn(el); return; }
      const css = style(el);
      const plain = !up.clear && shown(el, PLAIN);
      if (!plain && css.display === "none") {
        // A control that is drawn by its label alone is still a control.
        if (tag === "input" && labelsOf(el).length && ["checkbox", "radio", "file"].includes(inputType(el))) add(el, roleOf(el), 3, null);
        return;
      }
      const seen = plain || css.visibility === "visible";
      const clear = !plain && (up.clear || css.opacity === "0");
      let owner = up.owner;
      const swallowed = owner && owner.strength === 3 && SWALLOWS.has(owner.role);
      let pointer = up.pointer;
      if (el !== rootElement(doc) && tag !== "body") {
        const explicit = explicitRole(el);
        const native = nativeRole(el);
        const role = explicit || native;
        let strength = 0;
        const strong = native || ACTION_ROLES.has(role);
        if (!swallowed && !(strong && SWALLOWS.has(role))) pointer = css.cursor === "pointer";
        if (native || ACTION_ROLES.has(role)) strength = 3;
        else if (has(el, "tabindex") && el.tabIndex >= 0) strength = 2;
        else if (listeners.has(el)) strength = box.width * box.height < bodyArea * 0.5 ? 2 : 0;
        else if (pointer && !up.pointer) strength = 1;
        if (strength && strength < 3 && (tag === "label" && labelControl(el))) strength = 0;
        if (strength && strength < 3 && swallowed) strength = 0;
        const canScroll = seen && !outside && box.width >= 40 && box.height >= 40 && scrolls(el);
        const transparent = clear && tag !== "input" && tag !== "select" && tag !== "textarea";
        if (strength && seen && !transparent) {
          if (outside) {
            if (strength === 3 && wantGhosts && box.width) ghosts.push([el, role]);
          } else {
            const record = add(el, role || "clickable", strength, owner);
            record.pointer = pointer;
            record.box = box;
            for (let r = owner; r; r = r.inside) r.owns++;
            owner = record;
          }
        } else if (canScroll) {
          add(el, explicit || "region", 0, null);
        }
      }
      if (tag === "select" || tag === "textarea" || tag === "input" || tag === "iframe") return;
      const shadow = shadowOf(el);
      if (shadow) watch(shadow);
      const inline = css.display.startsWith("inline") || css.display === "contents";
      const block = inline ? up.block : { line: null };
      if (!inline) up.block.line = null;
      const down = { owner, pointer, clear, block, cell: up.cell || tag === "td" || tag === "th" || /^(cell|gridcell|columnheader|rowheader)$/.test(attr(el, "role") || "") };
      const boxed = css.display === "inline-block" || css.display === "inline-flex";
      if (boxed && up.block.line) up.block.line.parts.push(" ");
      for (const child of children(el)) {
        const type = typeOf(child);
        if (type === 1) walk(child, down);
        else if (type === 3 && seen && !clear && !outside) text(child, el, down);
      }
      if (tag === "br") up.block.line = null;
      if (!inline) up.block.line = null;
      else if (boxed && up.block.line) up.block.line.parts.push(" ");
    }
    function ghostsIn(el) {
      for (const e of queryAll(el, "a[href],button,input,select,textarea,[role]")) {
        const role = roleOf(e);
        if (ACTION_ROLES.has(role)) ghosts.push([e, role]);
      }
    }
    function text(node, parent, down) {
      const data = node.data;
      if (!data.trim()) { if (down.block.line) down.block.line.parts.push(" "); return; }
      range.selectNodeContents(node);
      const rects = range.getClientRects();
      let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity, cutOff = false;
      for (const r of rects) {
        const c = clipRect(r, area);
        if (!c) { if (r.width >= 1) cutOff = true; continue; }
        x0 = Math.min(x0, c[0]); y0 = Math.min(y0, c[1]); x1 = Math.max(x1, c[2]); y1 = Math.max(y1, c[3]);
      }
      if (x1 === -Infinity) return;
      // A link is part of its sentence; a button's words are not part of the text around it.
      const apart = down.owner && down.owner.role !== "link" && down.owner.strength === 3 ? down.owner : null;
      let line = down.block.line;
      if (line && line.apart !== apart) line = null;
      if (!line) { line = down.block.line = { parts: [], box: [x0, y0, x1, y1], free: false, parent, at: null, apart }; lines.push(line); }
      line.parts.push(cutOff ? visiblePart(node) : data);
      const b = line.box;
      line.box = [Math.min(b[0], x0), Math.min(b[1], y0), Math.max(b[2], x1), Math.max(b[3], y1)];
      if (!line.at) { const c = clipRect(rects[0], area) || [x0, y0, x1, y1]; line.at = [(c[0] + c[2]) / 2, (c[1] + c[3]) / 2]; }
      if (!down.owner || down.owner.strength < 3 || down.cell || !SWALLOWS.has(down.owner.role)) line.free = true;
    }
    function visiblePart(node) {
      const out = [];
      for (const word of node.data.matchAll(/\S+\s*/g)) {
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        if (clipRect(range.getBoundingClientRect(), area)) out.push(word[0]);
      }
      return out.join("");
    }
    walk(rootElement(doc), { owner: null, pointer: false, clear: false, block: { line: null }, cell: false });

    // Nearest record of whatever is hit; a label stands for its control.
    const nearest = (x, y) => {
      for (let n = deepHit(x, y); n; n = flatParent(n)) {
        const record = byElement.get(n);
        if (record && record.strength) return record;
        const control = typeOf(n) === 1 && labelControl(n);
        if (control && byElement.has(control)) return byElement.get(control);
      }
      return null;
    };
    const kept = [];
    for (const record of records) {
      const { el, strength } = record;
      // A container whose parts are marked needs no mark itself, unless it looks clickable on its own.
      if (strength === 1 && record.owns) continue;
      if (strength === 2 && record.owns && !record.pointer && !has(el, "tabindex")) continue;
      let shape = el;
      let points = [];
      const good = (x, y) => (strength ? nearest(x, y) === record : within(deepHit(x, y), el));
      const collect = (e) => {
        for (const [x, y] of probes(e, area, e === el ? record.box : null)) {
          if (good(x, y)) { points.push([x, y]); if (points.length >= (clip ? 4 : 1)) break; }
        }
      };
      collect(el);
      if (["checkbox", "radio", "file"].includes(inputType(el))) {
        const own = boxOf(el);
        if (!points.length || own.width < 4 || own.height < 4) {
          points = [];
          for (const label of labelsOf(el)) {
            if (!isVisible(label)) continue;
            collect(label);
            if (points.length) { shape = label; break; }
          }
        }
      }
      if (!points.length) continue;
      record.points = points;
      record.shape = shape;
      kept.push(record);
    }
    const seenNames = new Map();
    const ordinals = new Map();
    const everyone = kept.filter((r) => r.strength).map((r) => [r.el, r.role, r]).concat(ghosts.slice(0, MAX_NAMED).map((g) => [g[0], g[1], null]));
    everyone.sort((a, b) => (a[0] === b[0] ? 0 : a[0].compareDocumentPosition(b[0]) & 4 ? -1 : 1));
    for (const [el, role, record] of everyone) {
      const name = cut(nameOf(el, role), 200);
      const key = role + "\n" + name;
      const n = ordinals.get(key) || 0;
      ordinals.set(key, n + 1);
      if (record) seenNames.set(record, [name, n]);
    }
    const candidates = kept.map((record) => {
      const { el, role, shape, points } = record;
      const [name, ordinal] = seenNames.get(record) || [cut(nameOf(el, role), 200), 0];
      const r = clipRect(shape === el && record.box ? record.box : boxOf(shape), area) || [0, 0, 0, 0];
      const tag = tagOf(el);
      const shownText = tag === "select" || tag === "input" || tag === "textarea" || !html(el) || !record.strength ? "" : cut(fold(hasElements(el) ? innerTextOf(el) : textOf(el)), 200);
      return {
        id: hold(el), role, name, tag, points, text: shownText,
        value: valueOf(el, role), placeholder: fold(attr(el, "placeholder") || attr(el, "aria-placeholder")),
        options: tag === "select" ? [...el.options].filter((o) => !o.hidden).map((o) => fold(o.label)) : [],
        states: statesOf(el, role), box: [r[0], r[1], r[2] - r[0], r[3] - r[1]],
        ordinal, css: cssPath(el),
      };
    });
    const texts = [];
    for (const line of lines) {
      if (!line.free || !line.at) continue;
      const t = fold(line.parts.join(""));
      if (!t || hiddenByOther(line.parent, line.at)) continue;
      const b = line.box;
      texts.push({ text: t, box: [b[0], b[1], b[2] - b[0], b[3] - b[1]] });
    }
    const root = scrollingOf(doc) || rootElement(doc);
    return {
      title: titleOf(doc), candidates, texts, truncated, visited,
      scroll: [scrollX, scrollY, Math.max(0, root.scrollWidth - innerWidth), Math.max(0, root.scrollHeight - innerHeight)],
      frames: owners.map((o) => frameBox(o, area)), prints: takePrints(),
    };
  }
  // Text counts as covered only by something opaque: a transparent link stretched over a card hides nothing.
  function hiddenByOther(parent, [x, y]) {
    const hit = deepHit(x, y);
    if (!hit || within(hit, parent) || within(parent, hit)) return false;
    for (let n = hit; n && !within(parent, n); n = flatParent(n)) {
      if (typeOf(n) !== 1) continue;
      if (REPLACED.has(tagOf(n))) return true;
      const css = style(n);
      if (css.backgroundImage !== "none" || opaque(css.backgroundColor)) return css.opacity !== "0";
    }
    return false;
  }
  function opaque(color) {
    const m = /^rgba?\(([^)]+)\)$/.exec(color);
    if (!m) return color !== "transparent";
    const parts = m[1].split(/[\s,/]+/).filter(Boolean);
    return parts.length < 4 || parseFloat(parts[3]) >= 0.9;
  }
  function frameBox(owner, area) {
    if (!connected(owner) || !isVisible(owner)) return null;
    const b = boxOf(owner);
    const scale = owner.offsetWidth ? b.width / owner.offsetWidth : 1;
    const css = style(owner);
    const left = b.left + (owner.clientLeft + parseFloat(css.paddingLeft)) * scale;
    const top = b.top + (owner.clientTop + parseFloat(css.paddingTop)) * scale;
    const right = left + (owner.clientWidth - parseFloat(css.paddingLeft) - parseFloat(css.paddingRight)) * scale;
    const bottom = top + (owner.clientHeight - parseFloat(css.paddingTop) - parseFloat(css.paddingBottom)) * scale;
    const visible = clipRect({ left, top, right, bottom }, area);
    return visible ? { x: left, y: top, scale, clip: visible } : null;
  }
  const frameHits = (owner, points) => points.map(([x, y]) => deepHit(x, y) === owner);

  // --- quiet --------------------------------------------------------------------------------------------------
  let lastChange = performance.now();
  const observer = new MutationObserver(() => { lastChange = performance.now(); });
  const watched = new WeakSet();
  const roots = new Set();
  function watch(root) {
    if (watched.has(root)) return;
    watched.add(root);
    roots.add(root);
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  }
  function watchShadows(root) {
    for (const el of root === doc ? queryAll(rootElement(doc), "*") : root.querySelectorAll("*")) {
      const shadow = shadowOf(el);
      if (shadow) { watch(shadow); watchShadows(shadow); }
    }
  }
  watch(doc);
  let prints = 0;
  addEventListener("beforeprint", () => { prints++; }, true);
  const takePrints = () => { const n = prints; prints = 0; return n; };
  // Runs finite animations to their end and holds endless ones at their start (the stylesheet does not reach
  // shadow trees or the script-made ones).
  function stillAnimations() {
    watchShadows(doc);
    for (const root of roots) {
      if (root === doc) for (const a of animationsOf(doc)) still(a);
      else if (root.isConnected) for (const a of root.getAnimations()) still(a);
      else roots.delete(root);
    }
    function still(a) {
      const end = a.effect ? a.effect.getComputedTiming().endTime : 0;
      if (a.playState !== "running") return;
      if (end === Infinity) { a.pause(); a.currentTime = 0; } else a.finish();
    }
  }
  function quiet(wait, cap) {
    const start = performance.now();
    return new Promise((resolve) => {
      let frames = 0;
      const report = (calm) => {
        stillAnimations();
        const entry = performance.getEntriesByType("navigation")[0];
        resolve({ calm, status: entry ? entry.responseStatus || 0 : 0, ready: readyOf(doc) });
      };
      const tick = () => {
        const now = performance.now();
        if (now - start > cap) return report(false);
        const still = now - Math.max(lastChange, start);
        if (frames >= 2 && still >= wait && readyOf(doc) === "complete") return report(true);
        setTimeout(tick, Math.max(2, Math.min(wait - still, 20)));
      };
      const frame = () => { if (++frames < 2) requestAnimationFrame(frame); };
      requestAnimationFrame(frame);
      // A hidden tab gets no frames.
      setTimeout(() => { frames = 2; }, Math.max(100, wait));
      tick();
    });
  }

  globalThis.guideact = {
    see, quiet, listening, frameBox, frameHits,
    kit: {
      tagOf, parentOf, typeOf, connected, rootOf, shadowOf, attr, has, matches, closest, boxOf, rectsOf, queryAll, textOf,
      innerTextOf, editable, doc, style, children, flatParent, within, deepHit, focusedElement, elementById, references,
      labelControl, labelsOf, isVisible, inputType, isDisabled, nameOf, roleOf, valueOf, fold, cut, html, hold,
      heldElement, probes, reaches, viewportClip, clipRect, rootElement, scrolls, isNativeControl, opaque,
      TEXT_INPUTS, SET_INPUTS, ACTION_ROLES, explicitRole, selectedText, newRange, scrollingOf, bodyOf,
    },
  };
})();
