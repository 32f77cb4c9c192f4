// Keys for people who review hundreds of steps, and the time that a step took. Everything works without it, by mouse.
"use strict";
const form = document.getElementById("label");
const shown = Date.now();
const text = form && form.querySelector("textarea");

function press(key) {
  const found = form && form.querySelector(`[data-key="${key}"]`);
  if (!found) return false;
  if (found.value === "reject" && form.reason && !form.reason.value) { form.reason.focus(); return true; }
  found.click();
  return true;
}
function follow(id) {
  const link = document.getElementById(id);
  if (link) link.click();
  return !!link;
}
document.addEventListener("keydown", (event) => {
  if (!form) return;
  const writing = event.target.matches("textarea, select, input:not([type=checkbox])");
  if (event.key === "Escape" && writing) { event.target.blur(); return; }
  if (event.key === "Enter" && event.ctrlKey) { event.preventDefault(); press("s"); return; }
  if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toLowerCase();
  const done = key === "e" && text ? (text.focus(), text.select(), true)
    : key === "j" ? follow("following") : key === "k" ? follow("previous") : press(key);
  if (done) event.preventDefault();
});
if (form && form.seconds) form.addEventListener("submit", () => { form.seconds.value = ((Date.now() - shown) / 1000).toFixed(1); });
