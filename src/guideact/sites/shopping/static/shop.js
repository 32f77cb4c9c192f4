/* The storefront's small behaviours: menus, search suggestions, tabs, dialogs, toasts, the cookie banner.
   Everything works without this file too, only with more page loads. */
"use strict";
document.documentElement.classList.remove("no-js");

/* Menus that open by hovering, by clicking and by keyboard. A pointer that merely rests where a page loads opens nothing. */
let pointerStart = null;
let pointerMoved = false;
document.addEventListener("pointermove", (event) => {
  if (pointerStart === null) pointerStart = [event.screenX, event.screenY];
  else if (event.screenX !== pointerStart[0] || event.screenY !== pointerStart[1]) pointerMoved = true;
}, true);

function disclosure(root, button) {
  let timer = 0;
  let hovered = false;
  const show = (open, byHover = false) => {
    clearTimeout(timer);
    hovered = open && byHover;
    if (open) document.querySelectorAll("[data-menu].open, [data-mega].open").forEach((other) => {
      if (other !== root) other.dispatchEvent(new CustomEvent("shut"));
    });
    root.classList.toggle("open", open);
    button.setAttribute("aria-expanded", String(open));
  };
  root.addEventListener("shut", () => show(false));
  root.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || !pointerMoved || root.classList.contains("open")) return;
    clearTimeout(timer);
    timer = setTimeout(() => show(true, true), 120);
  });
  root.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "mouse") return;
    clearTimeout(timer);
    timer = setTimeout(() => show(false), 250);
  });
  button.addEventListener("click", () => show(hovered || !root.classList.contains("open")));
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && root.classList.contains("open")) { show(false); button.focus(); }
    if (event.key === "ArrowDown" && !root.classList.contains("open")) {
      event.preventDefault();
      show(true);
      const first = root.querySelector(".mega a, .menu-panel a");
      if (first) first.focus();
    }
  });
  root.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !root.contains(event.relatedTarget)) show(false);
  });
}
document.querySelectorAll("[data-menu]").forEach((menu) => disclosure(menu, menu.querySelector("button[aria-controls]")));
document.querySelectorAll("[data-mega]").forEach((item) => {
  const button = item.querySelector(".nav-caret");
  if (button) disclosure(item, button);
});
document.addEventListener("click", (event) => {
  document.querySelectorAll("[data-menu].open, [data-mega].open").forEach((menu) => {
    if (!menu.contains(event.target)) menu.dispatchEvent(new CustomEvent("shut"));
  });
});
const navToggle = document.querySelector(".nav-toggle");
if (navToggle) navToggle.addEventListener("click", () => {
  const open = document.getElementById("site-nav").classList.toggle("open");
  navToggle.setAttribute("aria-expanded", String(open));
});

/* Search suggestions: an ARIA combobox with a list box. */
document.querySelectorAll("[data-suggest]").forEach((form) => {
  const input = form.querySelector("[role=combobox]");
  const list = form.querySelector("[role=listbox]");
  let timer = 0, asked = 0, active = -1;
  const items = () => [...list.querySelectorAll("[role=option]")];
  const close = () => { list.hidden = true; active = -1; input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); };
  const choose = (item) => { location.href = item.dataset.href; };
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
    const answer = await fetch("/search/suggest?q=" + encodeURIComponent(words));
    if (!answer.ok || turn !== asked) return;
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
    else if (event.key === "Enter" && active >= 0) { event.preventDefault(); choose(all[active]); }
    else if (event.key === "Escape") { event.preventDefault(); close(); }
  });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => { const item = event.target.closest("[role=option]"); if (item) choose(item); });
  input.addEventListener("blur", close);
});

/* A link that opens a tab of the page (common.js runs the tabs themselves). */
document.querySelectorAll("[data-open-tab]").forEach((link) => link.addEventListener("click", () => {
  document.getElementById(link.dataset.openTab).click();
}));

/* On a small screen the filters start closed. */
if (matchMedia("(max-width: 820px)").matches) document.querySelectorAll(".filter-drawer").forEach((drawer) => { drawer.open = false; });

/* What is wrong with a form is brought into view. */
const wrong = document.querySelector("main .has-error");
if (wrong) wrong.scrollIntoView({ block: "center" });

/* Dialogs. */
document.querySelectorAll("[data-dialog]").forEach((opener) => opener.addEventListener("click", () => {
  document.getElementById(opener.dataset.dialog).showModal();
}));
document.querySelectorAll("dialog").forEach((dialog) => {
  dialog.querySelectorAll("[data-close]").forEach((button) => button.addEventListener("click", () => dialog.close()));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
});

/* Toasts go by themselves. */
document.querySelectorAll(".toast").forEach((toast) => {
  const leave = () => { toast.classList.add("leaving"); setTimeout(() => toast.remove(), 300); };
  toast.querySelector("[data-dismiss]").addEventListener("click", () => toast.remove());
  setTimeout(leave, 7000);
});

/* The cookie banner closes in place. */
document.querySelectorAll("form[data-cookies]").forEach((form) => form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(data), headers: { "X-Requested-With": "fetch" } });
  if (answer.ok) form.closest(".cookie-banner").remove();
}));

/* Passwords in the clear, when asked for. */
document.querySelectorAll("[data-show-password]").forEach((box) => box.addEventListener("change", () => {
  document.getElementById(box.dataset.showPassword).type = box.checked ? "text" : "password";
}));
