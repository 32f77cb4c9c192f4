/* The product page: the quantity stepper, custom list boxes over selects, the price with its options. */
"use strict";

/* <quantity-stepper label max>: buttons around a number, in an open shadow root. It keeps the plain input inside it up to
   date, which is what the form sends and what is left without scripts. */
class QuantityStepper extends HTMLElement {
  connectedCallback() {
    const plain = this.querySelector("input");
    const most = Number(this.getAttribute("max")) || 99;
    const label = this.getAttribute("label") || "Quantity";
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `
      <style>
        :host { display: inline-flex; }
        div { display: flex; align-items: center; border: 1px solid #c5c7da; border-radius: 6px; overflow: hidden; background: #fff; height: 52px; }
        button { width: 44px; height: 100%; border: 0; background: #fff; font: 500 22px/1 inherit; color: #2b2a6b; cursor: pointer; }
        button:hover { background: #e9e9f8; }
        button[disabled] { color: #c5c7da; cursor: default; background: #fff; }
        input { width: 52px; height: 100%; border: 0; text-align: center; font: inherit; font-weight: 600; color: inherit; font-variant-numeric: tabular-nums; }
        :focus-visible { outline: 3px solid #7b79e0; outline-offset: -3px; }
      </style>
      <div role="group"><button type="button" data-step="-1">−</button><input inputmode="numeric"><button type="button" data-step="1">+</button></div>`;
    const group = root.querySelector("div");
    const shown = root.querySelector("input");
    const [less, more] = root.querySelectorAll("button");
    group.setAttribute("aria-label", label);
    shown.setAttribute("aria-label", label);
    less.setAttribute("aria-label", "Decrease quantity");
    more.setAttribute("aria-label", "Increase quantity");
    const put = (text) => {
      plain.value = text;
      if (shown.value !== text) shown.value = text;
      const number = Number(text);
      less.disabled = number <= 1;
      more.disabled = number >= most;
    };
    const step = (by) => put(String(Math.min(most, Math.max(1, (parseInt(shown.value, 10) || 0) + by))));
    put(plain.value);
    shown.addEventListener("input", () => put(shown.value));
    shown.addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); plain.form.requestSubmit(); }
      else if (event.key === "ArrowUp") { event.preventDefault(); step(1); }
      else if (event.key === "ArrowDown") { event.preventDefault(); step(-1); }
    });
    root.querySelectorAll("button").forEach((button) => button.addEventListener("click", () => step(Number(button.dataset.step))));
  }
}
customElements.define("quantity-stepper", QuantityStepper);

/* A select with data-listbox becomes a button with a list box; the select stays in the form, out of sight. */
document.querySelectorAll("select[data-listbox]").forEach((select) => {
  const label = document.getElementById("l-" + select.name);
  const box = document.createElement("div");
  box.className = "listbox";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "input listbox-button";
  button.id = select.id + "-button";
  button.setAttribute("role", "combobox");
  button.setAttribute("aria-haspopup", "listbox");
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-controls", select.id + "-list");
  button.setAttribute("aria-labelledby", label.id);
  if (select.getAttribute("aria-invalid")) {
    button.setAttribute("aria-invalid", "true");
    button.setAttribute("aria-describedby", select.getAttribute("aria-describedby"));
  }
  const list = document.createElement("ul");
  list.id = select.id + "-list";
  list.className = "listbox-list";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-labelledby", label.id);
  list.hidden = true;
  const items = [...select.options].filter((option) => option.value).map((option, index) => {
    const item = document.createElement("li");
    item.id = `${list.id}-${index}`;
    item.setAttribute("role", "option");
    item.textContent = option.text;
    item.dataset.value = option.value;
    list.append(item);
    return item;
  });
  let active = -1;
  const draw = () => {
    button.textContent = select.selectedOptions[0].text;
    items.forEach((item) => item.setAttribute("aria-selected", String(item.dataset.value === select.value)));
  };
  const mark = (index) => {
    active = index;
    items.forEach((item, at) => item.classList.toggle("is-active", at === index));
    if (index >= 0) { button.setAttribute("aria-activedescendant", items[index].id); items[index].scrollIntoView({ block: "nearest" }); }
    else button.removeAttribute("aria-activedescendant");
  };
  const show = (open) => {
    list.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    mark(open ? items.findIndex((item) => item.dataset.value === select.value) : -1);
  };
  const choose = (index) => {
    select.value = items[index].dataset.value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    draw();
    show(false);
    button.focus();
  };
  button.addEventListener("click", () => show(list.hidden));
  button.addEventListener("keydown", (event) => {
    if (["ArrowDown", "ArrowUp"].includes(event.key)) {
      event.preventDefault();
      if (list.hidden) show(true);
      mark(Math.min(items.length - 1, Math.max(0, active + (event.key === "ArrowDown" ? 1 : -1))));
    } else if ((event.key === "Enter" || event.key === " ") && !list.hidden && active >= 0) {
      event.preventDefault();
      choose(active);
    } else if (event.key === "Escape") show(false);
  });
  items.forEach((item, index) => item.addEventListener("click", () => choose(index)));
  document.addEventListener("click", (event) => { if (!box.contains(event.target)) show(false); });
  label.addEventListener("click", (event) => { event.preventDefault(); button.focus(); });
  box.append(button, list);
  select.after(box);
  select.hidden = true;
  select.required = false;
  draw();
});

/* A page of the reviews, or another order of them, begins at the reviews. */
if (/[?&](page|sort)=/.test(location.search)) document.getElementById("reviews").scrollIntoView();

/* The price follows the chosen options. */
const priceTag = document.querySelector(".buy [data-price]");
const buyForm = document.querySelector(".buy-form");
if (priceTag && buyForm) {
  const put = () => {
    const chosen = buyForm.querySelectorAll("select option:checked[data-extra], input:checked[data-extra]");
    const cents = [...chosen].reduce((sum, one) => sum + Number(one.dataset.extra), Number(priceTag.dataset.price));
    priceTag.querySelector("[data-price-now]").textContent =
      (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
  };
  buyForm.addEventListener("change", put);
  put();
}
