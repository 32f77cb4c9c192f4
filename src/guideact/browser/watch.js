// What a person does, told to Python as it happens. Runs in the isolated world, after the eyes and the hands; the page
// sees nothing of it. Only events that the browser itself made count.
(() => {
  if (globalThis.guideactWatched) return;
  globalThis.guideactWatched = true;
  const tell = (kind, element, more) => guideactTold(JSON.stringify({ kind, element, at: performance.now(), ...more }));
  const told = (event) => event.composedPath()[0];
  const TEXT = new Set(["text", "search", "email", "url", "tel", "password", "number", "", "date", "time", "month", "week", "datetime-local", "color", "range"]);
  const writes = (el) => el instanceof HTMLTextAreaElement || (el instanceof HTMLInputElement && TEXT.has(el.getAttribute("type") || "")) ||
    (el instanceof HTMLElement && el.isContentEditable);
  const written = (el) => ("value" in el && !(el instanceof HTMLLIElement) ? el.value : el.innerText.replace(/\n+$/, ""));
  // A password never leaves the page.
  const tellTyped = (el) => {
    const hidden = el.type === "password";
    tell("type", guideact.owned(el), { value: hidden ? "•".repeat(el.value.length) : written(el), hidden });
  };
  // What is under the mouse when it goes down: by the time of the click a menu may have closed over it.
  let down = null;
  addEventListener("pointerdown", (event) => {
    if (!event.isTrusted || event.button !== 0) return;
    const hit = guideact.under(event.clientX, event.clientY);
    down = hit.id ? { id: hit.id, x: event.clientX, y: event.clientY } : null;
    if (down) tell("down", down.id, { x: down.x, y: down.y });
  }, true);
  addEventListener("click", (event) => {
    if (!event.isTrusted) return;
    const el = told(event);
    if (down) { tell("click", down.id, { x: down.x, y: down.y }); down = null; return; }
    // Space or Enter on a button. The click that a label passes on to its control has a place, this one has none.
    if (event.detail === 0 && event.clientX === 0 && event.clientY === 0 && !writes(el) && el === document.activeElement) tell("click", guideact.owned(el), {});
  }, true);
  addEventListener("input", (event) => {
    const el = told(event);
    if (event.isTrusted && el instanceof Element && writes(el)) tellTyped(el);
  }, true);
  addEventListener("change", (event) => {
    const el = told(event);
    if (!event.isTrusted) return;
    if (el instanceof HTMLSelectElement && el.selectedOptions.length) {
      tell("select", guideact.owned(el), { value: el.selectedOptions[0].label.replace(/\s+/g, " ").trim() });
    } else if (el instanceof Element && writes(el)) tellTyped(el);
  }, true);
  addEventListener("keydown", (event) => {
    const el = told(event);
    if (event.isTrusted && event.key === "Enter" && !event.isComposing && el instanceof HTMLInputElement && writes(el)) tell("enter", guideact.owned(el), {});
  }, true);
  let turned = null;
  addEventListener("wheel", (event) => { if (event.isTrusted && !event.ctrlKey) turned = Math.abs(event.deltaY) >= Math.abs(event.deltaX) ? (event.deltaY > 0 ? "down" : "up") : (event.deltaX > 0 ? "right" : "left"); }, { capture: true, passive: true });
  addEventListener("keydown", (event) => { if (event.isTrusted && !writes(told(event))) turned = { PageDown: "down", PageUp: "up", End: "down", Home: "up", " ": event.shiftKey ? "up" : "down" }[event.key] || turned; }, true);
  addEventListener("scroll", () => { if (turned) { tell("scroll", 0, { value: turned }); turned = null; } else tell("moved", 0, {}); }, { capture: true, passive: true });
  let waiting = false;
  new MutationObserver(() => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => { waiting = false; tell("moved", 0, {}); }, 100);
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})();
