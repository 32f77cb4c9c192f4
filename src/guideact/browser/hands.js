// The hands: what an action needs to know of an element before real mouse and key events are sent, and the few things
// that no mouse can do in a headless browser (a native select's list, a colour). Joined with dom.js and marks.js.
const fail = (code, detail) => ({ ok: false, code, detail });
const setter = (proto, name) => {
  const set = Object.getOwnPropertyDescriptor(proto, name).set;
  return (node, value) => set.call(node, value);
};
const setInput = setter(HTMLInputElement.prototype, "value");
const setSelected = setter(HTMLOptionElement.prototype, "selected");
const same = (a, b) => fold(a).toLowerCase() === fold(b).toLowerCase();
const frame = () => new Promise((resolve) => { requestAnimationFrame(() => resolve()); setTimeout(resolve, 50); });

function describe(el) {
  const role = roleOf(el) || tagOf(el);
  const name = cut(nameOf(el, roleOf(el) || "clickable") || fold(html(el) ? innerTextOf(el) : textOf(el)), 60);
  return name ? `${role} "${name}"` : role;
}
// The thing a user would name: the dialog, banner or header that the hit element belongs to.
function blocker(hit, target) {
  let whole = hit;
  for (let n = hit; n && !within(target, n); n = flatParent(n)) {
    if (typeOf(n) !== 1) continue;
    whole = n;
  }
  const words = `${whole.id || ""} ${attr(whole, "class") || ""} ${attr(whole, "aria-label") || ""} ${fold(textOf(whole)).slice(0, 400)}`;
  const role = explicitRole(whole) || (queryAll(whole, "[role=dialog],[role=alertdialog],dialog").length ? "dialog" : "");
  const text = cut(fold(html(whole) ? innerTextOf(whole) : textOf(whole)), 80);
  const quoted = text ? ` "${text}"` : "";
  if (/cookie|consent|gdpr/i.test(words)) return `a cookie banner${quoted}`;
  if (role === "dialog" || role === "alertdialog" || tagOf(whole) === "dialog") return `a dialog${quoted}`;
  const label = attr(whole, "aria-label");
  return `${explicitRole(whole) || tagOf(whole)}${label ? ` "${label}"` : quoted}`;
}

// --- finding a place to act --------------------------------------------------------------------------------
function shapes(el) {
  const labels = ["checkbox", "radio", "file"].includes(inputType(el)) ? labelsOf(el).filter(isVisible) : [];
  return [el, ...labels];
}
function reachable(el) {
  const found = [];
  for (const shape of shapes(el)) {
    for (const [x, y] of probes(shape, viewportClip())) {
      if (reaches(el, x, y)) found.push([x, y]);
      if (found.length >= 6) return found;
    }
    if (found.length) return found;
  }
  return found;
}
const checkedOf = (el) => (["checkbox", "radio"].includes(inputType(el)) ? el.checked : null);
// Points of the viewport where a click reaches the element; scrolls it to the middle when there are none yet.
function aim(id) {
  const el = heldElement(id);
  if (!el) return fail("gone", "It is no longer on the page.");
  if (!shapes(el).some((s) => isVisible(s) && (boxOf(s).width > 0 || boxOf(s).height > 0))) {
    return fail("gone", "It is no longer visible.");
  }
  if (isDisabled(el)) return fail("disabled", `The ${describe(el)} is disabled.`);
  let points = reachable(el);
  if (!points.length) {
    const shape = shapes(el).find((s) => isVisible(s) && boxOf(s).width > 0) || el;
    shape.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    points = reachable(el);
  }
  if (!points.length) {
    for (const shape of shapes(el)) {
      for (const [x, y] of probes(shape, viewportClip())) {
        const hit = deepHit(x, y);
        if (hit && !within(el, hit)) return fail("covered", `The ${describe(el)} is covered by ${blocker(hit, el)}.`);
      }
    }
    return fail("covered", `No point of the ${describe(el)} can be reached.`);
  }
  return { ok: true, points, select: tagOf(el) === "select", name: describe(el), checked: checkedOf(el) };
}
// After the mouse has moved there (a hover may have changed the page): is it still the element?
const still = (id, x, y) => {
  const el = heldElement(id);
  if (!el) return fail("gone", "It is no longer on the page.");
  if (reaches(el, x, y)) return { ok: true };
  const hit = deepHit(x, y);
  return fail("covered", hit ? `The ${describe(el)} is covered by ${blocker(hit, el)}.` : "It moved away.");
};
// What a point of the viewport shows: an iframe (by its position among `owners`), or the element to act on.
function under(x, y, ...owners) {
  const hit = deepHit(x, y);
  if (!hit) return { nothing: true };
  const owner = owners.indexOf(hit);
  if (owner >= 0) return { owner };
  let target = hit;
  for (let n = hit; n; n = flatParent(n)) {
    if (typeOf(n) !== 1) continue;
    const control = labelControl(n);
    if (control) { target = control; break; }
    if (ACTION_ROLES.has(roleOf(n)) || (html(n) && has(n, "tabindex") && n !== rootElement(doc))) { target = n; break; }
  }
  const disabled = isDisabled(target) ? describe(target) : "";
  return { id: hold(target), select: tagOf(target) === "select", disabled, name: describe(target), checked: checkedOf(target) };
}
function focusOn(id) {
  const el = heldElement(id);
  if (!el) return fail("gone", "It is no longer on the page.");
  el.focus({ preventScroll: true });
  return { ok: true };
}
// A checkbox that a click left as it was, though its label is somewhere else on the page.
function labelPoint(id, before) {
  const el = heldElement(id);
  if (!el || inputType(el) !== "checkbox" || el.checked !== before) return null;
  for (const label of labelsOf(el)) {
    for (const [x, y] of probes(label, viewportClip())) {
      const hit = deepHit(x, y);
      if (hit && hit !== el && within(hit, label) && !closest(hit, "a[href],button")) return [x, y];
    }
  }
  return null;
}

// --- typing --------------------------------------------------------------------------------------------------
function textTarget(el) {
  const control = labelControl(el) || el;
  const tag = tagOf(control);
  if (tag === "input" || tag === "textarea") return control;
  if (html(control) && editable(control)) {
    let n = control;
    while (!has(n, "contenteditable") && parentOf(n) && html(parentOf(n)) && editable(parentOf(n))) n = parentOf(n);
    return n;
  }
  if (tag === "select") return null;
  const inside = [...queryAll(control, "input:not([type=hidden]):not([type=checkbox]):not([type=radio]),textarea,[contenteditable=''],[contenteditable=true]")].filter(isVisible);
  return inside.length === 1 ? inside[0] : null;
}
function field(id) {
  const el = heldElement(id);
  if (!el) return fail("gone", "It is no longer on the page.");
  const target = textTarget(el);
  // A button-like box may open its own text field when clicked (a searchable list): decided after the click.
  if (!target) {
    const opens = roleOf(el) === "combobox" && tagOf(el) !== "select";
    return opens ? { ok: true, kind: "opens", id } : fail("not_editable", `The ${describe(el)} takes no text.`);
  }
  const type = inputType(target);
  if (tagOf(target) === "input" && !TEXT_INPUTS.has(type) && !SET_INPUTS.has(type)) {
    return fail("not_editable", `The ${describe(target)} takes no text.`);
  }
  if (isDisabled(target)) return fail("disabled", `The ${describe(target)} is disabled.`);
  if (("readOnly" in target && target.readOnly) || attr(target, "aria-readonly") === "true") {
    return fail("not_editable", `The ${describe(target)} is read-only.`);
  }
  return { ok: true, kind: SET_INPUTS.has(type) ? "set" : "text", id: hold(target) };
}
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
function isoDate(text) {
  const t = text.trim();
  let m = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(t);
  if (m) return iso(m[1], m[2], m[3]);
  m = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(t);
  if (m) return iso(m[3], m[1], m[2]);
  m = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(t);
  if (m) return iso(m[3], m[2], m[1]);
  m = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/i.exec(t);
  if (m) return iso(m[3], MONTHS.indexOf(m[1].toLowerCase()) + 1, m[2]);
  m = /^(\d{1,2})\.? ([a-z]{3})[a-z]*\.? (\d{4})$/i.exec(t);
  return m ? iso(m[3], MONTHS.indexOf(m[2].toLowerCase()) + 1, m[1]) : t;
}
const iso = (y, m, d) => `${y}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`;
const SHAPE_OF = { date: "YYYY-MM-DD", time: "HH:MM", month: "YYYY-MM", week: "YYYY-Www", "datetime-local": "YYYY-MM-DDTHH:MM", color: "#rrggbb", range: "a number" };
function assign(id, text) {
  const el = heldElement(id);
  if (!el) return fail("gone", "It is no longer on the page.");
  const type = inputType(el);
  const wanted = type === "date" ? isoDate(text) : type === "color" ? text.trim().toLowerCase() : type === "datetime-local" ? text.trim().replace(" ", "T") : text.trim();
  el.focus({ preventScroll: true });
  setInput(el, wanted);
  fire(el, "input");
  fire(el, "change");
  return { ok: true, wanted };
}
async function taken(id, wanted) {
  await frame();
  const el = heldElement(id);
  if (!el) return { ok: true };
  const type = inputType(el);
  const agrees = type === "range" || type === "color" ? Number(el.value) === Number(wanted) || el.value === wanted : el.value === wanted || el.value.startsWith(wanted) && wanted !== "";
  if (agrees) return { ok: true };
  return fail("value_reverted", `The ${describe(el)} holds "${el.value}" instead; it takes ${SHAPE_OF[type]}${type === "range" ? ` from ${el.min || 0} to ${el.max || 100} in steps of ${el.step || 1}` : ""}.`);
}
const fire = (el, type) => el.dispatchEvent(new Event(type, { bubbles: true, composed: type === "input" }));
// Puts the caret in the field with all its content selected. Says which element that is.
function grab(id) {
  let el = heldElement(id);
  const active = focusedElement();
  if (active && active !== el && (!el || !textTarget(el) || !connected(el))) el = textTarget(active);
  if (!el) return fail("gone", "It is no longer on the page.");
  const target = textTarget(el);
  if (!target) return fail("not_editable", `The ${describe(el)} takes no text.`);
  if (focusedElement() !== target && !within(focusedElement(), target)) target.focus({ preventScroll: true });
  if (tagOf(target) === "input" || tagOf(target) === "textarea") target.select();
  else {
    const range = newRange(doc);
    range.selectNodeContents(target);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }
  expecting();
  return { ok: true, id: hold(target), empty: !current(target), before: current(target), eager: eager(target) };
}
const current = (el) => (tagOf(el) === "input" || tagOf(el) === "textarea" ? el.value : innerTextOf(el).replace(/\n+$/, ""));
// A field whose page answers while one types (suggestions, live filters) and may wait a moment before it does.
function eager(el) {
  return ["combobox", "searchbox"].includes(roleOf(el)) || attr(el, "autocomplete") === "off" || has(el, "list") ||
    ["aria-autocomplete", "aria-controls", "aria-haspopup", "aria-expanded", "hx-get", "hx-post", "hx-trigger", "oninput", "onkeyup", "onkeydown"].some((a) => has(el, a));
}
// The browser will fire `change` itself when the field is left. The page gets it now, so that one is swallowed.
const fired = new Map();
addEventListener("change", (event) => {
  const el = event.composedPath()[0];
  if (!event.isTrusted || !fired.has(el)) return;
  const value = fired.get(el);
  fired.delete(el);
  if (current(el) === value) event.stopImmediatePropagation();
}, true);
async function typed(id, text) {
  const el = heldElement(id);
  if (!el) return { ok: true };
  if (tagOf(el) !== "input" && tagOf(el) !== "textarea") { await frame(); }
  else {
    fire(el, "change");
    fired.set(el, current(el));
    await frame();
  }
  if (!connected(el)) return { ok: true };
  const now = current(el);
  const plain = (s) => s.normalize("NFC").replace(/[^\p{L}\p{N}\p{S}]+/gu, "").toLowerCase();
  if (now === text || fold(now) === fold(text) || (plain(now) === plain(text) && plain(text) !== "")) return { ok: true };
  if (inputType(el) === "number" && now !== "" && Number(now) === Number(text)) return { ok: true };
  if (inputType(el) === "password") return fail("value_reverted", `The ${describe(el)} did not keep the text.`);
  return fail("value_reverted", `The ${describe(el)} holds "${cut(now, 80)}" instead.`);
}

// --- choosing --------------------------------------------------------------------------------------------------
const SEARCH = 8000; // ms for which a long list is scrolled through
const listed = (labels) => {
  const head = labels.slice(0, 30).map((l) => `"${l}"`).join(", ");
  return labels.length > 30 ? `${head} and ${labels.length - 30} more` : head;
};
function nativeSelect(el) {
  const control = labelControl(el) || el;
  return tagOf(control) === "select" ? control : null;
}
// Answers before the page can: a list that sends its form takes the document away.
function choose(id, wanted) {
  const el = heldElement(id);
  if (!el) return fail("gone", "It is no longer on the page.");
  const select = nativeSelect(el);
  if (!select) return { ok: true, native: false };
  if (isDisabled(select)) return fail("disabled", `The ${describe(select)} is disabled.`);
  const options = [...select.options];
  const option = options.find((o) => o.label === wanted) || options.find((o) => same(o.label, wanted)) ||
    options.find((o) => same(textOf(o), wanted)) || options.find((o) => o.value === wanted) || options.find((o) => same(o.value, wanted));
  if (!option) return fail("option_missing", `"${cut(wanted, 80)}" is not in the list. It has: ${listed(options.map((o) => fold(o.label)))}.`);
  if (option.disabled || (parentOf(option) && parentOf(option).disabled === true)) return fail("disabled", `The option "${fold(option.label)}" is disabled.`);
  select.focus({ preventScroll: true });
  if (!option.selected) {
    setSelected(option, true);
    fire(select, "input");
    fire(select, "change");
  }
  return { ok: true, native: true, option: hold(option) };
}
// A frame later: did the page leave the choice as it is?
async function chosen(id, optionId) {
  await frame();
  const el = heldElement(id), option = heldElement(optionId), select = el && nativeSelect(el);
  if (!select || !option || option.selected) return { ok: true };
  return fail("value_reverted", `The ${describe(select)} went back to "${selectedText(select)}".`);
}
// The select that a widget such as select2 hides and stands for: inside it, or right before it.
function hiddenSelect(id) {
  const el = heldElement(id);
  if (!el) return 0;
  for (let n = el, i = 0; n && i < 5; n = flatParent(n), i++) {
    if (typeOf(n) !== 1 || n === bodyOf(doc)) break;
    const inside = [...queryAll(n, "select")];
    if (inside.length === 1) return hold(inside[0]);
    if (inside.length > 1) break;
    const before = n.previousElementSibling;
    if (before && tagOf(before) === "select") return hold(before);
  }
  return 0;
}
const OPTION = "[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem],[role=radio]";
const LIST = "[role=listbox],[role=menu],[role=tree],[role=grid],[role=radiogroup]";
function* everything(root) {
  for (const el of typeOf(root) === 1 ? queryAll(root, "*") : root.querySelectorAll("*")) {
    yield el;
    const shadow = shadowOf(el);
    if (shadow) yield* everything(shadow);
  }
}
function looksLikeList(el) {
  const role = roleOf(el);
  if (["combobox", "listbox", "menu", "tree", "radiogroup"].includes(role)) return true;
  const popup = attr(el, "aria-haspopup");
  if ((popup && popup !== "false") || has(el, "aria-expanded") || has(el, "list")) return true;
  if (/select|dropdown|combo|picker/i.test(`${attr(el, "class") || ""}`)) return role !== "link" || !attr(el, "href") || attr(el, "href").startsWith("#");
  return !["link", "button", "checkbox", "radio", "textbox", "searchbox", "slider", "spinbutton", "switch"].includes(role);
}
let before = new WeakSet();
// What a custom list is, before it is opened.
function plan(id) {
  const el = heldElement(id);
  if (!el) return fail("gone", "It is no longer on the page.");
  let head = el;
  if (!looksLikeList(el)) {
    const inner = [...queryAll(el, "[role=combobox],[aria-haspopup],select")].filter(isVisible);
    const outer = closest(el, "[role=combobox],[role=listbox],[role=radiogroup]");
    if (inner.length === 1) head = inner[0];
    else if (outer) head = outer;
    else return fail("not_a_select", `The ${describe(el)} is not a list to choose from.`);
  }
  if (isDisabled(head)) return fail("disabled", `The ${describe(head)} is disabled.`);
  before = new WeakSet();
  for (const e of everything(rootElement(doc))) if (visibleNow(e)) before.add(e);
  const role = roleOf(head);
  const open = role === "listbox" || role === "radiogroup" || role === "menu" || role === "tree" || (attr(head, "aria-expanded") === "true" && !!lists(head).length);
  return { ok: true, id: hold(head), open, input: tagOf(head) === "input" || !!(textTarget(head) && role === "combobox"), datalist: tagOf(head) === "input" && has(head, "list"), name: describe(head) };
}
const visibleNow = (el) => { const b = boxOf(el); return b.width > 0 && b.height > 0 && isVisible(el); };
function lists(head) {
  const owned = [...references(head, "aria-controls"), ...references(head, "aria-owns")].filter(visibleNow);
  if (owned.length) return owned.map((o) => (matches(o, LIST) ? o : [...queryAll(o, LIST)].find(visibleNow) || o));
  const role = roleOf(head);
  if (["listbox", "radiogroup", "menu", "tree"].includes(role)) return [head];
  const found = [];
  for (const el of everything(rootElement(doc))) {
    if (visibleNow(el) && matches(el, LIST) && (!before.has(el) || within(el, head)) && !within(head, el)) found.push(el);
  }
  if (found.length) return found;
  // No roles at all: whatever has just appeared, and is not inside something else that has.
  for (const el of everything(rootElement(doc))) {
    if (!before.has(el) && before.has(flatParent(el)) && visibleNow(el) && el !== head && fold(textOf(el))) found.push(el);
  }
  return found;
}
function optionsOf(list) {
  let options = [...queryAll(list, OPTION)];
  const shadow = shadowOf(list);
  if (!options.length && shadow) options = [...shadow.querySelectorAll(OPTION)];
  if (!options.length) options = [...queryAll(list, "li")];
  if (!options.length) options = [...queryAll(list, "a,button,div,span")].filter((e) => !e.firstElementChild && fold(textOf(e)));
  return options.filter(visibleNow);
}
const labelOf = (o) => fold(nameOf(o, "option")) || fold(textOf(o));
function scroller(list) {
  for (const el of [list, ...queryAll(list, "*")]) {
    if (el.scrollHeight - el.clientHeight > 2 && /auto|scroll|hidden/.test(style(el).overflowY) && el.clientHeight > 0) return el;
  }
  for (let n = flatParent(list); n && n !== bodyOf(doc) && typeOf(n) === 1; n = flatParent(n)) {
    if (n.scrollHeight - n.clientHeight > 2 && /auto|scroll/.test(style(n).overflowY)) return n;
  }
  return null;
}
function findOption(list, wanted) {
  const options = optionsOf(list);
  return [options.find((o) => labelOf(o) === fold(wanted)) || options.find((o) => same(labelOf(o), wanted)) ||
    options.find((o) => same(textOf(o), wanted)) || options.find((o) => attr(o, "data-value") === wanted || attr(o, "value") === wanted), options];
}
// Waits for the list, then looks for the option in it, scrolling through lists that build their rows on demand.
async function seek(id, wanted, patience) {
  const head = heldElement(id);
  if (!head) return fail("gone", "It is no longer on the page.");
  const start = performance.now();
  let open = [];
  const known = new Set();
  for (;;) {
    open = lists(head);
    for (const list of open) {
      const [option, options] = findOption(list, wanted);
      for (const o of options) known.add(labelOf(o));
      if (option) return take(option);
    }
    if (known.size && performance.now() - start > 250) break;
    if (performance.now() - start > patience) break;
    await frame();
  }
  for (const list of open) {
    const box = scroller(list);
    if (!box) continue;
    box.scrollTop = 0;
    let shownBefore = "";
    while (performance.now() - start < patience + SEARCH) {
      await frame();
      let [option, options] = findOption(list, wanted);
      const showsNow = options.map(labelOf).join("\n");
      if (!option && showsNow === shownBefore) {
        // Rows that are made a moment after the scroll.
        await frame();
        [option, options] = findOption(list, wanted);
      }
      shownBefore = showsNow;
      for (const o of options) known.add(labelOf(o));
      if (option) return take(option);
      const was = box.scrollTop;
      box.scrollTop = was + Math.max(20, box.clientHeight * 0.9);
      if (box.scrollTop <= was + 0.5) break;
    }
  }
  known.delete("");
  if (!known.size) return fail("no_list", "");
  return fail("option_missing", `"${cut(wanted, 80)}" is not in the list. It has: ${listed([...known])}.`);
}
function take(option) {
  if (isDisabled(option)) return fail("disabled", `The option "${labelOf(option)}" is disabled.`);
  return { ok: true, id: hold(option) };
}
function datalistOptions(id) {
  const el = heldElement(id);
  return el && el.list ? [...el.list.options].map((o) => o.value) : [];
}

// --- scrolling ---------------------------------------------------------------------------------------------------
// Scrolls the innermost thing under the element that can still go that way. False: nothing here can.
function scrollFrom(id, dx, dy) {
  const start = id ? heldElement(id) : null;
  if (id && !start) return fail("gone", "It is no longer on the page.");
  const root = scrollingOf(doc) || rootElement(doc);
  const boxes = [];
  for (let n = start; n; n = flatParent(n)) {
    if (typeOf(n) !== 1 || n === root || n === rootElement(doc) || n === bodyOf(doc)) continue;
    const css = style(n);
    if ((dy && /auto|scroll/.test(css.overflowY) && n.scrollHeight - n.clientHeight > 1) || (dx && /auto|scroll/.test(css.overflowX) && n.scrollWidth - n.clientWidth > 1)) boxes.push(n);
    else if (dy && tagOf(n) === "textarea" && n.scrollHeight - n.clientHeight > 1) boxes.push(n);
  }
  if (boxes.length && id) {
    // The innermost one is what lies under the pointer, even when it has come to its end.
    return { ok: true, moved: by(boxes[0], dx, dy, boxes[0].clientWidth, boxes[0].clientHeight), inner: true };
  }
  if (by(root, dx, dy, innerWidth, innerHeight)) return { ok: true, moved: true };
  if (!id) {
    // A page that does not scroll itself but has a main part that does.
    let best = null, size = 0;
    for (const el of everything(rootElement(doc))) {
      const css = style(el);
      const able = dy ? /auto|scroll/.test(css.overflowY) && el.scrollHeight - el.clientHeight > 4 : /auto|scroll/.test(css.overflowX) && el.scrollWidth - el.clientWidth > 4;
      if (!able || !isVisible(el)) continue;
      const c = clipRect(boxOf(el), viewportClip());
      const area = c ? (c[2] - c[0]) * (c[3] - c[1]) : 0;
      if (area > size) { best = el; size = area; }
    }
    if (best && size > innerWidth * innerHeight * 0.2 && by(best, dx, dy, best.clientWidth, best.clientHeight)) return { ok: true, moved: true };
  }
  return { ok: true, moved: false };
}
function by(el, dx, dy, width, height) {
  const x = el.scrollLeft, y = el.scrollTop;
  el.scrollBy({ left: dx * width * 0.8, top: dy * height * 0.8, behavior: "instant" });
  return Math.abs(el.scrollLeft - x) >= 1 || Math.abs(el.scrollTop - y) >= 1;
}
const owned = (owner) => hold(owner);
const hasFocus = () => { const el = focusedElement(); return !!el && el !== bodyOf(doc) && el !== rootElement(doc); };

globalThis.guideact = {
  document: doc,
  see, quiet, listening, frameBox, frameHits,
  aim, still, under, focusOn, labelPoint, field, assign, taken, grab, typed, choose, chosen, hiddenSelect, plan, seek, datalistOptions, scrollFrom, owned, hasFocus,
};
