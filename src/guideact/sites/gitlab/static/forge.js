// Behaviour of the frame: drop-downs, modals, toasts, suggestions, the clone panel, copying, previews, the board.

const toastArea = document.querySelector(".toasts");
function toast(text) {
  const note = document.createElement("div");
  note.className = "toast";
  note.textContent = text;
  toastArea.append(note);
  setTimeout(() => note.remove(), 6000);
}

function closeDropdowns(except) {
  for (const box of document.querySelectorAll("[data-dropdown]")) {
    if (box === except) continue;
    box.firstElementChild.setAttribute("aria-expanded", "false");
    box.lastElementChild.hidden = true;
  }
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied.");
  } catch {
    toast("Your browser does not let pages copy. Select the text instead.");
  }
}

document.addEventListener("click", (event) => {
  const target = event.target;
  const box = target.closest("[data-dropdown]");
  closeDropdowns(box);
  const button = target.closest("[data-dropdown] > [aria-expanded]");
  if (button) {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    box.lastElementChild.hidden = !open;
  }
  const toggle = target.closest("[data-toggle]");
  if (toggle) {
    const panel = document.getElementById(toggle.dataset.toggle);
    panel.hidden = !panel.hidden;
    toggle.setAttribute("aria-expanded", String(!panel.hidden));
    if (!panel.hidden) panel.querySelector("input:not([type=hidden]), select, textarea")?.focus();
  }
  const opener = target.closest("[data-modal]");
  if (opener) {
    closeDropdowns();
    document.getElementById(opener.dataset.modal).showModal();
  }
  if (target.closest("[data-close]")) target.closest("dialog").close();
  if (target.closest("[data-dismiss]")) target.closest(".alert").remove();
  const copier = target.closest("[data-copy]");
  if (copier) copy(document.getElementById(copier.dataset.copy).value);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const open = document.querySelector("[data-dropdown] > [aria-expanded=true]");
    closeDropdowns();
    open?.focus();
  }
  if (event.key === "/" && !event.target.closest("input, textarea, select, [contenteditable]")) {
    event.preventDefault();
    document.getElementById("global-search").focus();
  }
});

// A filter form sends what was filled in and nothing else, so that addresses stay short.
document.addEventListener("formdata", (event) => {
  if (event.target.method !== "get") return;
  for (const [name, value] of [...event.formData]) {
    if (value === "") event.formData.delete(name);
  }
});

// A part of a form that belongs to one of its radio buttons.
document.addEventListener("change", (event) => {
  if (event.target.type !== "radio") return;
  for (const part of event.target.form.querySelectorAll("[data-shown-by]")) {
    const radio = event.target.form.querySelector(`input[type=radio][value=${part.dataset.shownBy}]`);
    part.hidden = !radio.checked;
  }
});

// The tab "Preview" asks the server, so that it shows what will be shown.
document.addEventListener("click", async (event) => {
  const tab = event.target.closest("[data-preview]");
  if (!tab) return;
  const box = tab.closest("[data-editor]");
  const panel = box.querySelector(".preview");
  const body = new URLSearchParams({
    csrf: document.querySelector("meta[name=csrf]").content,
    text: box.querySelector("textarea").value,
    project: box.dataset.editor,
  });
  const answer = await fetch("/preview", { method: "POST", body });
  panel.innerHTML = answer.ok ? (await answer.json()).html : "The preview is not available.";
});

// The address to clone from: a button, and a panel with two addresses, all in a shadow root.
class ClonePanel extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `
      <style>
        :host { position: relative; display: inline-block; font: 14px/1.5 Inter, system-ui, sans-serif; }
        button { min-height: 36px; padding: 0 14px; border: 1px solid var(--accent); border-radius: 9px; background: var(--accent); color: #fff; font: inherit; font-weight: 550; cursor: pointer; }
        button:hover { background: var(--accent-dark); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        .panel { position: absolute; right: 0; top: calc(100% + 8px); z-index: 30; display: grid; gap: 12px; width: 380px; padding: 16px; border: 1px solid #e2e7ec; border-radius: 12px; background: #fff; color: #2a333e; box-shadow: 0 12px 32px rgb(19 26 34 / 16%); }
        .panel[hidden] { display: none; }
        label { display: block; margin-bottom: 4px; font-weight: 600; }
        .line { display: flex; gap: 6px; }
        input { flex: 1; min-width: 0; height: 36px; padding: 0 10px; border: 1px solid #c9d1da; border-radius: 8px; background: #f1f4f6; font: 12.5px ui-monospace, monospace; box-sizing: border-box; }
        .line button { border-color: #c9d1da; background: #fff; color: #131a22; }
        .line button:hover { background: #f1f4f6; }
      </style>
      <button type="button" class="open" aria-expanded="false">Clone</button>
      <div class="panel" hidden>
        <div><label for="ssh">Clone with SSH</label><div class="line"><input id="ssh" readonly><button type="button" data-for="ssh" aria-label="Copy SSH address">Copy</button></div></div>
        <div><label for="https">Clone with HTTPS</label><div class="line"><input id="https" readonly><button type="button" data-for="https" aria-label="Copy HTTPS address">Copy</button></div></div>
      </div>`;
    const panel = root.querySelector(".panel");
    const opener = root.querySelector(".open");
    const show = (open) => {
      panel.hidden = !open;
      opener.setAttribute("aria-expanded", String(open));
    };
    root.getElementById("ssh").value = this.dataset.ssh;
    root.getElementById("https").value = this.dataset.https;
    opener.addEventListener("click", () => show(panel.hidden));
    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-for]");
      if (button) copy(root.getElementById(button.dataset.for).value);
    });
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      show(false);
      opener.focus();
    });
    document.addEventListener("click", (event) => {
      if (!event.composedPath().includes(this)) show(false);
    });
  }
}
customElements.define("clone-panel", ClonePanel);

// The board: a card can be dragged; the list in it does the same by keyboard.
const board = document.querySelector("[data-board]");
if (board) {
  let dragged = null;
  board.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.(".board-card[draggable]") ?? null;
    if (dragged) event.dataTransfer.effectAllowed = "move";
  });
  board.addEventListener("dragover", (event) => {
    const column = event.target.closest(".board-column");
    if (!dragged || !column) return;
    event.preventDefault();
    for (const other of board.querySelectorAll(".over")) other.classList.toggle("over", other === column);
    column.classList.add("over");
  });
  board.addEventListener("dragend", () => {
    for (const other of board.querySelectorAll(".over")) other.classList.remove("over");
    dragged = null;
  });
  board.addEventListener("drop", (event) => {
    const column = event.target.closest(".board-column");
    if (!dragged || !column || column.contains(dragged)) return;
    event.preventDefault();
    const form = dragged.querySelector("form.move");
    form.elements.column.value = column.dataset.column;
    form.requestSubmit();
  });
}
