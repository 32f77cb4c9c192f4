/* The encyclopedia's small behaviours: suggestions, sortable tables, previews of links, dialogs, the editor's toolbar.
   Everything can be read and edited without this file. */
"use strict";

/* Search suggestions: an ARIA combobox with a list box. */
document.querySelectorAll("[data-suggest]").forEach((form) => {
  const input = form.querySelector("[role=combobox]");
  const list = form.querySelector("[role=listbox]");
  let timer = 0, asked = 0, active = -1;
  const items = () => [...list.querySelectorAll("[role=option]")];
  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = (index) => {
    active = index;
    items().forEach((item, at) => {
      item.setAttribute("aria-selected", String(at === index));
      if (at === index) {
        input.setAttribute("aria-activedescendant", item.id);
        item.scrollIntoView({ block: "nearest" });
      }
    });
  };
  const ask = async () => {
    const turn = ++asked;
    if (!input.value.trim()) { close(); return; }
    const answer = await fetch("/search/suggest?q=" + encodeURIComponent(input.value.trim()));
    if (!answer.ok || turn !== asked || document.activeElement !== input) return;
    list.innerHTML = await answer.text();
    active = -1;
    const some = items().length > 0;
    list.hidden = !some;
    input.setAttribute("aria-expanded", String(some));
  };
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 150); });
  input.addEventListener("keydown", (event) => {
    const all = items();
    if (list.hidden || !all.length) return;
    if (event.key === "ArrowDown") { event.preventDefault(); mark((active + 1) % all.length); }
    else if (event.key === "ArrowUp") { event.preventDefault(); mark((active - 1 + all.length) % all.length); }
    else if (event.key === "Enter" && active >= 0) { event.preventDefault(); location.href = all[active].dataset.href; }
    else if (event.key === "Escape") { event.preventDefault(); close(); }
  });
  form.addEventListener("submit", () => { clearTimeout(timer); asked += 1; close(); });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const item = event.target.closest("[role=option]");
    if (item) location.href = item.dataset.href;
  });
  input.addEventListener("blur", close);
});

/* Tables that are sorted by a click on the head of a column: numbers as numbers, the rest by the alphabet. */
const asNumber = (text) => (/^[\d,]+(\.\d+)?$/.test(text) ? Number(text.replaceAll(",", "")) : NaN);
document.querySelectorAll("table.sortable").forEach((table) => {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    if (!button) return;
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const body = table.tBodies[0];
      const rows = [...body.rows].map((row, at) => ({ row, at, text: row.cells[column].textContent.trim() }));
      rows.sort((a, b) => {
        const x = asNumber(a.text), y = asNumber(b.text);
        let order;
        if (Number.isNaN(x) !== Number.isNaN(y)) order = Number.isNaN(x) ? 1 : -1;
        else order = Number.isNaN(x) ? a.text.localeCompare(b.text, "en") : x - y;
        return (down ? -order : order) || a.at - b.at;
      });
      body.append(...rows.map((one) => one.row));
    });
  });
});

/* A card beside a link while the pointer or the focus rests on it; Escape takes it away. */
if (document.body.dataset.previews === "on") {
  const kept = new Map();
  let card = null, timer = 0, on = null, moved = false;
  const hide = () => { clearTimeout(timer); on = null; card?.remove(); card = null; };
  const show = async (link) => {
    const path = new URL(link.href).pathname;
    if (path === location.pathname) return;
    if (!kept.has(path)) {
      const answer = await fetch(path.replace("/wiki/", "/preview/"));
      kept.set(path, answer.ok ? await answer.text() : "");
    }
    if (on !== link || !kept.get(path)) return;
    card?.remove();
    card = document.createElement("div");
    card.className = "card";
    card.id = "link-card";
    card.setAttribute("role", "tooltip");
    card.innerHTML = kept.get(path);
    document.body.append(card);
    link.setAttribute("aria-describedby", "link-card");
    const at = link.getBoundingClientRect();
    const below = at.bottom + card.offsetHeight + 8 < innerHeight;
    card.style.left = `${Math.max(8, Math.min(at.left, innerWidth - card.offsetWidth - 16)) + scrollX}px`;
    card.style.top = `${(below ? at.bottom + 6 : at.top - card.offsetHeight - 6) + scrollY}px`;
  };
  const wait = (link, time) => { hide(); on = link; timer = setTimeout(() => show(link), time); };
  document.addEventListener("pointermove", () => { moved = true; }, { once: true });
  document.addEventListener("pointerover", (event) => {
    const link = event.target.closest("a.wl");
    if (link && moved && event.pointerType === "mouse" && link !== on) wait(link, 450);
    else if (!link && on && !event.target.closest(".card") && on !== document.activeElement) hide();
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches("a.wl:focus-visible")) wait(event.target, 300);
    else if (on) hide();
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  document.addEventListener("scroll", () => { if (card) hide(); }, { passive: true });
  document.addEventListener("click", hide);
}

/* Dialogs, and the viewer of pictures. */
document.querySelectorAll("[data-dialog]").forEach((opener) => opener.addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById(opener.dataset.dialog).showModal();
}));
document.querySelectorAll("dialog").forEach((dialog) => {
  dialog.querySelectorAll("[data-close]").forEach((button) => button.addEventListener("click", () => dialog.close()));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
});
const viewer = document.getElementById("picture-viewer");
document.querySelectorAll("a[data-viewer]").forEach((link) => link.addEventListener("click", (event) => {
  event.preventDefault();
  viewer.querySelector("img").src = link.dataset.viewer;
  const caption = link.parentElement.querySelector("figcaption, .infobox-caption");
  viewer.querySelector(".viewer-caption").textContent = caption ? caption.textContent : "";
  viewer.querySelector(".viewer-link").href = link.href;
  viewer.showModal();
}));

/* Messages go when they are dismissed; menus close when something else is used. */
document.querySelectorAll("[data-dismiss]").forEach((button) => button.addEventListener("click", () => button.parentElement.remove()));
document.querySelectorAll("details[data-menu]").forEach((menu) => {
  document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && menu.open) { menu.open = false; menu.querySelector("summary").focus(); }
  });
});

/* The editor's buttons put marks around what is chosen. */
document.querySelectorAll("[data-toolbar]").forEach((bar) => {
  const area = document.getElementById(bar.dataset.toolbar);
  bar.querySelectorAll("button").forEach((button) => button.addEventListener("click", () => {
    const { selectionStart: from, selectionEnd: to } = area;
    const { before, after } = button.dataset;
    area.setRangeText(before + area.value.slice(from, to) + after, from, to, "end");
    area.focus();
    area.setSelectionRange(from + before.length, to + before.length);
  }));
});
