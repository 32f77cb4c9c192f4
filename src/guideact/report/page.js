"use strict";
// Everything from a run reaches the page as a text node or as a plain attribute value, never as markup.
const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
  node.append(...children.filter((child) => child !== null));
  return node;
}

function draw(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

const rows = byId("list") ? [...byId("list").tBodies[0].rows] : [];

// --- the list: find, filter, sort -----------------------------------------------------------------------------------

function refresh() {
  const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const result = byId("result").value;
  const site = byId("site").value;
  let shown = 0;
  for (const row of rows) {
    const text = (row.textContent + " " + row.dataset.template).toLowerCase();
    const keep = words.every((word) => text.includes(word)) && (!result || row.dataset.result === result)
      && (!site || row.dataset.site.split(", ").includes(site));
    row.hidden = !keep;
    shown += keep ? 1 : 0;
  }
  byId("count").textContent = `${shown} of ${rows.length}`;
}

function sortBy(heading) {
  const key = heading.dataset.sort;
  const numeric = heading.classList.contains("num");
  const up = heading.getAttribute("aria-sort") !== "ascending";
  for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", up ? "ascending" : "descending");
  const value = (row) => (numeric ? (row.dataset[key] === "" ? -1 : Number(row.dataset[key])) : row.dataset[key]);
  const compare = numeric ? (a, b) => value(a) - value(b) : (a, b) => value(a).localeCompare(value(b), "en", { numeric: true });
  rows.sort((a, b) => (up ? 1 : -1) * compare(a, b));
  byId("list").tBodies[0].append(...rows);
}

function startList() {
  byId("filters").hidden = false;
  byId("list").classList.add("sortable");
  for (const id of ["find", "result", "site"]) byId(id).addEventListener("input", refresh);
  for (const heading of byId("list").tHead.rows[0].cells) {
    const button = make("button", { type: "button" }, heading.textContent);
    button.addEventListener("click", () => sortBy(heading));
    heading.replaceChildren(button);
  }
  refresh();
}

// --- one episode ----------------------------------------------------------------------------------------------------

function screenshot(image, lit, label) {
  const frame = make("button", { type: "button", class: "shot", "aria-label": `${label} Enlarge.` });
  const data = byId(`image-${image.key}`);
  const picture = make("img", { alt: "", width: image.width, height: image.height, decoding: "sync" });
  picture.src = "data:image/webp;base64," + data.textContent;
  frame.append(picture);
  if (lit) frame.append(light(image, lit));
  frame.addEventListener("click", () => {
    const copy = frame.cloneNode(true);
    byId("canvas").replaceChildren(make("div", { class: "shot" }, ...copy.childNodes));
    byId("large").showModal();
  });
  return frame;
}

function light(image, lit) {
  const layer = draw("svg", { viewBox: `0 0 ${image.width} ${image.height}`, "aria-hidden": "true" });
  if (lit.box) {
    const [x, y, width, height] = lit.box;
    const pad = 5;
    const hole = `M${x - pad} ${y - pad}h${width + 2 * pad}v${height + 2 * pad}h${-(width + 2 * pad)}z`;
    layer.append(draw("path", { class: "dim", "fill-rule": "evenodd", d: `M0 0h${image.width}v${image.height}h${-image.width}z${hole}` }));
    layer.append(draw("path", { class: "lit", d: hole }));
  }
  if (lit.point) layer.append(draw("circle", { class: "lit-dot", cx: lit.point[0], cy: lit.point[1], r: 9 }));
  return layer;
}

const shown = (value) => (value === null || value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value));

function change(row) {
  const table = make("table", { class: "change" }, make("caption", {}, `${row.op} ${row.table} ${row.key} (${row.site})`));
  const body = make("tbody");
  for (const [column, before, after] of row.columns) {
    const cell = make("td", { dir: "auto" });
    if (row.op !== "insert") cell.append(make("del", {}, shown(before)));
    if (row.op === "update") cell.append(" → ");
    if (row.op !== "delete") cell.append(make("ins", {}, shown(after)));
    body.append(make("tr", {}, make("th", { scope: "row" }, column), cell));
  }
  table.append(body);
  return table;
}

function changes(list, title) {
  if (!list.length) return [];
  return [make("details", list.length < 4 ? { open: "" } : {}, make("summary", {}, title), make("div", { class: "beside" }, ...list.map(change)))];
}

const folded = (title, text) => (text ? make("details", {}, make("summary", {}, title), make("pre", { dir: "auto" }, text)) : null);

function references(list, title) {
  if (!list.length) return [];
  return [make("h3", {}, title), make("div", { class: "references" }, ...list.map((text) => make("p", { dir: "auto" }, text)))];
}

function oneStep(step, position, episode) {
  const image = step.image
    ? screenshot(step.image, step.lit, `Screenshot of step ${position + 1}.`)
    : make("p", { class: "missing" }, step.image_note);
  const right = make("div", { class: "right" },
    make("div", {},
      make("p", { class: "number" }, `Step ${position + 1} of ${episode.steps.length}`),
      make("p", { class: step.guide ? "guide" : "guide none", dir: "auto" }, step.guide || "No guide sentence"),
      make("p", { class: "did", dir: "auto" }, step.words)),
    make("div", {},
      ...step.faults.map((fault) => make("p", { class: "trouble" }, make("b", {}, fault.kind), ": " + fault.detail)),
      step.outcome ? make("p", { class: "trouble" }, make("b", {}, step.outcome.code), ": " + step.outcome.detail) : null,
      ...references(step.references, `Reference guides of gold step ${position + 1}`),
      ...changes(step.changes, step.changes.length === 1 ? "1 change of the site's data" : `${step.changes.length} changes of the site's data`),
      make("p", { class: "meta" }, step.timing),
      make("p", { class: "meta", dir: "auto" }, step.title + " · " + step.url),
      folded("Reasoning", step.think),
      folded("The model's raw answer", step.raw)));
  return make("li", { tabindex: "-1" }, make("div", { class: "left" }, image), right);
}

function neighbour(index, by, text) {
  const at = rows.findIndex((row) => row.dataset.index === String(index));
  for (let i = at + by; i >= 0 && i < rows.length; i += by) {
    if (!rows[i].hidden) return make("a", { href: `#episode-${rows[i].dataset.index}` }, text);
  }
  return null;
}

function showEpisode(index) {
  const episode = JSON.parse(byId(`data-${index}`).textContent);
  const checks = make("ul", { class: "parts" }, ...episode.parts.map((part) =>
    make("li", { class: part.passed ? "yes" : "no" }, make("b", {}, part.part), part.reason ? ": " + part.reason : "")));
  const heading = make("h2", { tabindex: "-1", dir: "auto" }, episode.intent || episode.task);
  const later = episode.unreached.map((list, i) => make("div", {}, ...references(list, `Gold step ${episode.steps.length + i + 1}`)));
  const parts = [
    make("nav", { class: "way", "aria-label": "Episodes" }, make("a", { href: "#episodes" }, "← All episodes"),
      make("span", { class: "run" }, document.querySelector("h1").textContent),
      make("span", { class: "end" }, neighbour(index, -1, "Previous"), neighbour(index, 1, "Next"))),
    heading,
    make("p", {}, make("span", { class: "result " + episode.result.replace(" ", "-") }, episode.result), " ", make("span", { class: "meta" }, episode.facts)),
    episode.error ? make("p", { class: "trouble", dir: "auto" }, episode.error) : null,
    episode.answer ? make("p", { dir: "auto" }, "Answer: ", make("strong", {}, episode.answer)) : null,
    episode.parts.length ? checks : null,
    ...changes(episode.changes, `What the episode changed in the sites' data (${episode.changes.length})`),
    make("ol", { class: "steps" }, ...episode.steps.map((step, i) => oneStep(step, i, episode))),
    later.length ? make("details", { class: "more" },
      make("summary", {}, later.length === 1 ? "Reference guides of 1 gold step that was not reached" : `Reference guides of ${later.length} gold steps that were not reached`),
      make("div", { class: "beside" }, ...later)) : null];
  byId("episode").replaceChildren(...parts.filter((part) => part !== null));
  byId("top").hidden = true;
  byId("overview").hidden = true;
  byId("episode").hidden = false;
  scrollTo(0, 0);
  heading.focus({ preventScroll: true });
}

function showOverview() {
  const was = byId("episode").dataset.index;
  byId("episode").hidden = true;
  byId("episode").replaceChildren();
  byId("top").hidden = false;
  byId("overview").hidden = false;
  const link = document.querySelector(`a[href="#episode-${was}"]`);
  if (link) link.focus();
}

function route() {
  if (document.readyState === "loading") return; // the images stand behind this script: wait until they are all there
  const match = /^#episode-(\d+)$/.exec(location.hash);
  if (match && byId(`data-${match[1]}`)) {
    byId("episode").dataset.index = match[1];
    showEpisode(Number(match[1]));
  } else if (!byId("episode").hidden) showOverview();
}

if (rows.length) startList();
addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !byId("episode").hidden && !byId("large").open) location.hash = "#episodes";
});
addEventListener("DOMContentLoaded", route);
