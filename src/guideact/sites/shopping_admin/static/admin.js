// Behaviour of the back office's frame and lists. Questions before a submit, tabs and self-sending selects: common.js.

// Side menu: a group's button opens its flyout; on narrow screens the whole menu is a drawer.
const sidebar = document.getElementById("sidebar");
const menuToggle = document.querySelector(".menu-toggle");

function closeFlyouts(except) {
  for (const button of document.querySelectorAll(".menu > li > button[aria-expanded=true]")) {
    if (button !== except) button.setAttribute("aria-expanded", "false");
  }
}

function setDrawer(open) {
  sidebar.classList.toggle("open", open);
  menuToggle.setAttribute("aria-expanded", String(open));
}

// Drop-downs: a button and the panel after it.
function closeDropdowns(except) {
  for (const box of document.querySelectorAll("[data-dropdown]")) {
    if (box === except) continue;
    box.querySelector("[aria-expanded]").setAttribute("aria-expanded", "false");
    box.lastElementChild.hidden = true;
  }
}

document.addEventListener("click", (event) => {
  const target = event.target;
  const group = target.closest(".menu > li > button");
  if (group) {
    const open = group.getAttribute("aria-expanded") !== "true";
    closeFlyouts(group);
    group.setAttribute("aria-expanded", String(open));
  } else if (!target.closest(".flyout")) {
    closeFlyouts();
  }
  if (target.closest(".menu-toggle")) setDrawer(!sidebar.classList.contains("open"));
  else if (sidebar?.classList.contains("open") && !target.closest(".sidebar")) setDrawer(false);

  const box = target.closest("[data-dropdown]");
  closeDropdowns(box);
  if (box && target.closest("[aria-expanded]")?.parentElement === box) {
    const button = target.closest("[aria-expanded]");
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    box.lastElementChild.hidden = !open;
  }

  const toggle = target.closest("[data-toggle]");
  if (toggle) {
    const panel = document.getElementById(toggle.dataset.toggle);
    panel.hidden = !panel.hidden;
    toggle.setAttribute("aria-expanded", String(!panel.hidden));
  }
  const opener = target.closest("[data-modal]");
  if (opener) document.getElementById(opener.dataset.modal).showModal();
  if (target.closest("[data-close]")) target.closest("dialog").close();
  if (target.closest("[data-dismiss]")) target.closest(".alert").remove();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const box = event.target.closest?.("[data-dropdown]");
    const open = document.querySelector(".menu > li > button[aria-expanded=true]");
    closeDropdowns();
    closeFlyouts();
    if (sidebar?.classList.contains("open")) {
      setDrawer(false);
      menuToggle.focus();
    }
    if (box) box.querySelector("[aria-expanded]").focus();
    else if (open && event.target.closest(".menu")) open.focus();
  }
  if (event.key === "/" && !event.target.closest("input, textarea, select, [contenteditable]")) {
    event.preventDefault();
    document.getElementById("global-search")?.focus();
  }
});

// A search or filter form sends what was filled in and nothing else, so that addresses stay short.
document.addEventListener("formdata", (event) => {
  if (event.target.method !== "get") return;
  for (const [name, value] of [...event.formData]) {
    if (value === "") event.formData.delete(name);
  }
});

// Short messages for what was saved without a new page.
function toast(text, error = false) {
  const note = document.createElement("div");
  note.className = error ? "toast error" : "toast";
  note.textContent = text;
  document.querySelector(".toasts").append(note);
  setTimeout(() => note.remove(), 8000);
}

// Lists: selection, the value that some mass actions need, and the question before they run.
const mass = document.querySelector("[data-mass]");
if (mass) {
  const all = document.querySelector("[data-select-all]");
  const boxes = () => [...document.querySelectorAll("input[name=ids]")];
  const chosen = () => boxes().filter((box) => box.checked).length;
  const noun = (count) => (count === 1 ? mass.dataset.singular : mass.dataset.plural);
  const select = mass.querySelector("select[name=action]");

  function count() {
    const selected = chosen();
    mass.querySelector("[data-selected]").textContent = `${selected} selected`;
    all.checked = selected > 0 && selected === boxes().length;
    all.indeterminate = selected > 0 && selected < boxes().length;
  }
  function showField() {
    for (const option of select.options) {
      if (option.dataset.field) document.getElementById(option.dataset.field).hidden = !option.selected;
    }
  }
  all.addEventListener("change", () => {
    for (const box of boxes()) box.checked = all.checked;
    count();
  });
  document.addEventListener("change", (event) => {
    if (event.target.name === "ids") count();
  });
  select.addEventListener("change", showField);
  mass.addEventListener("submit", (event) => {
    const selected = chosen();
    const question = select.selectedOptions[0].dataset.question;
    if (!select.value || !selected) {
      event.preventDefault();
      toast(select.value ? `Select at least one ${mass.dataset.singular} first.` : "Choose an action first.", true);
    } else if (question) {
      const text = question.replace("{count}", selected).replace("{noun}", noun(selected));
      if (!window.confirm(text)) event.preventDefault();
    }
  });
  count();
  showField();
}

// Stock edited in the list: the button turns into a field; Enter or Save sends it, Escape gives up.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-stock]");
  if (!button) return;
  const cell = button.parentElement;
  const before = button.dataset.value;
  const form = document.createElement("form");
  form.className = "stock-edit";
  const input = document.createElement("input");
  input.type = "text";
  input.inputMode = "numeric";
  input.value = before;
  input.setAttribute("aria-label", `Stock of ${button.dataset.name}`);
  const save = document.createElement("button");
  save.type = "submit";
  save.className = "button primary small";
  save.textContent = "Save";
  save.setAttribute("aria-label", `Save stock of ${button.dataset.name}`);
  form.append(input, save);
  button.hidden = true;
  cell.append(form);
  input.focus();
  input.select();
  function close() {
    form.remove();
    button.hidden = false;
    button.focus();
  }
  form.addEventListener("keydown", (key) => {
    if (key.key === "Escape") close();
  });
  form.addEventListener("submit", async (submit) => {
    submit.preventDefault();
    const body = new URLSearchParams({ stock: input.value });
    const headers = { "X-CSRF-Token": document.querySelector("meta[name=csrf]").content };
    const response = await fetch(button.dataset.stock, { method: "POST", body, headers });
    const answer = response.headers.get("content-type")?.startsWith("application/json") ? await response.json() : {};
    if (!response.ok) {
      input.setAttribute("aria-invalid", "true");
      toast(answer.error ?? "The stock could not be saved. Reload the page and try again.", true);
      return;
    }
    button.dataset.value = answer.stock;
    button.firstChild.textContent = answer.stock;
    cell.classList.toggle("none", answer.stock <= 0);
    cell.classList.toggle("low", answer.stock > 0 && answer.stock <= answer.low);
    close();
    toast(answer.message);
  });
});

// The global search's suggestions: a combobox with a list box.
const search = document.querySelector("[data-global-search]");
if (search) {
  const input = search.querySelector("input");
  const list = search.querySelector("[role=listbox]");
  let timer = 0;
  let active = -1;
  let asked = "";
  function close() {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }
  function mark(index) {
    active = index;
    [...list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === index)));
    if (index >= 0) {
      input.setAttribute("aria-activedescendant", list.children[index].id);
      list.children[index].scrollIntoView({ block: "nearest" });
    }
  }
  async function suggest() {
    const query = input.value.trim();
    if (query.length < 2) return close();
    if (query === asked && !list.hidden) return;
    asked = query;
    const response = await fetch(`/search/suggest?q=${encodeURIComponent(query)}`);
    if (!response.ok || query !== input.value.trim()) return;
    const found = await response.json();
    list.replaceChildren(...found.map((one, at) => {
      const item = document.createElement("li");
      item.id = `suggestion-${at}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.dataset.url = one.url;
      const label = document.createElement("span");
      label.textContent = one.label;
      const kind = document.createElement("small");
      kind.textContent = one.detail;
      item.append(label, kind);
      return item;
    }));
    list.hidden = found.length === 0;
    active = -1;
    input.setAttribute("aria-expanded", String(found.length > 0));
  }
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(suggest, 150);
  });
  input.addEventListener("keydown", (event) => {
    const size = list.hidden ? 0 : list.children.length;
    if (event.key === "ArrowDown" && size) { event.preventDefault(); mark((active + 1) % size); }
    else if (event.key === "ArrowUp" && size) { event.preventDefault(); mark((active - 1 + size) % size); }
    else if (event.key === "Enter" && active >= 0) { event.preventDefault(); location.href = list.children[active].dataset.url; }
    else if (event.key === "Escape") close();
  });
  list.addEventListener("click", (event) => {
    const item = event.target.closest("[role=option]");
    if (item) location.href = item.dataset.url;
  });
  document.addEventListener("click", (event) => {
    if (!search.contains(event.target)) close();
  });
}

// What was wrong with a form comes into view.
document.querySelector("[data-focus]")?.focus();

// A category tree's branches fold.
document.addEventListener("click", (event) => {
  const toggle = event.target.closest("[data-branch]");
  if (!toggle) return;
  const branch = document.getElementById(toggle.dataset.branch);
  branch.hidden = !branch.hidden;
  toggle.setAttribute("aria-expanded", String(!branch.hidden));
});

// What scrolls by itself can be reached by keyboard; what does not is no stop on the way.
function scrollStops() {
  for (const box of document.querySelectorAll(".table-scroll, .history, .chart-scroll")) {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
scrollStops();
window.addEventListener("resize", scrollStops);
