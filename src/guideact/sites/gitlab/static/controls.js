// Controls that browsers do not have: suggestions from the server, a list of several choices, a date picker.

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// What every combobox here shares: a text field, a list below it, and the entry that the arrow keys have reached.
function combobox(input, list, { fill, choose }) {
  let active = -1;
  const entries = () => [...list.querySelectorAll("[role=option]")];
  function mark(at) {
    const all = entries();
    active = all.length ? (at + all.length) % all.length : -1;
    all.forEach((entry, number) => entry.classList.toggle("active", number === active));
    if (active < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", all[active].id);
    all[active].scrollIntoView({ block: "nearest" });
  }
  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    active = -1;
  }
  function show(made) {
    made.forEach((entry, number) => { entry.id = `${list.id}-${number}`; });
    list.replaceChildren(...made);
    list.hidden = made.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    active = -1;
  }
  input.addEventListener("input", () => fill(input.value.trim(), show));
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) fill(input.value.trim(), show);
      else mark(event.key === "ArrowDown" ? active + 1 : active < 0 ? -1 : active - 1);
    } else if (event.key === "Enter" && !list.hidden && active >= 0) {
      event.preventDefault();
      choose(entries()[active], close);
    } else if (event.key === "Escape" && !list.hidden) {
      event.stopPropagation();
      close();
    } else if (event.key === "Tab") close();
  });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const entry = event.target.closest("[role=option]");
    if (entry) choose(entry, close);
  });
  document.addEventListener("click", (event) => {
    if (event.target.isConnected && !input.parentElement.contains(event.target)) close();
  });
  return { close, show, mark };
}

// Suggestions: data-suggest is the address that is asked. An entry with an address opens it, one with a value fills in.
for (const box of document.querySelectorAll("[data-suggest]")) {
  const input = box.querySelector("[role=combobox]");
  const list = box.querySelector("[role=listbox]");
  let timer = 0;
  let asked = 0;
  combobox(input, list, {
    fill(text, show) {
      clearTimeout(timer);
      if (text.length < 2) return show([]);
      const number = ++asked;
      timer = setTimeout(async () => {
        const answer = await fetch(`${box.dataset.suggest}?q=${encodeURIComponent(text)}`);
        if (!answer.ok || number !== asked) return;
        const found = await answer.json();
        show(found.map((one) => {
          const entry = make("li", { role: "option", "aria-selected": "false" }, make("span", {}, one.label), make("small", {}, one.note));
          if (one.url) entry.dataset.url = one.url;
          else entry.dataset.value = one.value;
          return entry;
        }));
      }, 120);
    },
    choose(entry, close) {
      if (entry.dataset.url) return location.assign(entry.dataset.url);
      input.value = entry.dataset.value;
      close();
    },
  });
}

// Several choices: the native list is hidden and keeps the values; a combobox and chips take its place.
for (const box of document.querySelectorAll("[data-tokens]")) {
  const select = box.querySelector("select");
  const label = box.querySelector("label");
  const input = make("input", {
    type: "text", id: `${select.id}-search`, role: "combobox", autocomplete: "off", "aria-expanded": "false",
    "aria-autocomplete": "list", "aria-controls": `${select.id}-list`, placeholder: select.dataset.placeholder,
  });
  const list = make("ul", { role: "listbox", id: `${select.id}-list`, "aria-label": label.textContent, "aria-multiselectable": "true", hidden: "" });
  const chips = make("ul", { class: "chips", "aria-label": "Chosen" });
  label.htmlFor = input.id;
  select.hidden = true;
  const field = make("div", { class: "token-box" }, input, list);
  select.after(chips, field);

  function draw() {
    chips.replaceChildren(...[...select.selectedOptions].map((option) => {
      const away = make("button", { type: "button", "aria-label": `Remove ${option.text}` });
      away.innerHTML = '<svg class="icon" aria-hidden="true"><use href="/static/icons.svg#x"/></svg>';
      away.addEventListener("click", () => {
        option.selected = false;
        draw();
        input.focus();
      });
      return make("li", {}, make("span", {}, option.text), away);
    }));
  }
  function entries(text) {
    const words = text.toLowerCase();
    return [...select.options].filter((option) => option.text.toLowerCase().includes(words)).map((option) =>
      make("li", { role: "option", "aria-selected": String(option.selected), "data-value": option.value }, make("span", {}, option.text)));
  }
  const control = combobox(input, list, {
    fill: (text, show) => show(entries(text)),
    choose(entry, close) {
      const option = [...select.options].find((one) => one.value === entry.dataset.value);
      option.selected = !option.selected;
      input.value = "";
      draw();
      close();
      input.focus();
    },
  });
  input.addEventListener("click", () => control.show(entries(input.value.trim())));
  draw();
}

// A date: a text field, and a calendar that arrow keys, Page Up and Page Down move through.
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const two = (number) => String(number).padStart(2, "0");
const iso = (day) => `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
const aloud = (day) => `${DAYS[(day.getDay() + 6) % 7]}, ${MONTHS[day.getMonth()]} ${day.getDate()}, ${day.getFullYear()}`;
const plus = (day, days) => new Date(day.getFullYear(), day.getMonth(), day.getDate() + days);
function monthsOn(day, months) {
  const last = new Date(day.getFullYear(), day.getMonth() + months + 1, 0).getDate();
  return new Date(day.getFullYear(), day.getMonth() + months, Math.min(day.getDate(), last));
}
function chevron(name) {
  const holder = make("span", { "aria-hidden": "true" });
  holder.innerHTML = `<svg class="icon"><use href="/static/icons.svg#chevron-${name}"/></svg>`;
  return holder;
}

for (const box of document.querySelectorAll("[data-date]")) {
  const input = box.querySelector("input");
  const button = box.querySelector("button");
  let panel = null;
  let at = new Date();

  function close(focus) {
    panel?.remove();
    panel = null;
    button.setAttribute("aria-expanded", "false");
    if (focus) button.focus();
  }
  function take(text) {
    input.value = text;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    close(true);
  }
  function month(label, name, months) {
    const key = make("button", { type: "button", class: "icon-button", "aria-label": label }, chevron(name));
    key.addEventListener("click", () => {
      at = monthsOn(at, months);
      draw();
      panel.querySelector(`[aria-label="${label}"]`).focus();
    });
    return key;
  }
  function draw() {
    const first = new Date(at.getFullYear(), at.getMonth(), 1);
    let day = plus(first, -((first.getDay() + 6) % 7));
    const weeks = [];
    do {
      const cells = DAYS.map(() => {
        const text = iso(day);
        const key = make("button", { type: "button", "data-day": text, "aria-label": aloud(day), tabindex: text === iso(at) ? "0" : "-1" }, String(day.getDate()));
        if (day.getMonth() !== at.getMonth()) key.classList.add("other");
        if (text === iso(new Date())) key.setAttribute("aria-current", "date");
        if (text === input.value) key.setAttribute("aria-pressed", "true");
        key.addEventListener("click", () => take(text));
        day = plus(day, 1);
        return make("td", {}, key);
      });
      weeks.push(make("tr", {}, ...cells));
    } while (day.getMonth() === at.getMonth());
    const head = make("tr", {}, ...DAYS.map((name) => make("th", { scope: "col", abbr: name }, name.slice(0, 2))));
    const clear = make("button", { type: "button", class: "link-button" }, "Clear date");
    clear.addEventListener("click", () => take(""));
    panel.replaceChildren(
      make("div", { class: "calendar-head" }, month("Previous month", "left", -1), make("strong", { "aria-live": "polite" }, `${MONTHS[at.getMonth()]} ${at.getFullYear()}`), month("Next month", "right", 1)),
      make("table", {}, make("thead", {}, head), make("tbody", {}, ...weeks)),
      clear,
    );
  }
  button.addEventListener("click", () => {
    if (panel) return close(true);
    const typed = new Date(`${input.value}T12:00:00`);
    at = Number.isNaN(typed.getTime()) ? new Date() : typed;
    panel = make("div", { class: "calendar", role: "dialog", "aria-label": button.getAttribute("aria-label") });
    box.append(panel);
    const place = box.getBoundingClientRect();
    panel.classList.toggle("up", place.bottom + 330 > innerHeight && place.top > 390);
    panel.classList.toggle("end", place.left + 280 > document.documentElement.clientWidth);
    button.setAttribute("aria-expanded", "true");
    draw();
    panel.querySelector("[tabindex='0']").focus();
  });
  box.addEventListener("keydown", (event) => {
    if (!panel) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      return close(true);
    }
    if (!event.target.dataset.day) return;
    const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    const months = { PageUp: -1, PageDown: 1 }[event.key];
    if (days === undefined && months === undefined) return;
    event.preventDefault();
    at = days === undefined ? monthsOn(at, months) : plus(at, days);
    draw();
    panel.querySelector("[tabindex='0']").focus();
  });
  document.addEventListener("click", (event) => {
    if (panel && event.target.isConnected && !box.contains(event.target)) close(false);
  });
}
