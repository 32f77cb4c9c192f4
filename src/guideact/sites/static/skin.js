// Dresses a page in a skin. The server puts `const SKIN = {words, folds, jumps, widgets};` before this file and loads
// it in the head, before the body is read. It changes what is shown and never what a form sends or a control does.
// What it makes has an id by which `tasks/dressed.py` knows it again: skin-pick-N-K-of-M, skin-set-KIND-N.
(() => {
  "use strict";
  const WORDS = new Map(Object.entries(SKIN.words));

  // --- words: whole texts and whole attributes, as they come into the page --------------------------------------------
  const NEVER = "option, textarea, script, style, code, [contenteditable], [role=option], [role=combobox], .skin-pick, .rich:not([data-rich]), .prose";
  const DATA = "td, dd";
  // What stands where a list has nothing yet may quote the control that fills it, and never data.
  const HINT = ".empty";
  const CONTROL = "a, button, label, legend, summary, th, dt, h1, h2, h3, [role=tab], [role=menuitem]";
  const SAID = ["aria-label", "placeholder", "title"];
  const tidy = (text) => text.replace(/\s+/g, " ").trim();

  function rewriteText(node) {
    const shown = WORDS.get(tidy(node.data));
    const parent = node.parentElement;
    if (shown === undefined && parent?.closest(HINT) && node.data.includes("“")) {
      const hint = node.data.replace(/“([^“”]+)”/g, (_, said) => `“${WORDS.get(said) ?? said}”`);
      if (hint !== node.data) node.data = hint; // Whatever is written is read once more.
    }
    if (shown === undefined || !parent || parent.closest(NEVER) || parent.closest(`${DATA}, ${CONTROL}`)?.matches(DATA)) return;
    node.data = node.data.replace(/\S[^]*\S|\S/, () => shown);
  }
  function rewriteAttributes(element) {
    for (const name of SAID) {
      const shown = element.hasAttribute(name) && WORDS.get(tidy(element.getAttribute(name)));
      if (shown) element.setAttribute(name, shown);
    }
    // A button that has a name sends its value, which is no word for anybody to read then.
    if (element.matches("input[type=submit]:not([name]), input[type=button]:not([name])")) {
      const shown = WORDS.get(tidy(element.value));
      if (shown) element.value = shown;
    }
  }
  function rewrite(root) {
    if (root.nodeType === Node.TEXT_NODE) return rewriteText(root);
    if (root.nodeType === Node.ELEMENT_NODE) rewriteAttributes(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.nodeType === Node.TEXT_NODE) rewriteText(node);
      else rewriteAttributes(node);
    }
  }

  // Other words may be longer: a site's sheet may give them room.
  if (WORDS.size) document.documentElement.classList.add("skin-words");

  let made = 0;

  // --- check boxes that have words beside them become switches, or lie on chips ------------------------------------
  function dressCheckbox(box) {
    if (box.hasAttribute("role") || box.closest("td, th") || !box.labels?.length) return;
    if (getComputedStyle(box).opacity === "0") return;
    if (SKIN.widgets.ticks === "chips") return box.labels[0].classList.add("skin-chip");
    box.setAttribute("role", "switch");
    box.dataset.skinSwitch = "";
  }

  // Calls `draw` whenever a list that is out of sight has another value, also where a script of the page gave it one.
  function shows(select, draw) {
    select.addEventListener("change", draw);
    select.addEventListener("input", draw);
    select.form?.addEventListener("reset", () => setTimeout(draw));
    for (const name of ["value", "selectedIndex"]) {
      const native = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, name);
      Object.defineProperty(select, name, {
        configurable: true, get: () => native.get.call(select), set: (value) => { native.set.call(select, value); draw(); },
      });
    }
  }

  // --- a short native list becomes a row of radio buttons; the list stays in its form, out of sight ----------------------
  const NOWHERE = "skin-no-form"; // Radio buttons of a form that is not there are sent by none.
  function dressShort(select) {
    const label = select.labels?.[0];
    const field = select.parentElement;
    const options = [...select.options].filter((option) => !option.hidden);
    // In a bar of controls there is room for few entries, and for those in one line.
    const among = getComputedStyle(field.parentElement);
    const isRow = (look) => look.display.includes("flex") && look.flexDirection.startsWith("row");
    const barred = isRow(among) || isRow(getComputedStyle(field))
      || (among.display.includes("grid") && among.gridTemplateColumns.split(" ").length > 2);
    const most = barred ? 3 : 5;
    if (!label || label.contains(select) || label.offsetWidth < 8 || options.length < 2 || options.length > most) return false;
    if (select.closest("td, th, dialog:not([open])") || select.disabled || options.some((option) => option.disabled || !option.label.trim())) return false;
    if (!select.offsetWidth || options.reduce((sum, option) => sum + option.label.length, 0) > 90) return false;
    const name = `skin-pick-${++made}`;
    const group = document.createElement("div");
    group.className = `skin-pick skin-pick-${barred && SKIN.widgets.few === "rows" ? "line" : SKIN.widgets.few}`;
    group.setAttribute("role", "radiogroup");
    group.setAttribute("aria-labelledby", (label.id ||= `${name}-label`));
    for (const attribute of ["aria-describedby", "aria-invalid"]) {
      if (select.hasAttribute(attribute)) group.setAttribute(attribute, select.getAttribute(attribute));
    }
    const radios = options.map((option, at) => {
      const one = document.createElement("label");
      const radio = document.createElement("input");
      Object.assign(radio, { type: "radio", name, id: `${name}-${at}-of-${options.length}`, checked: option.selected });
      radio.setAttribute("form", NOWHERE);
      radio.addEventListener("input", (event) => event.stopPropagation());
      radio.addEventListener("change", (event) => {
        event.stopPropagation();
        option.selected = true;
        select.dispatchEvent(new Event("input", { bubbles: true }));
        select.dispatchEvent(new Event("change", { bubbles: true }));
      });
      const words = document.createElement("span");
      words.textContent = option.label;
      one.append(radio, words);
      group.append(one);
      return radio;
    });
    shows(select, () => radios.forEach((radio, at) => { radio.checked = options[at].selected; }));
    label.addEventListener("click", (event) => { event.preventDefault(); (radios.find((radio) => radio.checked) ?? radios[0]).focus(); });
    new MutationObserver((_, observer) => {
      observer.disconnect();
      group.remove();
      field.classList.remove("skin-pick-field");
      delete select.dataset.skinSelect;
      dressSelect(select);
    }).observe(select, { childList: true, subtree: true });
    select.dataset.skinSelect = "";
    select.after(group);
    if (isRow(among)) field.classList.add("skin-pick-field");
    return true;
  }

  // --- radio buttons, tabs and rows of links become a native list that presses them ---------------------------------------
  function listInstead(kind, controls, words, name, before) {
    const select = document.createElement("select");
    select.id = `skin-set-${kind}-${++made}`;
    select.className = "input skin-set";
    select.dataset.skinSelect = "kept";
    select.setAttribute("form", NOWHERE);
    for (const [attribute, value] of Object.entries(name)) if (value) select.setAttribute(attribute, value);
    const chosen = (control) => control.checked || control.getAttribute("aria-selected") === "true" || (control.hasAttribute("aria-current") && control.getAttribute("aria-current") !== "false");
    if (!controls.some(chosen)) select.append(new Option("…", "", true, true));
    controls.forEach((control, at) => select.append(new Option(words(control), String(at))));
    const draw = () => { const at = controls.findIndex(chosen); if (at >= 0) select.value = String(at); };
    select.addEventListener("input", (event) => event.stopPropagation());
    select.addEventListener("change", (event) => {
      event.stopPropagation();
      if (select.value === "") return;
      const control = controls[Number(select.value)];
      control.click();
      // A link leads to a page that draws its own list; this one says where one is going until then.
      if (!control.href) draw();
    });
    addEventListener("pageshow", draw);
    draw();
    before.before(select);
    return draw;
  }
  function joined(element, between) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) if (tidy(walker.currentNode.data)) texts.push(tidy(walker.currentNode.data));
    return texts.join(between);
  }

  const MOST_LISTED = 80; // Letters of an entry.
  function dressRadios(fieldset) {
    const radios = [...fieldset.querySelectorAll("input[type=radio]")];
    if (fieldset.dataset.skinSet !== undefined || fieldset.closest(".skin-pick") || radios.length < 2 || radios.length > 12) return;
    const labels = radios.map((radio) => radio.labels?.[0]);
    if (labels.some((label) => !label || label.querySelector("img, [style], input:not([type=radio])")) || new Set(radios.map((radio) => radio.name)).size > 1) return;
    if (fieldset.querySelector("[class*=swatch], img") || radios.some((radio) => radio.disabled || radio.closest("td, th")) || !radios.some((radio) => radio.checked)) return;
    if (labels.some((label) => label.closest("fieldset") !== fieldset) || fieldset.matches("[class*=swatch]")) return;
    // A whole address would be cut in a list.
    if (labels.some((label) => joined(label, " – ").length > MOST_LISTED)) return;
    const legend = fieldset.querySelector("legend");
    if (!legend) return;
    fieldset.dataset.skinSet = "";
    const by = new Map(radios.map((radio, at) => [radio, labels[at]]));
    const draw = listInstead("radio", radios, (radio) => joined(by.get(radio), " – "), { "aria-label": tidy(legend.textContent) }, labels[0]);
    labels.forEach((label) => label.classList.add("skin-gone"));
    fieldset.addEventListener("change", draw);
    radios[0].form?.addEventListener("reset", () => setTimeout(draw));
  }
  function dressTabs(list) {
    const tabs = [...list.querySelectorAll("[role=tab]")];
    if (list.dataset.skinSet !== undefined || tabs.length < 3) return;
    list.dataset.skinSet = "";
    const draw = listInstead("tab", tabs, (tab) => joined(tab, " "), { "aria-label": list.getAttribute("aria-label") }, list);
    list.classList.add("skin-gone");
    new MutationObserver(draw).observe(list, { subtree: true, attributes: true, attributeFilter: ["aria-selected"] });
  }
  function dressLinks(list) {
    const links = [...list.querySelectorAll("a[href]")].filter((link) => link.parentElement.childElementCount === 1);
    if (list.dataset.skinSet !== undefined || links.length < 2) return;
    list.dataset.skinSet = "";
    listInstead("link", links, (link) => joined(link, " "), { "aria-label": list.closest("[aria-label]")?.getAttribute("aria-label") }, list);
    links.forEach((link) => link.parentElement.classList.add("skin-gone"));
    if ([...list.children].every((item) => item.classList.contains("skin-gone"))) list.classList.add("skin-gone");
  }

  // --- links become buttons and buttons links, by their words ---------------------------------------------------------------
  const SWAPS = new Set((SKIN.widgets?.swaps ?? []).map((word) => WORDS.get(word) ?? word));
  function swap(control) {
    if (control.hasAttribute("role") || !SWAPS.has(control.getAttribute("aria-label") ?? tidy(control.textContent))) return;
    const link = control.localName === "a";
    control.setAttribute("role", link ? "button" : "link");
    // An entry of a menu stays in line with those above and below it.
    if (!control.closest("nav")) control.classList.add(link ? "skin-as-button" : "skin-as-link");
    if (!link) return;
    control.addEventListener("keydown", (event) => {
      if (event.key !== " " || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      control.click();
    });
  }

  // --- native lists become a button with a list box; the list stays in its form, out of sight --------------------------
  function dressSelect(select) {
    if (select.multiple || select.size > 1 || select.hidden || select.dataset.skinSelect !== undefined) return;
    if (SKIN.widgets.few !== "list" && dressShort(select)) return;
    if (SKIN.widgets.many === "native") return;
    const look = getComputedStyle(select);
    // What a list stands in within a table is as wide as the list: buttons keep its width, and a column its line.
    const cell = select.closest("td, th");
    const whole = !cell && select.offsetWidth && select.parentElement.clientWidth - select.offsetWidth < 40;
    const widest = cell ? Infinity : select.parentElement.clientWidth;
    const id = `skin-list-${++made}`;
    const button = document.createElement("button");
    button.type = "button";
    button.id = id;
    button.className = `${select.className} skin-list-button`;
    for (const [name, value] of [["role", "combobox"], ["aria-haspopup", "listbox"], ["aria-expanded", "false"], ["aria-controls", `${id}-list`]]) {
      button.setAttribute(name, value);
    }
    Object.assign(button.style, {
      width: whole ? "100%" : select.offsetWidth ? `${Math.min(select.offsetWidth + 12, widest)}px` : look.width,
      height: look.height === "auto" ? "" : look.height, minHeight: look.minHeight, fontSize: look.fontSize, color: look.color,
      gridArea: look.gridArea === "auto" ? "" : look.gridArea,
    });
    const text = document.createElement("span");
    button.append(text);
    // What scrolls is around the list box and not itself, so that it can be named and scrolled by whoever goes by roles.
    const frame = document.createElement("div");
    frame.className = "skin-list";
    frame.popover = "manual";
    frame.setAttribute("role", "group");
    const list = document.createElement("div");
    list.id = `${id}-list`;
    list.setAttribute("role", "listbox");
    frame.append(list);
    const labels = [...(select.labels ?? [])];
    const label = select.getAttribute("aria-label");
    for (const element of [button, frame, list]) {
      if (label) element.setAttribute("aria-label", label);
      else if (select.hasAttribute("aria-labelledby")) element.setAttribute("aria-labelledby", select.getAttribute("aria-labelledby"));
      else if (labels.length) element.setAttribute("aria-labelledby", labels.map((each, at) => (each.id ||= `${id}-label-${at}`)).join(" "));
    }
    for (const name of ["aria-describedby", "aria-invalid"]) {
      if (select.hasAttribute(name)) button.setAttribute(name, select.getAttribute(name));
    }
    if (select.required) button.setAttribute("aria-required", "true");

    let items = [];
    let active = -1;
    const open = () => frame.matches(":popover-open");
    function fill() {
      items = [...select.options].filter((option) => !option.hidden).map((option, at) => {
        const item = document.createElement("div");
        item.id = `${id}-${at}`;
        item.setAttribute("role", "option");
        item.textContent = option.label;
        if (option.disabled) item.setAttribute("aria-disabled", "true");
        item.option = option;
        return item;
      });
      list.replaceChildren(...items);
      draw();
    }
    function draw() {
      const chosen = select.selectedOptions[0];
      text.textContent = chosen ? chosen.label : "";
      button.disabled = select.disabled;
      for (const item of items) item.setAttribute("aria-selected", String(item.option.selected));
    }
    function mark(at) {
      active = Math.max(0, Math.min(items.length - 1, at));
      items.forEach((item, index) => item.classList.toggle("is-active", index === active));
      if (!items.length) return;
      button.setAttribute("aria-activedescendant", items[active].id);
      const item = items[active];
      if (item.offsetTop < frame.scrollTop) frame.scrollTop = item.offsetTop - 6;
      else if (item.offsetTop + item.offsetHeight > frame.scrollTop + frame.clientHeight) frame.scrollTop = item.offsetTop + item.offsetHeight - frame.clientHeight + 6;
    }
    function place() {
      const at = button.getBoundingClientRect();
      if (at.bottom < 0 || at.top > innerHeight) return show(false);
      const below = innerHeight - at.bottom - 12, above = at.top - 12;
      const up = below < Math.min(480, frame.scrollHeight) && above > below;
      Object.assign(frame.style, {
        minWidth: `${at.width}px`, maxHeight: `${Math.min(480, up ? above : below)}px`,
        top: up ? "auto" : `${at.bottom + 4}px`, bottom: up ? `${innerHeight - at.top + 4}px` : "auto",
        left: `${Math.max(8, Math.min(at.left, innerWidth - frame.offsetWidth - 8))}px`,
      });
    }
    function show(wanted) {
      if (wanted === open()) return;
      if (wanted) {
        frame.showPopover();
        place();
        mark(items.findIndex((item) => item.option.selected));
      } else {
        frame.hidePopover();
        button.removeAttribute("aria-activedescendant");
      }
      button.setAttribute("aria-expanded", String(wanted));
    }
    function choose(at) {
      const option = items[at]?.option;
      if (!option || option.disabled) return;
      show(false);
      button.focus();
      if (option.selected) return;
      option.selected = true;
      draw();
      select.dispatchEvent(new Event("input", { bubbles: true }));
      select.dispatchEvent(new Event("change", { bubbles: true }));
    }
    let typed = "", typedAt = 0;
    function seek(letter) {
      const now = performance.now();
      typed = (now - typedAt < 700 ? typed : "") + letter.toLowerCase();
      typedAt = now;
      const found = items.findIndex((item) => item.textContent.toLowerCase().startsWith(typed));
      if (found >= 0) { show(true); mark(found); }
    }
    button.addEventListener("click", (event) => { event.preventDefault(); show(!open()); });
    button.addEventListener("keydown", (event) => {
      const key = event.key;
      const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 8, PageUp: active - 8, Home: 0, End: items.length - 1 }[key];
      if (!open()) {
        if (key === "ArrowDown" || key === "ArrowUp" || key === "Enter" || key === " ") { event.preventDefault(); show(true); }
        else if (key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) seek(key);
        return;
      }
      if (to !== undefined) { event.preventDefault(); mark(to); }
      else if (key === "Enter" || key === " ") { event.preventDefault(); choose(active); }
      else if (key === "Escape") { event.preventDefault(); event.stopPropagation(); show(false); }
      else if (key === "Tab") show(false);
      else if (key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) seek(key);
    });
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      // Inside a label a click would go on to the list that is out of sight.
      event.preventDefault();
      choose(items.indexOf(event.target.closest("[role=option]")));
    });
    document.addEventListener("click", (event) => { if (open() && !button.contains(event.target) && !frame.contains(event.target)) show(false); }, true);
    addEventListener("scroll", (event) => { if (open() && event.target !== frame) place(); }, true);
    addEventListener("resize", () => { if (open()) place(); });
    for (const each of labels) {
      each.addEventListener("click", (event) => {
        if (button.contains(event.target) || frame.contains(event.target)) return;
        event.preventDefault();
        button.focus();
      });
    }
    shows(select, draw);
    select.addEventListener("invalid", (event) => {
      // The browser cannot point at what is out of sight.
      event.preventDefault();
      button.setAttribute("aria-invalid", "true");
      button.focus();
    });
    new MutationObserver(fill).observe(select, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled", "hidden", "label"] });
    select.dataset.skinSelect = "";
    select.after(button, frame);
    fill();
  }

  // --- lists of links fold into a menu behind a button -----------------------------------------------------------------
  function fold(list) {
    if (list.dataset.skinFolded !== undefined) return;
    list.dataset.skinFolded = "";
    if (list.matches("details")) {
      if (!list.querySelector("[aria-current]")) list.open = false;
      return;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.className = "skin-fold";
    button.textContent = list.closest("[aria-label]").getAttribute("aria-label");
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-controls", (list.id ||= `skin-fold-${++made}`));
    const show = (open) => { button.setAttribute("aria-expanded", String(open)); list.classList.toggle("is-unfolded", open); };
    button.addEventListener("click", () => show(button.getAttribute("aria-expanded") !== "true"));
    list.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      show(false);
      button.focus();
    });
    list.before(button);
  }

  // --- all of it, now and for whatever comes later ---------------------------------------------------------------------
  let ready = false;
  function dress(root) {
    if (root.nodeType !== Node.ELEMENT_NODE && root !== document) return;
    const all = (selector) => [...(root.matches?.(selector) ? [root] : []), ...root.querySelectorAll(selector)];
    if (WORDS.size) {
      for (const host of all(":defined")) {
        if (host.shadowRoot && host.localName.includes("-")) { rewrite(host.shadowRoot); watch(host.shadowRoot); }
      }
    }
    if (SKIN.jumps.length) all(SKIN.jumps.join(", ")).forEach(dressLinks);
    if (SKIN.folds.length) all(SKIN.folds.join(", ")).forEach(fold);
    if (SKIN.widgets) {
      if (SKIN.widgets.tabs === "list") all("[role=tablist]").forEach(dressTabs);
      if (SKIN.widgets.choices === "list") all("fieldset").forEach(dressRadios);
      if (SWAPS.size) all("a[href], button").forEach(swap);
      all("select").forEach(dressSelect);
      all("input[type=checkbox]").forEach(dressCheckbox);
    }
  }
  function watch(root) {
    new MutationObserver((changes) => {
      for (const change of changes) {
        if (change.type === "characterData") rewriteText(change.target);
        else if (change.type === "attributes") rewriteAttributes(change.target);
        else {
          for (const node of change.addedNodes) {
            if (WORDS.size) rewrite(node);
            if (ready && node.isConnected) dress(node);
          }
        }
      }
    }).observe(root, { subtree: true, childList: true, characterData: WORDS.size > 0, attributes: WORDS.size > 0, attributeFilter: WORDS.size ? SAID : undefined });
  }
  watch(document);
  // After the page's own scripts, which are deferred and may have widgets of their own to make.
  document.addEventListener("DOMContentLoaded", () => { ready = true; dress(document); });
})();
