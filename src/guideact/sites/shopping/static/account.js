// Fields that are shown, and sent, only while a box is ticked: data-reveals="name" on the box, data-revealed="name ..." on the fields.
for (const box of document.querySelectorAll("[data-reveals]")) {
  box.addEventListener("change", reveal);
}
function reveal() {
  const open = new Set([...document.querySelectorAll("[data-reveals]:checked")].map((box) => box.dataset.reveals));
  for (const part of document.querySelectorAll("[data-revealed]")) {
    part.hidden = !part.dataset.revealed.split(" ").some((name) => open.has(name));
  }
}
reveal();
