// The form controls that browsers do not have: date picker, category picker, rich-text editor, options editor.

// --- date picker: a text field and a calendar, which arrow keys, Page Up/Down, Home and End move through ------------
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const isoDay = (day) => `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, "0")}-${String(day.getDate()).padStart(2, "0")}`;
const spoken = (day) => `${DAYS[(day.getDay() + 6) % 7]}, ${MONTHS[day.getMonth()]} ${day.getDate()}, ${day.getFullYear()}`;

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") made.className = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `/static/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

for (const box of document.querySelectorAll("[data-date]")) {
  const input = box.querySelector("input");
  const button = box.querySelector("button");
  let panel = null;
  let shown = null;

  function close(back) {
    panel?.remove();
    panel = null;
    button.setAttribute("aria-expanded", "false");
    if (back) button.focus();
  }
  function pick(text) {
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
    close(true);
  }
  function move(months) {
    const last = new Date(shown.getFullYear(), shown.getMonth() + months + 1, 0).getDate();
    shown = new Date(shown.getFullYear(), shown.getMonth() + months, Math.min(shown.getDate(), last));
  }
  function draw(focusDay) {
    const today = isoDay(new Date());
    const previous = element("button", { type: "button", class: "icon-button", "aria-label": "Previous month" }, icon("chevron-left"));
    const next = element("button", { type: "button", class: "icon-button", "aria-label": "Next month" }, icon("chevron-right"));
    previous.addEventListener("click", () => { move(-1); draw(false); panel.querySelector("[aria-label='Previous month']").focus(); });
    next.addEventListener("click", () => { move(1); draw(false); panel.querySelector("[aria-label='Next month']").focus(); });
    const head = element("div", { class: "calendar-head" }, previous, element("strong", { "aria-live": "polite" }, `${MONTHS[shown.getMonth()]} ${shown.getFullYear()}`), next);
    const body = element("tbody");
    const first = new Date(shown.getFullYear(), shown.getMonth(), 1);
    const day = new Date(first.getFullYear(), first.getMonth(), 1 - ((first.getDay() + 6) % 7));
    do {
      const week = element("tr");
      for (let at = 0; at < 7; at += 1) {
        const text = isoDay(day);
        const key = element("button", { type: "button", "data-day": text, "aria-label": spoken(day), tabindex: text === isoDay(shown) ? "0" : "-1" }, String(day.getDate()));
        if (day.getMonth() !== shown.getMonth()) key.classList.add("other");
        if (text === today) { key.classList.add("today"); key.setAttribute("aria-current", "date"); }
        if (text === input.value) key.setAttribute("aria-pressed", "true");
        key.addEventListener("click", () => pick(text));
        week.append(element("td", {}, key));
        day.setDate(day.getDate() + 1);
      }
      body.append(week);
    } while (day.getMonth() === shown.getMonth());
    const names = element("tr", {}, ...DAYS.map((name) => element("th", { scope: "col", abbr: name }, name.slice(0, 2))));
    const clear = element("button", { type: "button", class: "text-link" }, "Clear date");
    const now = element("button", { type: "button", class: "text-link" }, "Today");
    clear.addEventListener("click", () => pick(""));
    now.addEventListener("click", () => pick(today));
    panel.replaceChildren(head, element("table", {}, element("thead", {}, names), body), element("div", { class: "calendar-foot" }, clear, now));
    if (focusDay) panel.querySelector("[tabindex='0']").focus();
  }
  button.addEventListener("click", () => {
    if (panel) return close(true);
    const typed = /^\d{4}-\d{2}-\d{2}$/.test(input.value) ? new Date(`${input.value}T12:00:00`) : new Date();
    shown = Number.isNaN(typed.getTime()) ? new Date() : typed;
    panel = element("div", { class: "calendar", role: "dialog", "aria-label": button.getAttribute("aria-label") });
    box.append(panel);
    const place = box.getBoundingClientRect();
    panel.classList.toggle("up", place.bottom + 350 > window.innerHeight && place.top > 420);
    panel.classList.toggle("end", place.left + 290 > document.documentElement.clientWidth);
    button.setAttribute("aria-expanded", "true");
    draw(true);
  });
  box.addEventListener("keydown", (event) => {
    if (!panel) return;
    if (event.key === "Escape") { event.stopPropagation(); return close(true); }
    if (!event.target.dataset.day) return;
    const weekday = (shown.getDay() + 6) % 7;
    const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -weekday, End: 6 - weekday }[event.key];
    if (days !== undefined) shown = new Date(shown.getFullYear(), shown.getMonth(), shown.getDate() + days);
    else if (event.key === "PageUp") move(event.shiftKey ? -12 : -1);
    else if (event.key === "PageDown") move(event.shiftKey ? 12 : 1);
    else return;
    event.preventDefault();
    draw(true);
  });
  document.addEventListener("click", (event) => {
    // A redrawn calendar has already taken the clicked key out of the page.
    if (panel && event.target.isConnected && !box.contains(event.target)) close(false);
  });
}

// --- category picker: a combobox over the tree, its value in a hidden field ------------------------------------------
for (const box of document.querySelectorAll("[data-combo]")) {
  const input = box.querySelector("[role=combobox]");
  const hidden = box.querySelector("input[type=hidden]");
  const list = box.querySelector("[role=listbox]");
  const none = list.querySelector(".none");
  const options = [...list.querySelectorAll("[role=option]")];
  let active = null;
  const visible = () => options.filter((option) => !option.hidden);

  function filter(words) {
    for (const option of options) option.hidden = !option.dataset.path.toLowerCase().includes(words);
    none.hidden = visible().length > 0;
  }
  function activate(option) {
    active?.classList.remove("active");
    active = option;
    if (!option) return input.removeAttribute("aria-activedescendant");
    option.classList.add("active");
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }
  function open() {
    if (!list.hidden) return;
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    filter("");
    activate(options.find((option) => option.dataset.value === hidden.value) ?? null);
  }
  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    activate(null);
    const chosen = options.find((option) => option.dataset.value === hidden.value);
    input.value = chosen ? chosen.dataset.path : "";
  }
  function choose(option) {
    hidden.value = option.dataset.value;
    for (const other of options) other.setAttribute("aria-selected", String(other === option));
    close();
  }
  input.addEventListener("click", () => { open(); input.select(); });
  input.addEventListener("input", () => {
    open();
    filter(input.value.trim().toLowerCase());
    activate(visible()[0] ?? null);
  });
  input.addEventListener("keydown", (event) => {
    const shown = visible();
    const at = shown.indexOf(active);
    if (event.key === "ArrowDown") { event.preventDefault(); if (list.hidden) open(); else activate(shown[Math.min(at + 1, shown.length - 1)] ?? null); }
    else if (event.key === "ArrowUp") { event.preventDefault(); activate(shown[Math.max(at - 1, 0)] ?? null); }
    else if (event.key === "Enter" && !list.hidden) { event.preventDefault(); if (active) choose(active); }
    else if (event.key === "Escape") { event.stopPropagation(); close(); }
    else if (event.key === "Tab" && !list.hidden) close();
  });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) choose(option);
  });
  document.addEventListener("click", (event) => {
    if (!box.contains(event.target) && !list.hidden) close();
  });
}

// --- rich-text editor ------------------------------------------------------------------------------------------------
for (const box of document.querySelectorAll("[data-rich]")) {
  const body = box.querySelector("[contenteditable]");
  const store = box.querySelector("textarea");
  const linkBox = box.querySelector(".rich-link");
  const linkInput = linkBox.querySelector("input");
  let range = null;
  document.execCommand("defaultParagraphSeparator", false, "p");

  // The stored text is replaced only when something was edited, so that opening and saving changes nothing.
  const keep = () => { store.value = body.innerHTML; };
  body.addEventListener("input", keep);

  function remember() {
    const selection = getSelection();
    if (selection.rangeCount && body.contains(selection.anchorNode)) range = selection.getRangeAt(0).cloneRange();
  }
  function restore() {
    body.focus();
    if (!range) return;
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }
  function pressed() {
    for (const button of box.querySelectorAll("[data-command]")) {
      const command = button.dataset.command;
      if (["bold", "italic", "underline", "insertUnorderedList", "insertOrderedList"].includes(command)) {
        button.setAttribute("aria-pressed", String(document.queryCommandState(command)));
      }
    }
  }
  function format(command) {
    if (["h2", "h3", "blockquote"].includes(command)) {
      const now = document.queryCommandValue("formatBlock").toLowerCase();
      document.execCommand("formatBlock", false, now === command ? "p" : command);
    } else {
      document.execCommand(command);
    }
    keep();
    pressed();
  }
  body.addEventListener("keyup", () => { remember(); pressed(); });
  body.addEventListener("mouseup", () => { remember(); pressed(); });
  body.addEventListener("blur", remember);
  box.querySelector(".rich-bar").addEventListener("mousedown", (event) => {
    if (event.target.closest("[data-command]")) event.preventDefault();
  });
  box.querySelector(".rich-bar").addEventListener("click", (event) => {
    const command = event.target.closest("[data-command]")?.dataset.command;
    if (command === "link") {
      remember();
      linkBox.hidden = !linkBox.hidden;
      if (!linkBox.hidden) linkInput.focus();
    } else if (command) {
      if (document.activeElement !== body) restore();
      format(command);
    } else if (event.target.closest("[data-link]")) {
      restore();
      const address = linkInput.value.trim();
      if (address) {
        if (getSelection().isCollapsed) document.execCommand("insertText", false, address);
        if (getSelection().isCollapsed && getSelection().modify) {
          for (let at = 0; at < address.length; at += 1) getSelection().modify("extend", "backward", "character");
        }
        document.execCommand("createLink", false, address);
      }
      keep();
      linkInput.value = "";
      linkBox.hidden = true;
    }
  });
  linkInput.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    box.querySelector("[data-link]").click();
  });
}

// --- options editor: groups of values, numbered so that the server can tell them apart ------------------------------
const editor = document.querySelector("[data-options]");
if (editor) {
  const fill = (template, numbers) => {
    const made = document.importNode(template.content, true);
    for (const node of made.querySelectorAll("*")) {
      for (const attribute of [...node.attributes]) {
        attribute.value = attribute.value.replaceAll("__g__", numbers.group).replaceAll("__v__", numbers.value);
      }
    }
    return made;
  };
  let next = Number(editor.dataset.options);
  editor.addEventListener("click", (event) => {
    const button = event.target.closest("[data-add-value], [data-add-group], [data-remove]");
    if (!button) return;
    next += 1;
    if (button.hasAttribute("data-add-group")) {
      const list = editor.querySelector("[data-groups]");
      list.append(fill(document.getElementById("option-group"), { group: `n${next}`, value: "n0" }));
      list.lastElementChild.querySelector("input").focus();
    } else if (button.hasAttribute("data-add-value")) {
      const list = button.closest(".option-group").querySelector("[data-values]");
      list.append(fill(document.getElementById("option-value"), { group: button.dataset.addValue, value: `n${next}` }));
      list.lastElementChild.querySelector("input").focus();
    } else {
      button.closest(button.dataset.remove).remove();
    }
  });
}

// The picture of a product follows its attributes.
const picture = document.querySelector("[data-picture]");
if (picture) {
  const form = picture.closest("form");
  form.addEventListener("change", (event) => {
    if (!event.target.name.startsWith("picture_")) return;
    const data = new FormData(form);
    const query = new URLSearchParams(["shape", "colour", "pattern"].map((key) => [key, data.get(`picture_${key}`)]));
    picture.src = `${picture.dataset.picture}?${query}`;
  });
}
