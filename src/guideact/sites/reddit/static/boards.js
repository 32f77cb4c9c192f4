/* The boards' small behaviours: votes in place, folding, menus, lists that suggest, the editor, endless lists, cards.
   Everything works without this file too, only with more page loads. */
"use strict";
document.documentElement.classList.remove("no-js");
const token = document.querySelector("meta[name=csrf]").content;

/* Toasts go by themselves. */
function startToast(toast) {
  toast.querySelector("[data-dismiss]").addEventListener("click", () => toast.remove());
  setTimeout(() => { toast.classList.add("leaving"); setTimeout(() => toast.remove(), 300); }, 7000);
}
document.querySelectorAll(".toast").forEach(startToast);
function say(text) {
  if (!text) return;
  const toast = document.getElementById("toast-shape").content.firstElementChild.cloneNode(true);
  toast.querySelector("span").textContent = text;
  document.getElementById("live-toasts").replaceChildren(toast);
  startToast(toast);
}

/* Votes, saving, hiding: the button's own address is asked, and the answer is shown where the button is. */
document.addEventListener("submit", async (event) => {
  const button = event.submitter;
  if (event.target.id !== "deeds" || !button?.hasAttribute("data-deed")) return;
  event.preventDefault();
  const answer = await fetch(button.formAction, {
    method: "POST", headers: { "X-CSRF-Token": token, "X-Requested-With": "fetch" }, body: new URLSearchParams({ csrf: token }),
  });
  if (!answer.ok || answer.redirected) { location.reload(); return; }
  const facts = await answer.json();
  const votes = button.closest("[data-votes]");
  if (votes) {
    votes.querySelector(".score").textContent = facts.score;
    votes.querySelector(".vote-up").setAttribute("aria-pressed", String(facts.vote === 1));
    votes.querySelector(".vote-down").setAttribute("aria-pressed", String(facts.vote === -1));
  } else button.setAttribute("aria-pressed", String(facts.pressed));
  say(facts.text);
});

/* Menus: click, Escape, and a click elsewhere. */
document.querySelectorAll("[data-menu]").forEach((menu) => {
  const button = menu.querySelector("button[aria-controls]");
  const show = (open) => { menu.classList.toggle("open", open); button.setAttribute("aria-expanded", String(open)); };
  button.addEventListener("click", () => show(!menu.classList.contains("open")));
  menu.addEventListener("keydown", (event) => { if (event.key === "Escape") { show(false); button.focus(); } });
  document.addEventListener("click", (event) => { if (!menu.contains(event.target)) show(false); });
});
const navToggle = document.querySelector(".nav-toggle");
navToggle.addEventListener("click", () => {
  navToggle.setAttribute("aria-expanded", String(document.getElementById("side").classList.toggle("open")));
});

/* Folding a comment away, with all answers to it. */
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-fold]");
  if (!button) return;
  const open = button.getAttribute("aria-expanded") !== "true";
  button.setAttribute("aria-expanded", String(open));
  document.getElementById(button.getAttribute("aria-controls")).hidden = !open;
  button.closest(".comment").classList.toggle("folded", !open);
});

/* A field that suggests: an ARIA combobox over a list that the server renders. */
document.querySelectorAll("[data-suggest]").forEach((root) => {
  const input = root.querySelector("[role=combobox]");
  const list = root.querySelector("[role=listbox]");
  let timer = 0, asked = 0, active = -1;
  const items = () => [...list.querySelectorAll("[role=option]")];
  const close = () => { asked++; list.hidden = true; active = -1; input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); };
  const choose = (item) => {
    if (item.dataset.href) { location.href = item.dataset.href; return; }
    input.value = item.dataset.value;
    close();
  };
  const mark = (index) => {
    active = index;
    items().forEach((item, at) => {
      item.setAttribute("aria-selected", String(at === index));
      if (at === index) { input.setAttribute("aria-activedescendant", item.id); item.scrollIntoView({ block: "nearest" }); }
    });
  };
  const ask = async () => {
    const words = input.value.trim();
    const turn = ++asked;
    if (words.length < 2) { close(); return; }
    const answer = await fetch(root.dataset.suggest + "?q=" + encodeURIComponent(words));
    if (!answer.ok || turn !== asked) return;
    list.innerHTML = await answer.text();
    active = -1;
    const some = items().length > 0;
    list.hidden = !some;
    input.setAttribute("aria-expanded", String(some));
  };
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
  input.addEventListener("keydown", (event) => {
    const all = items();
    if (list.hidden || !all.length) return;
    if (event.key === "ArrowDown") { event.preventDefault(); mark((active + 1) % all.length); }
    else if (event.key === "ArrowUp") { event.preventDefault(); mark((active - 1 + all.length) % all.length); }
    else if (event.key === "Enter" && active >= 0) { event.preventDefault(); choose(all[active]); }
    else if (event.key === "Escape") { event.preventDefault(); close(); }
  });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => { const item = event.target.closest("[role=option]"); if (item) choose(item); });
  input.addEventListener("blur", () => { clearTimeout(timer); close(); });
});

/* A native list becomes a combobox with a list that can be narrowed by typing; the native one keeps the value. */
function comboboxFor(select) {
  const box = document.createElement("div");
  box.className = "combo";
  const input = document.createElement("input");
  const list = document.createElement("ul");
  input.className = "input";
  input.id = select.id;
  list.id = select.id + "-list";
  select.id += "-native";
  select.hidden = true;
  select.tabIndex = -1;
  Object.entries({ role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": list.id, autocomplete: "off" })
    .forEach(([name, text]) => input.setAttribute(name, text));
  if (select.getAttribute("aria-invalid")) input.setAttribute("aria-invalid", "true");
  list.className = "pop-list";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", document.querySelector(`label[for="${input.id}"]`)?.firstChild.textContent.trim() ?? "");
  list.hidden = true;
  select.before(box);
  box.append(input, list, select);
  let active = -1;
  const shown = () => { input.value = select.value ? select.selectedOptions[0].textContent : ""; input.placeholder = select.options[0].textContent; };
  const items = () => [...list.children];
  const close = () => { list.hidden = true; active = -1; input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); };
  const open = (words) => {
    const wanted = words.toLowerCase();
    list.replaceChildren(...[...select.options].filter((one) => one.textContent.toLowerCase().includes(wanted)).map((one, at) => {
      const item = document.createElement("li");
      item.id = `${list.id}-${at}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", String(one.selected));
      item.dataset.value = one.value;
      item.textContent = one.textContent;
      return item;
    }));
    list.hidden = list.children.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    active = -1;
  };
  const choose = (item) => {
    select.value = item.dataset.value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    shown();
    close();
  };
  const mark = (index) => {
    active = index;
    items().forEach((item, at) => item.classList.toggle("is-active", at === index));
    input.setAttribute("aria-activedescendant", items()[index].id);
    items()[index].scrollIntoView({ block: "nearest" });
  };
  input.addEventListener("click", () => { if (list.hidden) { open(""); input.select(); } else close(); });
  input.addEventListener("input", () => open(input.value.trim()));
  input.addEventListener("keydown", (event) => {
    const all = items();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) { open(""); return; }
      mark((active + (event.key === "ArrowDown" ? 1 : -1) + all.length) % all.length);
    } else if (event.key === "Enter" && !list.hidden && all.length) {
      event.preventDefault();
      choose(all[active >= 0 ? active : 0]);
    } else if (event.key === "Escape" && !list.hidden) { event.preventDefault(); shown(); close(); }
  });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => { const item = event.target.closest("[role=option]"); if (item) choose(item); });
  input.addEventListener("blur", () => {
    // A whole name that was typed counts as chosen.
    const typed = [...select.options].find((one) => one.textContent.toLowerCase() === input.value.trim().toLowerCase());
    if (typed && typed.value !== select.value) { select.value = typed.value; select.dispatchEvent(new Event("change", { bubbles: true })); }
    shown();
    close();
  });
  select.addEventListener("refill", shown);
  shown();
}
document.querySelectorAll("select[data-combobox]").forEach(comboboxFor);

/* The flairs follow the forum. */
document.querySelectorAll("select[data-flairs]").forEach((forum) => forum.addEventListener("change", async () => {
  const flair = document.getElementById(forum.dataset.flairs + "-native");
  const answer = forum.value ? await fetch(`/f/${forum.value}/flairs`) : null;
  const found = answer?.ok ? await answer.json() : [];
  flair.replaceChildren(flair.options[0], ...found.map((one) => new Option(one.text, one.value)));
  flair.value = "";
  flair.dispatchEvent(new Event("refill"));
}));

/* A new post shows the fields of its kind only. */
document.querySelectorAll("form[data-kinds]").forEach((form) => {
  const show = () => {
    const kind = form.elements.kind.value;
    form.querySelectorAll("[data-kind]").forEach((part) => { part.hidden = !part.dataset.kind.split(" ").includes(kind); });
  };
  form.addEventListener("change", (event) => { if (event.target.name === "kind") show(); });
  show();
});

/* The editor: marks around what is selected, and a look at how it will be. */
document.querySelectorAll("[data-editor]").forEach((editor) => {
  const area = editor.querySelector("textarea");
  const replace = (text, from, to) => { area.setRangeText(text, from, to, "end"); area.focus(); area.dispatchEvent(new Event("input", { bubbles: true })); };
  editor.querySelector(".editor-tools").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { selectionStart: from, selectionEnd: to, value } = area;
    const chosen = value.slice(from, to);
    if (button.dataset.wrap) {
      const mark = button.dataset.wrap;
      replace(mark + chosen + mark, from, to);
      if (!chosen) area.setSelectionRange(from + mark.length, from + mark.length);
    } else if (button.hasAttribute("data-link")) {
      replace(`[${chosen}](https://)`, from, to);
    } else {
      const start = value.lastIndexOf("\n", from - 1) + 1;
      replace(value.slice(start, to).split("\n").map((line) => button.dataset.line + line).join("\n"), start, to);
    }
  });
  editor.querySelector("[data-preview]").addEventListener("click", async (event) => {
    const panel = document.getElementById(event.currentTarget.getAttribute("aria-controls"));
    const answer = await fetch("/preview", { method: "POST", headers: { "X-CSRF-Token": token }, body: new URLSearchParams({ text: area.value }) });
    if (answer.ok && !answer.redirected) panel.innerHTML = await answer.text();
  });
});

/* An endless list: the next part comes when its button comes near, or is pressed. After three parts it waits for the button. */
document.querySelectorAll("[data-feed]").forEach((feed) => {
  let parts = 0;
  const load = async (link) => {
    if (link.getAttribute("aria-busy") === "true") return;
    link.setAttribute("aria-busy", "true");
    const answer = await fetch(link.href, { headers: { "X-Part": "feed" } });
    if (!answer.ok) { link.removeAttribute("aria-busy"); return; }
    const part = document.createElement("template");
    part.innerHTML = await answer.text();
    link.closest(".more").replaceWith(part.content);
    parts += 1;
    watch();
  };
  const near = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (entry.isIntersecting && parts < 3) { near.unobserve(entry.target); load(entry.target); }
  }), { rootMargin: "120px" });
  const watch = () => feed.querySelectorAll("[data-more]").forEach((link) => near.observe(link));
  feed.addEventListener("click", (event) => {
    const link = event.target.closest("[data-more]");
    if (link) { event.preventDefault(); load(link); }
  });
  watch();
});

/* The card over a member's name: after resting on it for a moment, or when the name has the focus. */
const hover = document.getElementById("hover-card");
let hoverTimer = 0, hoverTurn = 0;
let moved = null;
document.addEventListener("pointermove", (event) => { if (moved === null) moved = false; else if (event.movementX || event.movementY) moved = true; }, true);
function closeCard() { clearTimeout(hoverTimer); hoverTurn += 1; hover.hidden = true; }
async function showCard(link) {
  const turn = ++hoverTurn;
  const answer = await fetch(`/user/${encodeURIComponent(link.dataset.card)}/card`);
  if (!answer.ok || turn !== hoverTurn) return;
  hover.innerHTML = await answer.text();
  const at = link.getBoundingClientRect();
  hover.hidden = false;
  const left = Math.min(at.left, innerWidth - hover.offsetWidth - 16);
  const below = at.bottom + hover.offsetHeight + 10 < innerHeight;
  hover.style.left = `${Math.max(8, left) + scrollX}px`;
  hover.style.top = `${(below ? at.bottom + 6 : at.top - hover.offsetHeight - 6) + scrollY}px`;
}
document.addEventListener("pointerover", (event) => {
  const link = event.target.closest?.("[data-card]");
  if (!link || event.pointerType !== "mouse" || !moved) return;
  clearTimeout(hoverTimer);
  hoverTimer = setTimeout(() => showCard(link), 450);
});
document.addEventListener("pointerout", (event) => { if (event.target.closest?.("[data-card]")) closeCard(); });
document.addEventListener("focusin", (event) => { if (event.target.matches?.("[data-card]:focus-visible")) showCard(event.target); });
document.addEventListener("focusout", (event) => { if (event.target.matches?.("[data-card]")) closeCard(); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") closeCard(); });

/* Dialogs; a report is sent from one. */
document.querySelectorAll("dialog").forEach((dialog) => {
  dialog.querySelectorAll("[data-close]").forEach((button) => button.addEventListener("click", () => dialog.close()));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-report]");
  const dialog = document.getElementById("report-dialog");
  if (!link || !dialog) return;
  event.preventDefault();
  dialog.querySelector("form").action = link.href;
  dialog.showModal();
});

/* What is wrong with a form is brought into view. */
document.querySelector("main .has-error, main .field-error")?.scrollIntoView({ block: "center" });
