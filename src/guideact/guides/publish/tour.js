// A guide over the live page: lights what the step is about, waits until the user does it, goes on.
// Joined with driver.js, dom.js (what finds elements by role and name) and the guide; see tour.py.
const KEY = `guideact:${GUIDE.id}`;
const PATIENCE = 4000; // ms that an element may take to appear before the bubble says that it is gone
const say = (text, values = {}) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
const same = (a, b) => fold(a).toLowerCase() === fold(b).toLowerCase();
const escapeText = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

// --- where the user is: kept for the tab, so that it survives page loads ------------------------------------
let kept = null;
function load() {
  try { kept = JSON.parse(sessionStorage.getItem(KEY)); } catch { /* storage that is switched off: this page only */ }
  return kept && Number.isInteger(kept.step) && kept.step >= 0 && kept.step < GUIDE.steps.length ? kept.step : -1;
}
function save(step) {
  kept = step < 0 ? null : { step };
  try { if (kept) sessionStorage.setItem(KEY, JSON.stringify(kept)); else sessionStorage.removeItem(KEY); } catch { /* as above */ }
}
// On a site that the guide comes to later, with nothing kept there: its first step there.
function firstHere() {
  const here = GUIDE.steps.findIndex((step) => step.host === location.hostname);
  return here < 0 ? 0 : here;
}

// --- finding ------------------------------------------------------------------------------------------------
function* elements(root) {
  for (const child of children(root)) {
    if (typeOf(child) !== 1 || SKIP.has(tagOf(child)) || child.id === "guideact-tour") continue;
    yield child;
    yield* elements(child);
  }
}
function shows(el) {
  const box = boxOf(el);
  return box.width > 1 && box.height > 1 && isVisible(el);
}
// A check box may be drawn by its label alone.
const face = (el) => (shows(el) ? el : labelsOf(el).find(shows) || null);
const surroundings = (el) => {
  let n = el;
  for (let up = 0; up < 4 && flatParent(n); up++) n = flatParent(n);
  return fold(textOf(n)).toLowerCase();
};
const keep = (list, good) => list.splice(0, list.length, ...list.filter(good));
// As guides/rows.py has it: twice the words in both over all words.
function likeness(old, now) {
  const [one, other] = [old, now].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || []));
  const shared = [...one].filter((word) => other.has(word)).length;
  return one.size && other.size ? (2 * shared) / (one.size + other.size) : 0;
}
function byCss(css) {
  let root = doc, found = null;
  for (const part of css.split(" >>> ")) {
    try { found = root.querySelector(part); } catch { return null; }
    if (!found) return null;
    root = shadowOf(found) || found;
  }
  return found;
}
// What bears a role and a name, or a text where it has no name.
function bearing(role, wanted, text) {
  const fits = [];
  for (const el of elements(rootElement(doc))) {
    const is = roleOf(el);
    if (role && role !== "clickable" ? is !== role : !text && !wanted) continue;
    if (!face(el)) continue;
    const name = cut(nameOf(el, is || "clickable"), 200);
    if (wanted ? same(name, wanted) : text && same(cut(textOf(el), 200), text)) fits.push(el);
  }
  if (!role || role === "clickable") keep(fits, (el) => !fits.some((other) => other !== el && within(other, el)));
  return fits;
}
// Of several, those whose rows say most of what the sentence quotes of the target's row: none, where the guide knows
// that row and no row says it all. Of these, those whose rows say most of what that row said.
function byRow(fits, { said = [], row = "" }) {
  if (fits.length < 2 || !(said.length || row)) return fits;
  const words = new Map(fits.map((el, at) => [el, rowWords(el, [fits[at - 1], fits[at + 1]].filter(Boolean))]));
  const held = (el) => said.filter((text) => words.get(el).toLowerCase().includes(text)).length;
  const like = (el) => (row ? likeness(row, words.get(el)) : 0);
  const best = (list, of) => { const most = Math.max(...list.map(of)); return list.filter((el) => of(el) === most); };
  return best(best(row ? fits.filter((el) => held(el) === said.length) : fits, held), like);
}
// What a step is about: { el, called } - `called` where it has another name than the guide says; null where it is gone.
function locate(target) {
  if (target.frame) {
    const frame = doc.querySelectorAll("iframe")[Number(target.frame.split("/")[0])];
    return frame && shows(frame) ? { el: frame } : null;
  }
  const named = bearing(target.role, target.name, target.text);
  const fits = byRow(named, target);
  const found = target.css ? byCss(target.css) : null;
  if (fits.length) {
    if (fits.includes(found)) return { el: found };
    const score = (el) => { const text = surroundings(el); return (target.near || []).filter((near) => text.includes(near.toLowerCase())).length; };
    const best = Math.max(...fits.map(score));
    const close = fits.filter((el) => score(el) === best);
    return { el: close.length === 1 ? close[0] : fits[Math.min(target.ordinal || 0, fits.length - 1)] };
  }
  if (!named.length && found && face(found) && (!target.role || roleOf(found) === target.role)) {
    const called = cut(nameOf(found, roleOf(found)), 200);
    if (called && !byRow(bearing(roleOf(found), called, ""), target).includes(found)) return null;
    return { el: found, called: target.name && !same(called, target.name) ? called : "" };
  }
  return null;
}

// --- showing ------------------------------------------------------------------------------------------------
const sheet = new CSSStyleSheet();
sheet.replaceSync(CSS);
let root = null, light = null, bubble = null, index = -1, target = null, since = 0, shown = "", watching = 0;

function home() {
  if (!root || !root.isConnected) {
    document.adoptedStyleSheets = [...new Set([...document.adoptedStyleSheets, sheet])];
    root = document.createElement("div");
    root.id = "guideact-tour";
    document.body.append(root);
  }
  return root;
}
function button(text, act, kind = "") {
  // No <button>: driver.js would give it the focus, and lists that close when they lose it would close.
  const out = document.createElement("span");
  out.setAttribute("role", "button");
  out.tabIndex = 0;
  out.className = `guideact-button ${kind}`;
  out.textContent = text;
  out.addEventListener("mousedown", (event) => event.preventDefault());
  out.addEventListener("click", (event) => { event.stopPropagation(); act(); });
  out.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); act(); } });
  return out;
}
function clear() {
  if (bubble) { bubble.destroy(); bubble = null; }
  if (light) { light.remove(); light = null; }
  shown = "";
}
function launcher() {
  clear();
  const place = home();
  place.replaceChildren();
  const at = firstHere();
  const open = button(at ? say(WORDS.go_on, { n: at + 1 }) : WORDS.start, () => { place.replaceChildren(); go(at); }, "guideact-start");
  const title = document.createElement("span");
  title.className = "guideact-title";
  title.textContent = GUIDE.title;
  const pill = document.createElement("div");
  pill.className = "guideact-pill";
  pill.append(title, open);
  place.append(pill);
}
function stop() {
  save(-1);
  index = -1;
  target = null;
  clearTimeout(watching);
  launcher();
}
function go(step) {
  // Scrolling is no step of a tour: what comes next is scrolled to.
  const back = step < index;
  while (step >= 0 && step < GUIDE.steps.length - 1 && GUIDE.steps[step].verb === "scroll") step += back ? -1 : 1;
  index = Math.max(0, Math.min(step, GUIDE.steps.length - 1));
  save(index);
  target = null;
  since = performance.now();
  clear();
  clearTimeout(watching);
  watch();
}
const next = () => go(index + 1);

function render(state, called) {
  const key = `${index} ${state} ${called}`;
  if (shown === key) return;
  clear();
  shown = key;
  const step = GUIDE.steps[index];
  const place = home();
  place.replaceChildren();
  light = document.createElement("div");
  light.className = "guideact-light";
  place.append(light);
  follow();
  const name = step.target ? step.target.name || step.target.text : "";
  const notes = [];
  if (step.value) notes.push(`<code>${escapeText(step.value)}</code>`);
  if (state === "gone") notes.push(`<em>${escapeText(say(name ? WORDS.gone_named : WORDS.gone, { name }))}</em>`);
  if (called) notes.push(`<em>${escapeText(say(WORDS.called, { name: called }))}</em>`);
  bubble = driver({ animate: false, allowClose: false, showButtons: [], overlayOpacity: 0.35, stagePadding: 5, stageRadius: 8, overlayColor: "#0f172a" });
  const popover = {
    title: escapeText(say(WORDS.progress, { n: index + 1, of: GUIDE.steps.length })),
    description: `<p>${escapeText(step.sentence)}</p>${notes.map((note) => `<p>${note}</p>`).join("")}`,
    popoverClass: `guideact ${state === "gone" ? "guideact-gone" : ""}`,
    side: "bottom",
    align: "start",
    onPopoverRender: ({ wrapper }) => {
      const row = document.createElement("div");
      row.className = "guideact-row";
      row.append(button(WORDS.stop, stop, "guideact-quiet"));
      const right = document.createElement("span");
      if (index > 0) right.append(button(WORDS.back, () => go(index - 1)));
      if (index < GUIDE.steps.length - 1) right.append(button(state === "gone" ? WORDS.skip : WORDS.next, next));
      else right.append(button(WORDS.done, stop, "guideact-start"));
      row.append(right);
      wrapper.append(row);
    },
  };
  bubble.highlight(target ? { element: light, popover } : { popover });
  // driver.js would now keep the Tab key to itself, which forms need.
  bubble.getState().isInitialized = false;
  // Outside an open modal window nothing can be clicked, so bubble and light go into it.
  const modal = target && closest(target, "dialog:modal");
  if (modal) modal.append(light, ...document.querySelectorAll(".driver-popover, .driver-overlay"));
}
let placed = "";
function follow() {
  if (!light || !target) return;
  const box = boxOf(face(target) || target);
  const at = `${box.left},${box.top},${box.width},${box.height} ${shown}`;
  if (at === placed) return;
  Object.assign(light.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
  if (bubble) bubble.refresh();
  placed = at;
}
// A bar that stays at an edge of the window may lie over it.
function covered(el, box) {
  const hit = deepHit((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  return hit !== null && !within(hit, el) && !within(el, hit) && !hit.closest(".driver-popover");
}
let looked = 0;
function watch() {
  if (index < 0) return;
  const step = GUIDE.steps[index], now = performance.now();
  if (!step.target) {
    // Enter goes where the text was typed.
    const field = step.verb === "press_enter" ? focusedElement() : null;
    if (field && matches(field, "input, textarea, [contenteditable]")) target = field;
    render("free", "");
    follow();
  }
  else if (target && connected(target) && face(target) && now - looked < 500) follow();
  else if (now - looked > 120 || !target) {
    looked = now;
    const found = locate(step.target);
    if (found) {
      const fresh = found.el !== target;
      target = found.el;
      const seen = face(target) || target, box = boxOf(seen);
      const out = box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth;
      if (fresh && (out || covered(seen, box))) seen.scrollIntoView({ block: "center", inline: "nearest" });
      render("here", found.called || "");
      follow();
    } else {
      target = null;
      if (now - since > PATIENCE) render("gone", "");
      else if (shown) clear();
    }
  }
  watching = setTimeout(watch, 80);
}

// --- what the user does -------------------------------------------------------------------------------------
const on = (event, node) => node && event.composedPath().some((n) => n === node || (n instanceof HTMLLabelElement && n.control === node));
const doing = (verb) => index >= 0 && GUIDE.steps[index].verb === verb;
const ours = (event) => event.composedPath().some((n) => n instanceof Element && (n.id === "guideact-tour" || n.classList.contains("driver-popover")));
addEventListener("click", (event) => {
  if (index < 0 || ours(event) || !event.isTrusted) return;
  if (doing("click") && on(event, target)) next();
  else if (doing("select")) {
    const chosen = event.composedPath().find((n) => n instanceof Element && attr(n, "role") === "option");
    if (chosen && same(nameOf(chosen, "option"), GUIDE.steps[index].value)) next();
  }
}, true);
function typed(event, done) {
  if (!doing("type") || !on(event, target)) return;
  const field = event.composedPath()[0];
  const value = "value" in field ? field.value : field.innerText;
  const step = GUIDE.steps[index];
  if (step.secret ? done && value : same(value, step.value)) next();
}
addEventListener("input", (event) => typed(event, false), true);
addEventListener("change", (event) => {
  typed(event, true);
  if (doing("select") && on(event, target) && target instanceof HTMLSelectElement && same(selectedText(target), GUIDE.steps[index].value)) next();
}, true);
addEventListener("keydown", (event) => { if (event.key === "Enter" && doing("press_enter") && !ours(event) && event.isTrusted) next(); }, true);
addEventListener("scroll", () => requestAnimationFrame(follow), { capture: true, passive: true });
addEventListener("popstate", () => { if (doing("go_back")) next(); });
addEventListener("pagehide", () => { if (doing("go_back")) save(Math.min(index + 1, GUIDE.steps.length - 1)); });
function begin() {
  const step = load();
  if (step >= 0) go(step);
  else launcher();
}
addEventListener("pageshow", (event) => { if (event.persisted) begin(); });
if (document.readyState === "loading") addEventListener("DOMContentLoaded", begin);
else begin();
