// What several sites use. Loaded with `defer`.

// Chromium leaves a list as narrow as its entries were when it first drew them, if that was in the middle of an entry's
// text, as it may be on a busy machine. Another entry, there and gone, makes it measure them again.
for (const list of document.querySelectorAll("select")) {
  list.append(new Option());
  list.lastElementChild.remove();
}

// A question before something that cannot be undone: data-confirm on a form, a submit button or a link.
document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.confirm ?? event.target.dataset.confirm;
  if (question && !window.confirm(question)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-confirm]");
  if (link && !window.confirm(link.dataset.confirm)) event.preventDefault();
}, true);

// A control that sends its form as soon as it changes: data-submit on a select or a checkbox.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
});

// data-print on a button.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) window.print();
});

// Tabs as ARIA describes them: role=tablist > role=tab[aria-controls], arrow keys move between them.
function chooseTab(tab) {
  const list = tab.closest("[role=tablist]");
  for (const other of list.querySelectorAll("[role=tab]")) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = !chosen;
  }
}
document.addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (tab?.hasAttribute("aria-controls")) chooseTab(tab);
});
document.addEventListener("keydown", (event) => {
  const tab = event.target.closest?.("[role=tab][aria-controls]");
  if (!tab) return;
  const tabs = [...tab.closest("[role=tablist]").querySelectorAll("[role=tab]")];
  const at = tabs.indexOf(tab);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  const chosen = tabs[(next + tabs.length) % tabs.length];
  chooseTab(chosen);
  chosen.focus();
});
