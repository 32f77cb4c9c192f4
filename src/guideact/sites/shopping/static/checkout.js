/* Checkout: parts of a form that show only while a box is ticked or a radio button chosen. */
"use strict";
document.querySelectorAll("[data-reveals]").forEach((control) => {
  const part = document.getElementById(control.dataset.reveals);
  const whenUnchecked = control.dataset.revealsWhen === "unchecked";
  const put = () => { part.hidden = control.checked === whenUnchecked; };
  control.form.addEventListener("change", put);
  put();
});
