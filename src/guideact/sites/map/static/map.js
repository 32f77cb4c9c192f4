/* Draws the map from the site's own vectors and lays the page's markers over it. Loaded with `defer`.
   Nothing moves by itself: every picture is the answer to one click, key or drag. */
"use strict";
document.documentElement.classList.remove("no-js");

const UNIT = 1e6; // positions come in millionths of a degree
const MIN_ZOOM = 15, MAX_ZOOM = 19;

/* Web Mercator: the world is a square of 256 * 2^zoom pixels. */
const worldX = (lon) => (lon + 180) / 360;
const worldY = (lat) => {
  const s = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI);
};
const lonOf = (x) => x * 360 - 180;
const latOf = (y) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

const STYLES = {
  standard: {
    out: "#dfe3e6", land: "#f4f2ec", water: "#a9d3ea", built: "#efe9e1", rail: "#e6e4ea", park: "#cfe6c2", grass: "#d9eccd",
    scrub: "#c5ddb6", rock: "#e4e0d6", pitch: "#bfe0c9", parking: "#e9e9f3", square: "#ece5ea", platform: "#d9d5dd",
    building: "#e0d8cd", edge: "#cbc0b2", casing: "#c9c4bb", primary: "#fbd58a", secondary: "#fdeab0", street: "#ffffff",
    walk: "#c98f6b", cycle: "#4f7fd1", steps: "#b06a4a", railway: "#8d8a99", tram: "#9aa0ad", tree: "#9cc48b",
    label: "#3b4250", halo: "#ffffff", number: "#857a6c", route: "#2563eb", other: "#93a7cf", ways: "#0d9488",
  },
};
STYLES.quiet = {
  ...STYLES.standard, land: "#f7f7f6", water: "#d3dde3", built: "#f3f3f1", park: "#e7ece4", grass: "#ecf0ea", scrub: "#e3e9df",
  pitch: "#e6ece8", square: "#f0f0ef", building: "#e8e8e6", edge: "#dcdcd9", casing: "#d5d5d2", primary: "#ffffff",
  secondary: "#ffffff", walk: "#c4beb8", cycle: "#b3bccb", label: "#5b6270",
};
STYLES.night = {
  ...STYLES.standard, out: "#0b1220", land: "#1b2433", water: "#12324a", built: "#1f2939", rail: "#232b3a", park: "#1d3a2d",
  grass: "#20402f", scrub: "#1b3628", rock: "#2a3342", pitch: "#21453a", parking: "#252f42", square: "#273043",
  platform: "#2b3447", building: "#2c374a", edge: "#3a475d", casing: "#111827", primary: "#8a6a2c", secondary: "#6d5d33",
  street: "#46526a", walk: "#6c7890", cycle: "#4f7fd1", steps: "#7d869b", railway: "#5d6880", tram: "#67728a", tree: "#2e5c41",
  label: "#dbe3ef", halo: "#1b2433", number: "#8b97ad", other: "#5b6b8c",
};

/* Widths in metres on the ground, and the least in pixels. */
const WIDTHS = {
  primary: [13, 3], primary_link: [8, 2], secondary: [11, 2.5], tertiary: [9, 2], tertiary_link: [7, 2], unclassified: [8, 2],
  residential: [8, 2], living_street: [7, 2], pedestrian: [7, 1.5], service: [4.5, 1],
};
const ORDER = ["service", "pedestrian", "living_street", "residential", "unclassified", "tertiary_link", "tertiary", "secondary",
  "primary_link", "primary"];

class MapView {
  constructor(root) {
    this.root = root;
    this.canvas = root.querySelector("canvas");
    this.pen = this.canvas.getContext("2d");
    this.markers = [...root.querySelectorAll("[data-at]")].map((node) => {
      const [lat, lon] = node.dataset.at.split(",").map(Number);
      return { node, x: worldX(lon), y: worldY(lat) };
    });
    this.routes = JSON.parse(root.dataset.routes).map((line) => line.map(([lon, lat]) => [worldX(lon), worldY(lat)]));
    this.chosen = Number(root.dataset.chosen);
    this.spots = [];
    this.place();
    this.listen();
    this.load();
  }

  place() {
    const [lat, lon] = this.root.dataset.centre.split(",").map(Number);
    this.x = worldX(lon); this.y = worldY(lat); this.zoom = Number(this.root.dataset.zoom);
    if (this.root.dataset.fit) this.fit();
    this.home = [this.x, this.y, this.zoom];
    const given = new URLSearchParams(location.search).get("view");
    const seen = given && given.split(",").map(Number);
    if (seen && seen.length === 3 && seen.every(Number.isFinite)) {
      this.x = worldX(seen[1]); this.y = worldY(seen[0]);
      this.zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, Math.round(seen[2])));
    }
  }

  fit() {
    const points = [...this.markers.map((one) => [one.x, one.y]), ...this.routes.flat()];
    const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
    const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    this.x = (box[0] + box[2]) / 2; this.y = (box[1] + box[3]) / 2;
    const wide = this.root.clientWidth - 140, high = this.root.clientHeight - 140;
    this.zoom = MIN_ZOOM;
    for (let zoom = 17; zoom > MIN_ZOOM; zoom--) {
      const size = 256 * 2 ** zoom;
      if ((box[2] - box[0]) * size <= wide && (box[3] - box[1]) * size <= high) { this.zoom = zoom; break; }
    }
  }

  async load() {
    const [answer] = await Promise.all([
      fetch(this.root.dataset.vectors),
      document.fonts.load("500 12px Inter"), document.fonts.load("600 12px Inter"),
    ]);
    const data = await answer.json();
    const line = (flat) => {
      const made = new Float64Array(flat.length);
      for (let i = 0; i < flat.length; i += 2) { made[i] = worldX(flat[i] / UNIT); made[i + 1] = worldY(flat[i + 1] / UNIT); }
      return made;
    };
    this.data = {
      bounds: line(data.bounds),
      areas: data.areas.map(([kind, rings]) => [kind, rings.map(line)]),
      lines: data.lines.map(([kind, flat]) => [kind, line(flat)]),
      roads: data.roads.map(([kind, name, access, flat]) => ({ kind, name, access, line: line(flat) })),
      houses: data.houses.map(([number, lon, lat]) => ({ number, x: worldX(lon / UNIT), y: worldY(lat / UNIT) })),
      labels: data.labels.map(([id, name, colour, icon, rank, lon, lat]) => ({
        id, name, colour, rank, x: worldX(lon / UNIT), y: worldY(lat / UNIT),
      })),
    };
    this.byKind = new Map();
    for (const road of this.data.roads) {
      if (!this.byKind.has(road.kind)) this.byKind.set(road.kind, []);
      this.byKind.get(road.kind).push(road);
    }
    this.draw();
    this.root.dataset.ready = "yes";
  }

  /* --- from the ground to the screen --- */
  get size() { return 256 * 2 ** this.zoom; }
  sx(x) { return (x - this.x) * this.size + this.width / 2; }
  sy(y) { return (y - this.y) * this.size + this.height / 2; }
  at(px, py) {
    return [latOf(this.y + (py - this.height / 2) / this.size), lonOf(this.x + (px - this.width / 2) / this.size)];
  }
  get metre() { return this.size / (2 * Math.PI * 6378137 * Math.cos((latOf(this.y) * Math.PI) / 180)); }

  layer(name) {
    const box = document.querySelector(`#layers [name="${name}"]`);
    return box ? box.checked : true;
  }
  get style() {
    const chosen = document.querySelector("#layers [name=style]:checked");
    return STYLES[chosen ? chosen.value : "standard"];
  }

  trace(flat) {
    const pen = this.pen, size = this.size, ox = this.width / 2 - this.x * size, oy = this.height / 2 - this.y * size;
    pen.moveTo(flat[0] * size + ox, flat[1] * size + oy);
    for (let i = 2; i < flat.length; i += 2) pen.lineTo(flat[i] * size + ox, flat[i + 1] * size + oy);
  }

  draw() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.root.clientWidth; this.height = this.root.clientHeight;
    this.canvas.width = Math.round(this.width * ratio); this.canvas.height = Math.round(this.height * ratio);
    const pen = this.pen, ink = this.style;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = ink.out;
    pen.fillRect(0, 0, this.width, this.height);
    for (const marker of this.markers) {
      const x = this.sx(marker.x), y = this.sy(marker.y);
      marker.node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      marker.node.hidden = x < 0 || y < 0 || x > this.width || y > this.height;
    }
    if (!this.data) return;
    const [west, south, east, north] = this.data.bounds;
    pen.fillStyle = ink.land;
    pen.fillRect(this.sx(west), this.sy(north), (east - west) * this.size, (south - north) * this.size);
    pen.save();
    pen.beginPath();
    pen.rect(this.sx(west), this.sy(north), (east - west) * this.size, (south - north) * this.size);
    pen.clip();
    pen.lineJoin = "round"; pen.lineCap = "round";
    this.drawAreas(ink);
    this.drawRoads(ink);
    this.drawLines(ink);
    pen.restore();
    this.drawRoutes(ink);
    this.taken = [];
    this.spots = [];
    this.claimMarkers();
    if (this.layer("places")) this.drawPlaces(ink, 1);
    this.drawStreetNames(ink);
    if (this.layer("places")) this.drawPlaces(ink, 3);
    if (this.layer("numbers") && this.zoom >= 18) this.drawNumbers(ink);
    this.drawScale();
  }

  drawAreas(ink) {
    const pen = this.pen, buildings = this.layer("buildings");
    for (const [kind, rings] of this.data.areas) {
      if (kind === "building" && !buildings) continue;
      pen.beginPath();
      for (const ring of rings) { this.trace(ring); pen.closePath(); }
      pen.fillStyle = ink[kind] || ink.land;
      pen.fill("evenodd");
      if (kind === "building" && this.zoom >= 16) { pen.strokeStyle = ink.edge; pen.lineWidth = 0.7; pen.stroke(); }
    }
  }

  drawRoads(ink) {
    const pen = this.pen, metre = this.metre;
    const width = (kind) => Math.max(WIDTHS[kind][1], WIDTHS[kind][0] * metre);
    const stroke = (roads, colour, wide, dash = []) => {
      pen.beginPath();
      for (const road of roads) this.trace(road.line);
      pen.strokeStyle = colour; pen.lineWidth = wide; pen.setLineDash(dash);
      pen.stroke();
      pen.setLineDash([]);
    };
    if (this.zoom >= 16) {
      const thin = this.zoom >= 18 ? 1.6 : 1;
      stroke([...(this.byKind.get("footway") || []), ...(this.byKind.get("path") || [])], ink.walk, thin, [thin * 3, thin * 2.4]);
      stroke(this.byKind.get("steps") || [], ink.steps, thin * 2.6, [thin, thin * 1.4]);
      stroke(this.byKind.get("cycleway") || [], ink.cycle, thin, [thin * 4, thin * 2.4]);
    }
    for (const kind of ORDER) stroke(this.byKind.get(kind) || [], ink.casing, width(kind) + 1.6);
    for (const kind of ORDER) {
      const colour = kind.startsWith("primary") ? ink.primary : kind === "secondary" ? ink.secondary
        : kind === "pedestrian" ? ink.square : ink.street;
      stroke(this.byKind.get(kind) || [], colour, width(kind));
    }
    if (this.layer("cycling")) {
      stroke(this.data.roads.filter((road) => road.access & 12 && (road.kind === "cycleway" || road.kind === "pedestrian")),
        ink.ways, Math.max(2, 3 * metre));
    }
  }

  drawLines(ink) {
    const pen = this.pen, transit = this.layer("transit");
    for (const [kind, flat] of this.data.lines) {
      if (kind !== "trees" && !transit) continue;
      pen.beginPath();
      this.trace(flat);
      if (kind === "trees") {
        if (this.zoom < 16) continue;
        pen.strokeStyle = ink.tree; pen.lineWidth = Math.max(2, 4 * this.metre); pen.setLineDash([0.1, 8 * this.metre + 3]);
      } else {
        pen.strokeStyle = kind === "rail" ? ink.railway : ink.tram;
        pen.lineWidth = kind === "rail" ? 1.4 : 0.9;
      }
      pen.stroke();
      pen.setLineDash([]);
    }
  }

  drawRoutes(ink) {
    const pen = this.pen;
    const stroke = (line, colour, wide) => {
      pen.beginPath();
      line.forEach(([x, y], at) => (at ? pen.lineTo(this.sx(x), this.sy(y)) : pen.moveTo(this.sx(x), this.sy(y))));
      pen.strokeStyle = colour; pen.lineWidth = wide; pen.lineJoin = "round"; pen.lineCap = "round";
      pen.stroke();
    };
    this.routes.forEach((line, at) => { if (at !== this.chosen) { stroke(line, "#ffffff", 8); stroke(line, ink.other, 5); } });
    const line = this.routes[this.chosen];
    if (line) { stroke(line, "#ffffff", 9); stroke(line, ink.route, 6); }
  }

  /* --- words --- */
  claim(x, y, w, h) {
    for (const box of this.taken) if (x < box[2] && x + w > box[0] && y < box[3] && y + h > box[1]) return false;
    this.taken.push([x, y, x + w, y + h]);
    return true;
  }
  claimMarkers() {
    for (const marker of this.markers) {
      if (marker.node.hidden) continue;
      const x = this.sx(marker.x), y = this.sy(marker.y);
      this.taken.push([x - 14, y - 34, x + 14, y + 2]);
    }
  }
  write(text, x, y, colour, halo) {
    const pen = this.pen;
    pen.lineJoin = "round"; pen.lineWidth = 3; pen.strokeStyle = halo; pen.strokeText(text, x, y);
    pen.fillStyle = colour; pen.fillText(text, x, y);
  }

  drawStreetNames(ink) {
    const pen = this.pen, size = this.zoom >= 17 ? 12 : 11;
    pen.font = `500 ${size}px Inter, sans-serif`; pen.textAlign = "center"; pen.textBaseline = "middle";
    const written = new Map();
    for (const kind of [...ORDER].reverse()) {
      if (kind === "service" && this.zoom < 18) continue;
      if (this.zoom < 15 && !["primary", "secondary"].includes(kind)) continue;
      for (const road of this.byKind.get(kind) || []) {
        if (!road.name) continue;
        const flat = road.line;
        let best = null;
        for (let i = 2; i < flat.length; i += 2) {
          const ax = this.sx(flat[i - 2]), ay = this.sy(flat[i - 1]), bx = this.sx(flat[i]), by = this.sy(flat[i + 1]);
          const long = Math.hypot(bx - ax, by - ay);
          if (!best || long > best.long) best = { ax, ay, bx, by, long };
        }
        const first = [this.sx(flat[0]), this.sy(flat[1])];
        const last = [this.sx(flat[flat.length - 2]), this.sy(flat[flat.length - 1])];
        const chord = Math.hypot(last[0] - first[0], last[1] - first[1]);
        if (chord > best.long * 1.02 && chord > 0) best = { ax: first[0], ay: first[1], bx: last[0], by: last[1], long: chord };
        const wide = pen.measureText(road.name).width;
        if (best.long < wide * 0.7) continue;
        const x = (best.ax + best.bx) / 2, y = (best.ay + best.by) / 2;
        if (x < 0 || y < 0 || x > this.width || y > this.height) continue;
        const near = (written.get(road.name) || []).some(([ox, oy]) => Math.hypot(ox - x, oy - y) < 260);
        if (near) continue;
        let angle = Math.atan2(best.by - best.ay, best.bx - best.ax);
        if (angle > Math.PI / 2) angle -= Math.PI;
        if (angle <= -Math.PI / 2) angle += Math.PI;
        const halfW = (Math.abs(Math.cos(angle)) * wide + Math.abs(Math.sin(angle)) * size) / 2;
        const halfH = (Math.abs(Math.sin(angle)) * wide + Math.abs(Math.cos(angle)) * size) / 2;
        if (!this.claim(x - halfW, y - halfH, halfW * 2, halfH * 2)) continue;
        written.set(road.name, [...(written.get(road.name) || []), [x, y]]);
        pen.save();
        pen.translate(x, y); pen.rotate(angle);
        this.write(road.name, 0, 0, ink.label, ink.halo);
        pen.restore();
      }
    }
  }

  drawPlaces(ink, most) {
    const pen = this.pen;
    pen.textAlign = "left"; pen.textBaseline = "middle";
    const least = { 15: 0, 16: 1, 17: 2, 18: 3, 19: 3 }[this.zoom];
    for (const place of this.data.labels) {
      if (place.rank > least || (most === 1 ? place.rank > 1 : place.rank < 2)) continue;
      const x = this.sx(place.x), y = this.sy(place.y);
      if (x < 4 || y < 4 || x > this.width - 4 || y > this.height - 4) continue;
      const radius = place.name ? 5 : 3.5;
      if (!this.claim(x - radius, y - radius, radius * 2, radius * 2)) continue;
      pen.beginPath(); pen.arc(x, y, radius + 1.2, 0, 7); pen.fillStyle = ink.halo; pen.fill();
      pen.beginPath(); pen.arc(x, y, radius, 0, 7); pen.fillStyle = place.colour; pen.fill();
      pen.beginPath(); pen.arc(x, y, radius * 0.36, 0, 7); pen.fillStyle = "#ffffff"; pen.fill();
      this.spots.push({ x, y, id: place.id });
      if (!place.name) continue;
      pen.font = `${place.rank ? 500 : 600} ${place.rank ? 11 : 12}px Inter, sans-serif`;
      const wide = pen.measureText(place.name).width;
      const colour = ink === STYLES.night ? ink.label : place.colour;
      if (this.claim(x + 7, y - 7, wide + 3, 14)) this.write(place.name, x + 8, y + 0.5, colour, ink.halo);
      else if (this.claim(x - 10 - wide, y - 7, wide + 3, 14)) this.write(place.name, x - 8 - wide, y + 0.5, colour, ink.halo);
    }
  }

  drawNumbers(ink) {
    const pen = this.pen;
    pen.font = "500 10px Inter, sans-serif"; pen.textAlign = "center"; pen.textBaseline = "middle";
    for (const house of this.data.houses) {
      const x = this.sx(house.x), y = this.sy(house.y);
      if (x < 0 || y < 0 || x > this.width || y > this.height) continue;
      const wide = pen.measureText(house.number).width;
      if (this.claim(x - wide / 2, y - 6, wide, 12)) this.write(house.number, x, y, ink.number, ink.halo);
    }
  }

  drawScale() {
    const scale = document.getElementById("scale");
    if (!scale) return;
    const miles = scale.dataset.units === "miles";
    const unit = miles ? 0.3048 : 1, steps = miles ? [50, 100, 200, 500, 1000, 2000] : [10, 20, 50, 100, 200, 500, 1000];
    const length = [...steps].reverse().find((one) => one * unit * this.metre <= 120) || steps[0];
    scale.style.width = `${(length * unit * this.metre).toFixed(1)}px`;
    scale.textContent = miles ? `${length} ft` : length >= 1000 ? `${length / 1000} km` : `${length} m`;
  }

  /* --- moving --- */
  moved() {
    const [west, south, east, north] = this.data ? this.data.bounds : [0, 1, 1, 0];
    this.x = Math.min(east, Math.max(west, this.x)); this.y = Math.min(south, Math.max(north, this.y));
    const query = new URLSearchParams(location.search);
    query.set("view", `${latOf(this.y).toFixed(5)},${lonOf(this.x).toFixed(5)},${this.zoom}`);
    history.replaceState(null, "", `${location.pathname}?${query.toString().replaceAll("%2C", ",")}${location.hash}`);
    this.draw();
  }
  pan(dx, dy) { this.x += dx / this.size; this.y += dy / this.size; this.moved(); }
  zoomBy(step, px = this.width / 2, py = this.height / 2) {
    const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, this.zoom + step));
    if (zoom === this.zoom) return;
    const gx = this.x + (px - this.width / 2) / this.size, gy = this.y + (py - this.height / 2) / this.size;
    this.zoom = zoom;
    this.x = gx - (px - this.width / 2) / this.size; this.y = gy - (py - this.height / 2) / this.size;
    this.moved();
  }

  listen() {
    const surface = this.canvas, far = 160;
    const moves = { up: [0, -far], down: [0, far], left: [-far, 0], right: [far, 0] };
    this.root.parentElement.addEventListener("click", (event) => {
      const button = event.target.closest("[data-move], [data-zoom-by], [data-reset]");
      if (!button) return;
      if (button.dataset.move) this.pan(...moves[button.dataset.move]);
      else if (button.dataset.zoomBy) this.zoomBy(Number(button.dataset.zoomBy));
      else { [this.x, this.y, this.zoom] = this.home; this.moved(); }
    });
    this.root.addEventListener("keydown", (event) => {
      if (event.target !== this.root || event.ctrlKey || event.altKey || event.metaKey) return;
      const move = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" }[event.key];
      if (move) { event.preventDefault(); this.pan(...moves[move]); }
      else if (event.key === "+" || event.key === "=") this.zoomBy(1);
      else if (event.key === "-") this.zoomBy(-1);
      else if (event.key === "Enter") this.clicked(this.width / 2, this.height / 2);
    });
    surface.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomBy(event.deltaY < 0 ? 1 : -1, event.offsetX, event.offsetY);
    }, { passive: false });
    let from = null;
    surface.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      from = { px: event.clientX, py: event.clientY, x: this.x, y: this.y, dragged: false };
      surface.setPointerCapture(event.pointerId);
    });
    surface.addEventListener("pointermove", (event) => {
      if (!from) return;
      const dx = event.clientX - from.px, dy = event.clientY - from.py;
      if (!from.dragged && Math.hypot(dx, dy) < 5) return;
      from.dragged = true;
      this.x = from.x - dx / this.size; this.y = from.y - dy / this.size;
      this.draw();
    });
    surface.addEventListener("pointerup", () => { const drag = from; from = null; if (drag && drag.dragged) { this.justDragged = true; this.moved(); } });
    surface.addEventListener("pointercancel", () => { from = null; });
    surface.addEventListener("click", (event) => {
      if (this.justDragged) { this.justDragged = false; return; }
      this.clicked(event.offsetX, event.offsetY);
    });
    document.getElementById("layers")?.addEventListener("change", (event) => {
      this.draw();
      const form = event.currentTarget;
      fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { "X-Requested-With": "fetch" } });
    });
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  clicked(px, py) {
    if (!this.data || this.root.dataset.click === "nothing") return;
    const near = this.spots.map((spot) => [Math.hypot(spot.x - px, spot.y - py), spot.id]).sort((a, b) => a[0] - b[0])[0];
    const place = near && near[0] <= 12 ? near[1] : "";
    const [lat, lon] = this.at(px, py);
    const ref = place || `${lat.toFixed(5)},${lon.toFixed(5)}`;
    const view = `view=${latOf(this.y).toFixed(5)},${lonOf(this.x).toFixed(5)},${this.zoom}`;
    const form = document.querySelector(`form[data-click="${this.root.dataset.click}"]`);
    if (this.root.dataset.click === "measure" && form) {
      const query = new URLSearchParams(location.search);
      query.append("p", ref); query.set("view", view.slice(5));
      location.href = `/measure?${query.toString().replaceAll("%2C", ",")}`;
    } else if (this.root.dataset.click === "directions" && form) {
      const fields = [...form.querySelectorAll("input[data-end]")];
      const empty = fields.find((one) => !one.value.trim()) || fields[fields.length - 1];
      empty.value = ref;
      form.querySelector(`#${empty.dataset.end}`).value = "";
      form.requestSubmit();
    } else location.href = place ? `/place/${place}?${view}` : `/at/${ref}?${view}`;
  }
}

document.querySelectorAll("#map").forEach((root) => new MapView(root));

/* Suggestions under a field: an ARIA combobox with a list box. In the search a choice leads to its page; in other
   fields it fills the field and the reference beside it. */
document.querySelectorAll("[data-suggest]").forEach((holder) => {
  const input = holder.querySelector("[role=combobox]"), list = holder.querySelector("[role=listbox]");
  const ref = holder.querySelector("input[type=hidden][data-ref]");
  let timer = 0, asked = 0, active = -1;
  const items = () => [...list.querySelectorAll("[role=option]")];
  const close = () => { list.hidden = true; active = -1; input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); };
  const choose = (item) => {
    asked++;
    if (!ref) { location.href = item.dataset.href; return; }
    input.value = item.dataset.name; ref.value = item.dataset.ref; close();
  };
  const mark = (index) => {
    active = index;
    items().forEach((item, at) => {
      item.setAttribute("aria-selected", String(at === index));
      if (at === index) { input.setAttribute("aria-activedescendant", item.id); item.scrollIntoView({ block: "nearest" }); }
    });
  };
  const ask = async () => {
    const words = input.value.trim(), turn = ++asked;
    if (words.length < 2) { close(); return; }
    const answer = await fetch(`/suggest?q=${encodeURIComponent(words)}${ref ? "&spots=1" : ""}`);
    if (!answer.ok) return;
    const markup = await answer.text();
    if (turn !== asked) return;
    list.innerHTML = markup;
    items().forEach((item, at) => { item.id = `${list.id}-${at}`; });
    active = -1;
    // A name written out in full needs no choosing, and the list would only cover what comes next.
    const exact = ref && items().find((item) => item.dataset.name.toLowerCase() === words.toLowerCase());
    if (exact) { ref.value = exact.dataset.ref; close(); return; }
    list.hidden = !items().length;
    input.setAttribute("aria-expanded", String(!list.hidden));
  };
  input.addEventListener("input", () => { if (ref) ref.value = ""; clearTimeout(timer); timer = setTimeout(ask, 120); });
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
  input.addEventListener("blur", () => { clearTimeout(timer); asked++; close(); });
});

/* A field to copy from: <copy-field value label button done>, with a shadow root of its own. */
class CopyField extends HTMLElement {
  connectedCallback() {
    const shadow = this.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = `:host{display:flex;gap:8px;flex-wrap:wrap}label{flex:1 1 100%;font-size:13px;font-weight:600}
      input{flex:1;min-width:0;font:inherit;font-size:13px;padding:8px 10px;border:1px solid #cbd5e1;border-radius:8px;color:inherit;background:#f8fafc}
      button{font:inherit;font-weight:600;padding:8px 14px;border:0;border-radius:8px;background:#0f766e;color:#fff;cursor:pointer}
      button:hover{background:#115e59}:focus-visible{outline:2px solid #0f766e;outline-offset:2px}`;
    const label = document.createElement("label"), input = document.createElement("input"), button = document.createElement("button");
    label.textContent = this.getAttribute("label"); label.htmlFor = "copied";
    input.id = "copied"; input.readOnly = true; input.value = this.getAttribute("value");
    button.type = "button"; button.textContent = this.getAttribute("button");
    button.addEventListener("click", async () => {
      input.select();
      try { await navigator.clipboard.writeText(input.value); } catch { document.execCommand("copy"); }
      button.textContent = this.getAttribute("done");
    });
    shadow.append(style, label, input, button);
  }
}
customElements.define("copy-field", CopyField);

/* Menus and dialogs. */
document.querySelectorAll("[data-dialog]").forEach((opener) => opener.addEventListener("click", () => {
  const dialog = document.getElementById(opener.dataset.dialog);
  dialog.querySelectorAll("iframe[data-src]").forEach((frame) => { frame.src = frame.dataset.src; frame.removeAttribute("data-src"); });
  dialog.showModal();
}));
document.querySelectorAll("dialog").forEach((dialog) => {
  dialog.querySelectorAll("[data-close]").forEach((button) => button.addEventListener("click", () => dialog.close()));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
});
document.querySelectorAll("details.menu").forEach((menu) => {
  document.addEventListener("click", (event) => { if (menu.open && !menu.contains(event.target)) menu.open = false; });
  menu.addEventListener("keydown", (event) => { if (event.key === "Escape") { menu.open = false; menu.querySelector("summary").focus(); } });
});
document.querySelectorAll(".toast [data-dismiss]").forEach((button) => button.addEventListener("click", () => button.closest(".toast").remove()));

/* The tab that the address names, such as #reviews. */
const openTab = () => {
  const hash = location.hash.startsWith("#review") ? "#reviews" : location.hash;
  const tab = hash.length > 1 && document.querySelector(`[role=tab][aria-controls="${CSS.escape(hash.slice(1))}"]`);
  if (tab) tab.click();
};
addEventListener("hashchange", openTab);
addEventListener("DOMContentLoaded", openTab);
