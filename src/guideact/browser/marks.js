// The eyes: what can be acted on or read, where it can be reached, and when the page is at rest. Joined with dom.js.
// --- where it can be reached --------------------------------------------------------------------------------
const clipRect = (r, c) => {
  const x0 = Math.max(r.left, c[0]), y0 = Math.max(r.top, c[1]);
  const x1 = Math.min(r.right, c[2]), y1 = Math.min(r.bottom, c[3]);
  return x1 - x0 >= 1 && y1 - y0 >= 1 ? [x0, y0, x1, y1] : null;
};
const round = (n) => Math.round(n * 100) / 100;
const sides = (r) => ({ x: round(r[0]), y: round(r[1]), width: round(r[2] - r[0]), height: round(r[3] - r[1]) });
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
  acted = true;
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
    const record = { el, role, strength, inside, owns: 0, pointer: false, order: visited };
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
          if (strength === 3 && wantGhosts && box.width) ghosts.push([el, role, null, visited]);
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
      if (ACTION_ROLES.has(role)) ghosts.push([e, role, null, ++visited]);
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
  const alike = new Map();
  const everyone = kept.filter((r) => r.strength).map((r) => [r.el, r.role, r, r.order]).concat(ghosts.slice(0, MAX_NAMED));
  everyone.sort((a, b) => a[3] - b[3]);
  for (const [el, role, record] of everyone) {
    const name = cut(nameOf(el, role), 200);
    const key = role + "\n" + name;
    const n = ordinals.get(key) || 0;
    ordinals.set(key, n + 1);
    if (record) seenNames.set(record, [name, n]);
    // What counts something ("4 comments") is called the same in every row.
    const called = key.replace(/\d+/g, "#");
    if (!alike.has(called)) alike.set(called, []);
    alike.get(called).push([el, record]);
  }
  const rows = new Map();
  for (const group of alike.values()) {
    if (group.length < 2) continue;
    group.forEach(([el, record], at) => {
      if (!record) return;
      const others = [group[at - 1], group[at + 1]].filter(Boolean).map((other) => other[0]);
      rows.set(record, rowWords(el, others));
    });
  }
  const candidates = kept.map((record) => {
    const { el, role, shape, points } = record;
    const [name, ordinal] = seenNames.get(record) || [cut(nameOf(el, role), 200), 0];
    const r = clipRect(shape === el && record.box ? record.box : boxOf(shape), area) || [0, 0, 0, 0];
    const tag = tagOf(el);
    const shownText = tag === "select" || tag === "input" || tag === "textarea" || !html(el) || !record.strength ? "" : cut(fold(hasElements(el) ? innerTextOf(el) : textOf(el)), 200);
    return {
      id: hold(el), points, role, name, tag, text: shownText,
      value: valueOf(el, role), placeholder: fold(attr(el, "placeholder") || attr(el, "aria-placeholder")),
      options: tag === "select" ? [...el.options].filter((o) => !o.hidden).map((o) => fold(o.label)) : [],
      states: statesOf(el, role), box: sides(r), point: [round(points[0][0]), round(points[0][1])], frame: "",
      locator: { role, name, ordinal, css: cssPath(el), text: shownText, row: rows.get(record) || "" },
    };
  });
  const texts = [];
  for (const line of lines) {
    if (!line.free || !line.at) continue;
    const t = fold(line.parts.join(""));
    if (!t || hiddenByOther(line.parent, line.at)) continue;
    texts.push({ text: t, box: sides(line.box) });
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
// When a script's request last had its whole answer, of those begun since `expecting` was called.
let expected = Infinity, answered = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (["fetch", "xmlhttprequest"].includes(entry.initiatorType) && entry.startTime >= expected) answered = entry.responseEnd;
  }
}).observe({ type: "resource" });
const expecting = () => { expected = performance.now(); answered = 0; };
let prints = 0;
addEventListener("beforeprint", () => { prints++; }, true);
const takePrints = () => { const n = prints; prints = 0; return n; };
// Runs finite animations to their end and holds endless ones at their start (the stylesheet does not reach
// shadow trees or the script-made ones). Whether there were any.
function stillAnimations() {
  let found = false;
  watchShadows(doc);
  for (const root of roots) {
    if (root === doc) for (const a of animationsOf(doc)) still(a);
    else if (root.isConnected) for (const a of root.getAnimations()) still(a);
    else roots.delete(root);
  }
  return found;
  function still(a) {
    const end = a.effect ? a.effect.getComputedTiming().endTime : 0;
    if (a.playState !== "running") return;
    found = true;
    if (end === Infinity) { a.pause(); a.currentTime = 0; } else a.finish();
  }
}
// The next frame; a hidden tab gets none.
const frameDrawn = () => new Promise((resolve) => {
  requestAnimationFrame(() => resolve());
  setTimeout(resolve, 100);
});
// `eager` is how long the page may take before it answers what was typed: a page that has asked its server and has shown
// the answer has done so, and needs no more than the usual `wait`.
let acted = false; // or may have been: it has been seen
const completed = () => (performance.getEntriesByType("navigation")[0] || { domComplete: 0 }).domComplete;
function quiet(wait, cap, eager) {
  const start = performance.now();
  return new Promise((resolve) => {
    let frames = 0;
    const report = async (calm) => {
      // What the compositor moved stays where it was on the screen until a frame has been drawn from here.
      if (stillAnimations()) { await frameDrawn(); await frameDrawn(); }
      const entry = performance.getEntriesByType("navigation")[0];
      resolve({ calm, status: entry ? entry.responseStatus || 0 : 0, ready: readyOf(doc) });
    };
    const tick = () => {
      const now = performance.now();
      if (now - start > cap) return report(false);
      // Nobody has acted in a document that has not been seen: its own time counts.
      const still = now - Math.max(lastChange, acted ? start : completed());
      const enough = eager && !(answered && lastChange >= answered) ? eager : wait;
      // A document that was written by script and never closed stays "loading" for ever.
      if (frames >= 2 && still >= (readyOf(doc) === "complete" ? enough : Math.max(enough, 500))) return report(true);
      setTimeout(tick, Math.max(2, Math.min(enough - still, 20)));
    };
    const frame = () => { if (++frames < 2) requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    // A hidden tab gets no frames.
    setTimeout(() => { frames = 2; }, Math.max(100, wait));
    tick();
  });
}
