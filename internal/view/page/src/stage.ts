// Draws nodes and links by WebGL2; what is few and has text is drawn over it.
import { Area, Ink, Mesh } from "./areas";
import { coast } from "./coast";
import { History, Now, leads } from "./history";
import { high as letters, place, Written } from "./names";
import { rowAt } from "./tale";

// Colours that stay apart for readers who see red and green alike, light and dark pages both.
export const palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b5a800", "#8f6bd1", "#7a7a7a",
  "#00a8a8", "#a05a2c", "#e05fa0"];
const margin = 18; // for what is drawn around nodes, in pixels
const shore = "#9fb4c4";
const areaOpacity = 0.16, mostRegions = 300, mostLinks = 200_000, mostLabels = 30, mostNames = 80;
const mostAreas = 5000; // nodes of networks whose regions have areas
const smallest = 2.5, largest = 15, leastLeader = 5; // diameters of nodes, in pixels
const none = [150, 158, 166], down = matchMedia("(prefers-color-scheme: dark)").matches ? [88, 88, 88] : [60, 60, 60], ghost = [215, 38, 61];
const rgb = palette.map((c) => [1, 3, 5].map((k) => parseInt(c.slice(k, k + 2), 16)));

// rgbOf is a colour of the palette or, beyond it, another one, by the golden angle.
function rgbOf(k: number): number[] {
  if (k < rgb.length) return rgb[k];
  const hue = ((k - rgb.length) * 137.508) % 360, light = 0.38 + 0.08 * (k % 4), a = 0.7 * Math.min(light, 1 - light);
  return [0, 8, 4].map((n) => {
    const t = (n + hue / 30) % 12;
    return Math.round(255 * (light - a * Math.max(-1, Math.min(t - 3, 9 - t, 1))));
  });
}

// packed is a colour as the four bytes that the shader reads.
const packed = (c: number[]) => (c[0] | (c[1] << 8) | (c[2] << 16) | (255 << 24)) >>> 0;

const packedNone = packed(none), packedDown = packed(down), packedGhost = packed(ghost);

const shader = {
  vertex: `#version 300 es
in vec2 a; in vec2 b; in vec4 colour; in float size;
uniform float mixed; uniform vec4 view; uniform float scale; uniform float edge;
out vec4 c; out float rim;
void main() {
  vec2 p = mix(a, b, mixed) * view.xy + view.zw;
  gl_Position = vec4(p, 0, 1);
  gl_PointSize = size * scale;
  rim = size < 4.0 ? .5 : .38;
  c = edge > 0.0 ? vec4(.5, .55, .6, edge) : colour;
}`,
  fragment: `#version 300 es
precision highp float;
in vec4 c; in float rim; uniform float edge; out vec4 o;
void main() {
  if (edge > 0.0) { o = vec4(c.rgb * c.a, c.a); return; }
  vec2 d = gl_PointCoord - .5;
  float r = length(d);
  if (r > .5) discard;
  o = vec4(r > rim ? c.rgb * .55 : c.rgb, 1);
}`,
};

// neighbours lists them, of pairs.
function neighbours(n: number, edges: ArrayLike<number>): number[][] {
  const list: number[][] = Array.from({ length: n }, () => []);
  for (let k = 0; k < edges.length; k += 2) {
    list[edges[k]].push(edges[k + 1]);
    list[edges[k + 1]].push(edges[k]);
  }
  return list;
}

export class Stage {
  readonly el = document.createElement("div");
  readonly caption = document.createElement("div");
  private readonly base = document.createElement("canvas");
  private readonly over = document.createElement("canvas");
  private readonly layer = document.createElement("canvas"); // of areas
  private readonly ground = document.createElement("canvas"); // of the coastline
  private coast: number[][] = [];
  private near: number[][] = []; // of each node
  private nearBy?: ArrayLike<number>; // the links that this is of
  private under = ""; // the view that the coastline was drawn for
  private laid = ""; // what areas were drawn for
  private mesh?: Mesh; // of the places that are shown
  private gap = 1; // between neighbouring places, as the network has them
  private size = largest; // of a node, in pixels
  stale = false; // the reader has moved or enlarged what is shown
  private gl!: WebGL2RenderingContext;
  private buffers!: Record<"a" | "b" | "colour" | "size" | "links", WebGLBuffer>;
  private uniform!: Record<string, WebGLUniformLocation | null>;
  private colours = new Uint32Array(0);
  private table = new Uint32Array(0); // of colours by leader
  private sizes = new Float32Array(0);
  private shown?: { a: unknown; b: unknown };
  private linkCount = 0;
  private box = { x: 0, y: 0, w: 1, h: 1 }; // of the network
  private zoom = 1; private panX = 0; private panY = 0;
  private view = { k: 1, dx: 0, dy: 0 };
  private places = new Float32Array(0); // between a and b, for what is drawn over
  private colourOf = new Uint16Array(0); // by leader, its place in the palette
  private readonly leaving = new Map<number, [number, number]>(); // links that leave the picture, and the way in which
  private held = -1; // the node that is dragged
  private from = { x: 0, y: 0 }; // where that was
  private painted = -2; // the moment for which colours are
  selected = -1;
  scriptTime = 0; // of the last frame, in ms
  line?: { x0: number; y0: number; x1: number; y1: number }; // that a reader draws
  pick: (node: number) => void = () => {};
  drawn?: (nodes: number[]) => void; // takes the nodes at one side of a line
  moved?: (node: number, x: number, y: number) => void; // takes a node that was dragged, and where to

  constructor(readonly history: History) {
    this.el.className = "pane";
    this.caption.className = "caption";
    this.base.setAttribute("aria-hidden", "true");
    this.layer.style.opacity = String(areaOpacity);
    this.el.append(this.ground, this.layer, this.base, this.over, this.caption);
    this.listen();
  }

  // end gives back what the graphics card holds.
  end(): void { this.gl?.getExtension("WEBGL_lose_context")?.loseContext(); }

  // start is called once the run has told of its network.
  start(): void {
    const gl = this.base.getContext("webgl2", { antialias: true, preserveDrawingBuffer: false });
    if (!gl) throw new Error("this browser has no WebGL2");
    this.gl = gl;
    const program = gl.createProgram()!;
    for (const [kind, text] of [[gl.VERTEX_SHADER, shader.vertex], [gl.FRAGMENT_SHADER, shader.fragment]] as const) {
      const s = gl.createShader(kind)!;
      gl.shaderSource(s, text);
      gl.compileShader(s);
      if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s) ?? "shader");
      gl.attachShader(program, s);
    }
    ["a", "b", "colour", "size"].forEach((name, k) => gl.bindAttribLocation(program, k, name));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "program");
    gl.useProgram(program);
    this.uniform = Object.fromEntries(["mixed", "view", "scale", "edge"].map((n) => [n, gl.getUniformLocation(program, n)]));
    const n = this.history.n;
    this.colours = new Uint32Array(n);
    this.table = new Uint32Array(n);
    this.colourOf = new Uint16Array(n);
    for (let l = 0; l < n; l++) this.paint(l, (l * 7 + (l >> 4)) % palette.length);
    this.sizes = new Float32Array(n);
    this.places = new Float32Array(2 * n);
    const make = (at: number, size: number, type: number, scaled: boolean) => {
      const b = gl.createBuffer()!;
      gl.bindBuffer(gl.ARRAY_BUFFER, b);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, type, scaled, 0, 0);
      return b;
    };
    this.buffers = { a: make(0, 2, gl.FLOAT, false), b: make(1, 2, gl.FLOAT, false),
      colour: make(2, 4, gl.UNSIGNED_BYTE, true), size: make(3, 1, gl.FLOAT, false), links: gl.createBuffer()! };
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers.links);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const h = this.history.h;
    if (h.chart) this.coast = coast(h.chart);
    if (!h.moving) {
      for (let i = 0; i < n; i++) { this.places[2 * i] = h.x![i]; this.places[2 * i + 1] = h.y![i]; }
      this.upload("a", this.places);
      this.upload("b", this.places);
      for (let k = 0; k < (h.wraps ?? []).length; k += 4) this.leaving.set(h.wraps![k] * h.names.length + h.wraps![k + 1], [h.wraps![k + 2], h.wraps![k + 3]]);
      this.links(Uint32Array.from(this.inside(h.edges ?? [])));
      this.fit(this.places);
    }
  }

  // inside are the links that do not leave the picture.
  private inside(pairs: ArrayLike<number>): number[] {
    const list: number[] = [];
    for (let k = 0; k < pairs.length; k += 2) if (!this.leaving.has(pairs[k] * this.history.n + pairs[k + 1])) list.push(pairs[k], pairs[k + 1]);
    return list;
  }

  // way is the line from a node to another: of a link that leaves the picture, a stub.
  private way(i: number, j: number): [number, number, number, number] {
    const [x, y] = this.screen(i), out = this.leaving.get(i * this.history.n + j), long = 2 * this.size + 4;
    return out ? [x, y, x + out[0] * long, y - out[1] * long] : [x, y, ...this.screen(j)];
  }

  private upload(name: "a" | "b" | "colour" | "size", data: Float32Array | Uint32Array): void {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.buffers[name]);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, data, this.gl.DYNAMIC_DRAW);
  }

  private links(pairs: Uint32Array): void {
    this.gl.bufferData(this.gl.ELEMENT_ARRAY_BUFFER, pairs, this.gl.DYNAMIC_DRAW);
    this.linkCount = pairs.length;
  }

  private fit(xy: Float32Array): void {
    let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
    for (let i = 0; i < xy.length; i += 2) {
      x0 = Math.min(x0, xy[i]); x1 = Math.max(x1, xy[i]);
      y0 = Math.min(y0, xy[i + 1]); y1 = Math.max(y1, xy[i + 1]);
    }
    const pad = 0.06 * (Math.max(x1 - x0, y1 - y0) || 1); // the card has few digits for what is very small
    this.box = { x: x0 - pad, y: y0 - pad, w: x1 - x0 + 2 * pad, h: y1 - y0 + 2 * pad };
    this.gap = Math.min(0.42 * Math.sqrt((this.box.w * this.box.h * 2) / xy.length), 0.9 * middleGap(xy));
  }

  // toScreen gives the factors from network to pixels: x' = x·kx + dx.
  private toScreen(): { k: number; dx: number; dy: number } {
    const w = this.el.clientWidth, h = this.el.clientHeight;
    const top = w < 300 ? 3 * margin : 2 * margin, left = Math.max(h - top - margin, 60);
    const k = Math.min(Math.max(w - 2 * margin, 60) / this.box.w, left / this.box.h) * this.zoom;
    return { k, dx: w / 2 - k * (this.box.x + this.box.w / 2) + this.panX, dy: top + left / 2 + k * (this.box.y + this.box.h / 2) + this.panY };
  }

  // screen gives the place of a node in the last picture, in CSS pixels.
  screen(i: number): [number, number] {
    const s = this.view;
    return [this.places[2 * i] * s.k + s.dx, s.dy - this.places[2 * i + 1] * s.k];
  }

  // recolour gives regions colours: those they had, unless a neighbouring region has the same. Networks of many regions, or
  // too many links to look at each, have colours by chance.
  private recolour(now: Now, time: number): void {
    const h = this.history, edges = h.linksAt(time);
    if (edges.length > mostLinks) return;
    const all = new Set<number>();
    for (let i = 0; i < h.n && all.size <= mostRegions; i++) if (now.leader[i] >= 0) all.add(now.leader[i]);
    if (all.size > mostRegions) return;
    const beside = new Map<number, Set<number>>();
    for (const l of all) beside.set(l, new Set());
    for (let k = 0; k < edges.length; k += 2) {
      const a = now.leader[edges[k]], b = now.leader[edges[k + 1]];
      if (a !== b && a >= 0 && b >= 0) { beside.get(a)!.add(b); beside.get(b)!.add(a); }
    }
    const used = new Array<number>(palette.length).fill(0), kept = new Set<number>();
    for (const l of all) {
      const taken = new Set<number>();
      for (const o of beside.get(l)!) if (kept.has(o)) taken.add(this.colourOf[o]);
      if (taken.has(this.colourOf[l]) || (all.size <= palette.length && used[this.colourOf[l]])) {
        let best = -1;
        for (let c = 0; c < used.length; c++) if (!taken.has(c) && (best < 0 || used[c] < used[best])) best = c;
        if (best < 0) best = used.push(0) - 1; // it has more neighbours than there are colours
        this.paint(l, best);
      }
      kept.add(l);
      used[this.colourOf[l]] = (used[this.colourOf[l]] ?? 0) + 1;
    }
  }

  private paint(leader: number, colour: number): void {
    this.colourOf[leader] = colour;
    this.table[leader] = packed(rgbOf(colour));
  }

  cssOf(leader: number): string {
    if (leader === -1) return "#969ea6";
    if (leader < -1) return "#d7263d";
    return palette[this.colourOf[leader]] ?? `rgb(${rgbOf(this.colourOf[leader]).join(", ")})`;
  }

  draw(time: number): void {
    const begun = performance.now(), gl = this.gl, h = this.history, now = h.now;
    const ratio = window.devicePixelRatio || 1, w = Math.round(this.el.clientWidth * ratio), hh = Math.round(this.el.clientHeight * ratio);
    for (const c of [this.ground, this.layer, this.base, this.over]) if (c.width !== w || c.height !== hh) { c.width = w; c.height = hh; }
    let mixed = 0;
    const at = h.placesAt(time);
    if (at) {
      if (!this.shown) this.fit(at.a.xy);
      if (this.shown?.a !== at.a || this.shown?.b !== at.b) {
        this.mesh = undefined;
        this.upload("a", at.a.xy);
        this.upload("b", at.b.xy);
        this.links(Uint32Array.from(at.a.links));
        this.shown = { a: at.a, b: at.b };
      }
      mixed = at.mix;
      if (h.n <= 20000) for (let k = 0; k < this.places.length; k++) this.places[k] = at.a.xy[k] + (at.b.xy[k] - at.a.xy[k]) * mixed;
    }
    this.view = this.toScreen();
    if (this.coast.length) this.shores(ratio);
    const size = Math.max(smallest, Math.min(largest, this.gap * this.view.k));
    if (this.painted !== h.cursor) this.recolour(now, time);
    if (this.painted !== h.cursor || this.size !== size) this.fill(now, size);
    this.painted = h.cursor;
    this.size = size;
    this.stale = false;
    gl.viewport(0, 0, w, hh);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const cw = w / ratio, ch = hh / ratio, s = this.view;
    gl.uniform1f(this.uniform.mixed, mixed);
    gl.uniform4f(this.uniform.view, (2 * s.k) / cw, (2 * s.k) / ch, (2 * s.dx) / cw - 1, 1 - (2 * s.dy) / ch);
    gl.uniform1f(this.uniform.scale, ratio);
    if (this.linkCount) {
      gl.uniform1f(this.uniform.edge, 0.45 * Math.min(1, Math.max(0.35, size / 6))); // in a crowd they are too many to see the nodes
      gl.drawElements(gl.LINES, this.linkCount, gl.UNSIGNED_INT, 0);
    }
    gl.uniform1f(this.uniform.edge, 0);
    gl.drawArrays(gl.POINTS, 0, h.n);
    this.overlay(time, ratio);
    this.scriptTime = performance.now() - begun;
  }

  // shores draws the coastline, if it does not stand there already.
  private shores(ratio: number): void {
    const s = this.view, c = this.ground, key = [s.k, s.dx, s.dy, c.width, c.height].join();
    if (key === this.under) return;
    this.under = key;
    const g = c.getContext("2d")!;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, c.width, c.height);
    g.strokeStyle = shore;
    g.beginPath();
    for (const line of this.coast) {
      for (let k = 0; k < line.length; k += 2) {
        const x = line[k] * s.k + s.dx, y = s.dy - line[k + 1] * s.k;
        if (k) g.lineTo(x, y); else g.moveTo(x, y);
      }
    }
    g.stroke();
  }

  // fill gives the card colours and sizes of all nodes.
  private fill(now: Now, size: number): void {
    const { table, colours, sizes } = this, { up, leader, role } = now, large = leaderSize(size), small = size * 0.6;
    for (let i = 0; i < colours.length; i++) {
      const l = leader[i];
      colours[i] = !up[i] ? packedDown : l === -1 ? packedNone : l < -1 ? packedGhost : table[l];
      sizes[i] = !up[i] ? small : role[i] === leads ? large : size;
    }
    this.upload("colour", this.colours);
    this.upload("size", this.sizes);
  }

  private overlay(time: number, ratio: number): void {
    const g = this.over.getContext("2d")!, h = this.history, now = h.now, around = ring(this.size);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, this.over.width, this.over.height);
    const ink = getComputedStyle(document.body).color;
    if (h.n <= mostAreas) this.spread(time, ratio);
    if (h.n <= 20000) this.stubs(g);
    if (h.n <= 3000) this.parents(g);
    if (h.n <= 3000) this.candidacies(g, time, ink);
    this.messages(g, time, ink);
    g.lineWidth = ringWidth(this.size);
    for (let i = 0; i < h.n && h.n <= 20000; i++) {
      if (now.role[i] !== leads || !now.up[i]) continue;
      const [x, y] = this.screen(i);
      g.strokeStyle = ink;
      g.beginPath();
      g.arc(x, y, around, 0, 7);
      g.stroke();
    }
    this.write(g, ink);
    this.picked(g, time, ink);
    if (h.links.length <= mostLabels) this.labels(g, ink);
    if (this.selected >= 0) {
      const [x, y] = this.screen(this.selected);
      g.strokeStyle = "#d7263d";
      g.lineWidth = 3;
      g.strokeRect(x - around - 4, y - around - 4, 2 * around + 8, 2 * around + 8);
    }
    if (this.line) {
      g.strokeStyle = "#d7263d";
      g.setLineDash([6, 4]);
      g.beginPath();
      g.moveTo(this.line.x0, this.line.y0);
      g.lineTo(this.line.x1, this.line.y1);
      g.stroke();
      g.setLineDash([]);
    }
  }

  // names are those of nodes, where there is room for them.
  private names(): Written[] {
    const { n, now, h } = this.history, g = this.over.getContext("2d")!, around = ring(this.size);
    if (n > mostNames) return [];
    g.font = `${letters}px system-ui, sans-serif`;
    return place(h.names.map((name, i) => {
      const [x, y] = this.screen(i), first = now.role[i] === leads && now.up[i] === 1;
      return { x, y, r: first ? around + 1 : this.size / 2, name, wide: g.measureText(name).width, first };
    }), this.el.clientWidth, this.el.clientHeight);
  }

  private write(g: CanvasRenderingContext2D, ink: string): void {
    const all = this.names();
    g.lineWidth = 3;
    g.lineJoin = "round";
    g.strokeStyle = getComputedStyle(document.body).backgroundColor;
    g.fillStyle = ink;
    for (const { name, x, y } of all) g.strokeText(name, x, y);
    for (const { name, x, y } of all) g.fillText(name, x, y);
  }

  // picked marks the nodes that the daemon of a counterexample has had act last.
  private picked(g: CanvasRenderingContext2D, time: number, ink: string): void {
    const told = this.history.h.told;
    if (!told) return;
    g.strokeStyle = ink;
    g.lineWidth = 2;
    g.setLineDash([5, 4]);
    for (const i of told.rows[rowAt(told, time)].acted ?? []) {
      const [x, y] = this.screen(i);
      g.beginPath();
      g.arc(x, y, ring(this.size) + 7, 0, 7);
      g.stroke();
    }
    g.setLineDash([]);
  }

  // labels tells of links between real agents.
  private labels(g: CanvasRenderingContext2D, ink: string): void {
    g.font = "11px system-ui, sans-serif";
    g.textAlign = "center";
    g.lineWidth = 4;
    g.strokeStyle = getComputedStyle(document.body).backgroundColor;
    g.fillStyle = ink;
    for (const { a, b, text } of this.history.links) {
      const [x, y] = this.screen(a), [u, v] = this.screen(b);
      g.strokeText(text, (x + u) / 2, (y + v) / 2);
      g.fillText(text, (x + u) / 2, (y + v) / 2);
    }
    g.textAlign = "start";
  }

  // areas are those of regions, and the leaders of these. A region that links go around the picture to has one for each of its
  // parts.
  areas(): [number, Area][] {
    const { n, now } = this.history, parts = this.parts();
    this.mesh ??= new Mesh(this.places);
    const region = Int32Array.from({ length: n }, (_, i) => (!now.up[i] || now.leader[i] < 0 ? -1 : parts ? parts[i] : now.leader[i]));
    return [...this.mesh.areas(region)].map(([r, area]) => [parts ? now.leader[r] : r, area]);
  }

  // parts gives each node one of those that its region reaches from it without leaving the picture, the same for all of them.
  private parts(): number[] | undefined {
    if (!this.leaving.size) return undefined;
    const { n, now } = this.history, part = new Array<number>(n).fill(-1);
    for (let i = 0; i < n; i++) {
      if (part[i] >= 0) continue;
      part[i] = i;
      for (const stack = [i]; stack.length;) {
        const j = stack.pop()!;
        for (const k of this.nearby(j, 0)) {
          if (part[k] >= 0 || now.leader[k] !== now.leader[i] || this.leaving.has(j * n + k) || this.leaving.has(k * n + j)) continue;
          part[k] = i;
          stack.push(k);
        }
      }
    }
    return part;
  }

  // spread draws areas, if they do not stand there already.
  private spread(time: number, ratio: number): void {
    const h = this.history, s = this.view, c = this.layer;
    const key = [h.cursor, s.k, s.dx, s.dy, c.width, c.height, h.h.moving ? time : 0].join();
    if (key === this.laid) return;
    this.laid = key;
    // Opaque, on a layer that is not: edges and overlaps are not darker.
    const o = c.getContext("2d")!, at = (i: number) => this.screen(i);
    o.setTransform(ratio, 0, 0, ratio, 0, 0);
    o.clearRect(0, 0, c.width, c.height);
    o.lineWidth = this.rim;
    o.lineCap = o.lineJoin = "round";
    for (const [leader, area] of this.areas()) {
      o.fillStyle = o.strokeStyle = this.cssOf(leader);
      o.beginPath();
      area.fill(o, at);
      o.fill();
      o.beginPath();
      area.rim(o, at);
      o.stroke();
    }
  }

  // rim is how wide the line around an area is: half of it lies outside.
  private get rim(): number { return 1.2 * this.size + 4; }

  // stubs are the links that leave the picture.
  private stubs(g: CanvasRenderingContext2D): void {
    g.strokeStyle = "rgba(128, 140, 153, 0.45)";
    g.lineWidth = 1;
    g.beginPath();
    for (const link of this.leaving.keys()) {
      const [x, y, u, v] = this.way(Math.floor(link / this.history.n), link % this.history.n);
      g.moveTo(x, y);
      g.lineTo(u, v);
    }
    g.stroke();
  }

  // parents draws the way from nodes to their leaders, where the algorithm knows it.
  private parents(g: CanvasRenderingContext2D): void {
    const now = this.history.now;
    g.lineWidth = 2.5;
    for (let i = 0; i < this.history.n; i++) {
      if (now.parent[i] < 0 || !now.up[i]) continue;
      g.strokeStyle = this.cssOf(now.leader[i]);
      const [x, y, u, v] = this.way(i, now.parent[i]);
      g.beginPath();
      g.moveTo(x, y);
      g.lineTo(u, v);
      g.stroke();
    }
  }

  // nearby are the neighbours of a node.
  nearby(i: number, time: number): number[] {
    const links = this.history.linksAt(time);
    if (this.nearBy !== links) this.near = neighbours(this.history.n, (this.nearBy = links));
    return this.near[i];
  }

  // candidacies draws what has nodes follow another leader in the round that comes, on its way to them: from the neighbour that
  // they name, or else from one that follows that leader already.
  private candidacies(g: CanvasRenderingContext2D, time: number, ink: string): void {
    const h = this.history, m = h.momentAt(time) + 1, part = 1 - ((h.times.data[m] ?? Infinity) - time);
    if (h.h.shape !== "rounds" || h.h.told || m >= h.times.length || part <= 0) return;
    const end = m + 1 < h.times.length ? h.first.data[m + 1] : h.node.length;
    g.strokeStyle = ink;
    g.lineWidth = 1;
    for (let c = h.first.data[m]; c < end; c++) {
      const i = h.node.data[c], leader = h.leader.data[c];
      if (leader < 0 || leader === i || leader === h.now.leader[i]) continue;
      const from = h.parent.data[c] >= 0 ? h.parent.data[c] : this.nearby(i, time).find((j) => h.now.leader[j] === leader);
      if (from === undefined) continue;
      const [x, y] = this.screen(from), [u, v] = this.screen(i);
      g.fillStyle = this.cssOf(leader);
      g.beginPath();
      g.arc(x + (u - x) * part, y + (v - y) * part, 4, 0, 7);
      g.fill();
      g.stroke();
    }
  }

  private messages(g: CanvasRenderingContext2D, time: number, ink: string): void {
    const h = this.history, count = h.msgSent.length;
    if (!count || h.n > 3000) return;
    let shown = 0;
    for (let m = 0; m < count && shown < 4000; m++) {
      const from = h.msgSent.data[m], to = Math.min(h.msgGot.data[m], h.span + 1);
      if (from > time) break;
      if (to <= time) continue;
      shown++;
      const [x, y] = this.screen(h.msgFrom.data[m]), [u, v] = this.screen(h.msgTo.data[m]);
      const f = (time - from) / Math.max(to - from, 1e-9), px = x + (u - x) * f, py = y + (v - y) * f;
      g.fillStyle = palette[h.msgKind.data[m] % palette.length];
      g.strokeStyle = ink;
      g.lineWidth = 1;
      g.beginPath();
      g.rect(px - 4, py - 4, 8, 8);
      g.fill();
      g.stroke();
    }
  }

  private nearest(x: number, y: number): number {
    let best = -1, least = 900;
    for (let i = 0; i < this.history.n; i++) {
      const [u, v] = this.screen(i), d = (u - x) ** 2 + (v - y) ** 2;
      if (d < least) { least = d; best = i; }
    }
    return best;
  }

  // steer moves the line that divides the network, or tilts it, or moves where the node that is selected shall be.
  steer(x: number, y: number): void {
    const w = this.el.clientWidth / 2;
    if (this.drawn) {
      const l = (this.line ??= { x0: w, y0: 0, x1: w, y1: this.el.clientHeight });
      this.line = { ...l, x0: l.x0 + x + y, x1: l.x1 + x - y };
    } else if (this.selected >= 0) {
      if (this.held !== this.selected) this.line = undefined;
      this.held = this.selected;
      const [x0, y0] = this.screen(this.held), l = this.line ?? { x0, y0, x1: x0, y1: y0 };
      this.line = { ...l, x1: l.x1 + x, y1: l.y1 + y };
    }
  }

  // release ends the line that is drawn, or the way of the node that is dragged.
  release(): void {
    const l = this.line, held = this.held, s = this.view;
    this.line = undefined;
    this.held = -1;
    if (l && this.drawn) {
      const side: number[] = [];
      for (let i = 0; i < this.history.n; i++) {
        const [x, y] = this.screen(i);
        if ((l.x1 - l.x0) * (y - l.y0) - (l.y1 - l.y0) * (x - l.x0) > 0) side.push(i);
      }
      this.drawn(side);
    } else if (l && held >= 0) this.moved?.(held, (l.x1 - s.dx) / s.k, (s.dy - l.y1) / s.k);
  }

  // enlarge shows more or less around a place of the picture, or its middle; by 0 all.
  enlarge(by: number, x = this.el.clientWidth / 2, y = this.el.clientHeight / 2): void {
    const was = this.toScreen();
    this.zoom = by && Math.max(0.1, Math.min(1000, this.zoom * by)) || 1;
    const is = this.toScreen(), more = is.k / was.k;
    this.panX += by ? x - (x - was.dx) * more - is.dx : -this.panX;
    this.panY += by ? y - (y - was.dy) * more - is.dy : -this.panY;
    this.stale = true;
  }

  private listen(): void {
    const down = new Map<number, { x: number; y: number }>(); // fingers, or the mouse
    let moved = false;
    const at = (e: MouseEvent) => {
      const r = this.el.getBoundingClientRect();
      return { x: e.clientX - r.left, y: e.clientY - r.top };
    };
    this.over.addEventListener("pointerdown", (e) => {
      const p = at(e);
      down.set(e.pointerId, p);
      moved = down.size > 1;
      this.line = undefined;
      this.held = this.moved && !moved ? this.nearest(p.x, p.y) : -1;
      this.from = p;
      this.over.setPointerCapture(e.pointerId);
    });
    this.over.addEventListener("pointermove", (e) => {
      const was = down.get(e.pointerId), p = at(e);
      if (!was) return;
      const other = [...down].find(([id]) => id !== e.pointerId)?.[1];
      if (other) {
        const wide = (q: { x: number; y: number }) => Math.max(10, Math.hypot(q.x - other.x, q.y - other.y));
        this.enlarge(wide(p) / wide(was), (p.x + other.x) / 2, (p.y + other.y) / 2);
      } else if (this.drawn || this.held >= 0) this.line = { x0: this.from.x, y0: this.from.y, x1: p.x, y1: p.y };
      else if (moved || Math.hypot(p.x - was.x, p.y - was.y) > 4) {
        this.panX += p.x - was.x;
        this.panY += p.y - was.y;
        this.stale = moved = true;
      } else return;
      down.set(e.pointerId, p);
    });
    this.over.addEventListener("pointerup", (e) => {
      if (!down.delete(e.pointerId)) return;
      const p = at(e);
      if (!moved && !this.line) this.pick(this.nearest(p.x, p.y));
      if (!down.size) this.release();
    });
    this.over.addEventListener("pointercancel", (e) => down.delete(e.pointerId));
    this.over.addEventListener("wheel", (e) => {
      e.preventDefault();
      const { x, y } = at(e);
      this.enlarge(Math.exp(-e.deltaY / 500), x, y);
    }, { passive: false });
  }

  // paste puts what has been drawn last into a picture, some way from its left edge. It has to be of this very frame: a
  // browser may forget it after that.
  paste(g: CanvasRenderingContext2D, left: number): void {
    g.fillStyle = getComputedStyle(document.body).backgroundColor;
    g.fillRect(left, 0, this.base.width, g.canvas.height);
    g.drawImage(this.ground, left, 0);
    g.globalAlpha = areaOpacity;
    g.drawImage(this.layer, left, 0);
    g.globalAlpha = 1;
    g.drawImage(this.base, left, 0);
    g.drawImage(this.over, left, 0);
  }

  get extent(): [number, number] { return [this.base.width, this.base.height]; }

  // coastSVG are the lines of the coast that come into view.
  private coastSVG(): string[] {
    const s = this.view, w = this.el.clientWidth, high = this.el.clientHeight, out: string[] = [];
    for (const line of this.coast) {
      const points: string[] = [];
      let seen = false;
      for (let k = 0; k < line.length; k += 2) {
        const x = line[k] * s.k + s.dx, y = s.dy - line[k + 1] * s.k;
        seen ||= x >= 0 && x <= w && y >= 0 && y <= high;
        points.push(`${x.toFixed(1)},${y.toFixed(1)}`);
      }
      if (seen) out.push(`<polyline points="${points.join(" ")}"/>`);
    }
    return out;
  }

  // svg gives what is shown as a drawing of lines and circles that other programs can change.
  svg(time: number): string {
    this.draw(time);
    const h = this.history, now = h.now, page = getComputedStyle(document.body), ink = page.color;
    const at = (i: number) => this.screen(i).map((v) => v.toFixed(1)), out: string[] = [];
    const w = this.el.clientWidth, high = this.el.clientHeight, size = this.size;
    out.push(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${high}" font-family="sans-serif">`,
      `<rect width="${w}" height="${high}" fill="${page.backgroundColor}"/>`, `<g fill="none" stroke="${shore}">`, ...this.coastSVG(), "</g>",
      `<g opacity="${areaOpacity}" stroke-width="${this.rim.toFixed(1)}" stroke-linecap="round">`);
    for (const [leader, area] of h.n <= mostAreas ? this.areas() : []) {
      const c = this.cssOf(leader), inside = new Ink(), rim = new Ink();
      area.fill(inside, (i) => this.screen(i));
      area.rim(rim, (i) => this.screen(i));
      out.push(`<path fill="${c}" d="${inside.d}"/><path stroke="${c}" d="${rim.d}"/>`);
    }
    out.push("</g>", '<g stroke="#808c99" stroke-opacity="0.45">');
    const links = h.linksAt(time);
    for (let k = 0; k < links.length; k += 2) {
      const a = links[k], b = links[k + 1];
      for (const line of this.leaving.has(a * h.n + b) ? [this.way(a, b), this.way(b, a)] : [this.way(a, b)]) {
        const [x, y, u, v] = line.map((v) => v.toFixed(1));
        out.push(`<line x1="${x}" y1="${y}" x2="${u}" y2="${v}"/>`);
      }
    }
    out.push("</g>");
    for (let i = 0; i < h.n; i++) {
      const [x, y] = at(i), lead = now.role[i] === leads && now.up[i], r = (now.up[i] ? (lead ? leaderSize(size) : size) : 0.6 * size) / 2;
      out.push(`<circle cx="${x}" cy="${y}" r="${r.toFixed(1)}" fill="${now.up[i] ? this.cssOf(now.leader[i]) : `rgb(${down})`}"><title>${text(h.h.names[i])}</title></circle>`);
      if (lead) out.push(`<circle cx="${x}" cy="${y}" r="${ring(size).toFixed(1)}" fill="none" stroke="${ink}" stroke-width="${ringWidth(size)}"/>`);
    }
    for (const { name, x, y } of this.names()) {
      out.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${letters}" fill="${ink}" stroke="${page.backgroundColor}" stroke-width="3" paint-order="stroke">${text(name)}</text>`);
    }
    return [...out, "</svg>", ""].join("\n");
  }
}

// text is what stands for itself in a drawing.
const text = (s: string) => s.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);

// A leader's disc and the ring around it, which are seen in a crowd, too.
const leaderSize = (size: number) => Math.max(leastLeader, 1.6 * size);
const ring = (size: number) => leaderSize(size) / 2 + 1 + size / 8;
const ringWidth = (size: number) => (size < 5 ? 1 : 2);

// middleGap is the median distance of a place to the one nearest to it: of some of them, where there are many.
function middleGap(xy: Float32Array): number {
  const n = xy.length / 2, step = Math.ceil(n / Math.max(40, Math.min(256, 4e6 / n))), gaps: number[] = [];
  for (let i = 0; i < n; i += step) {
    let least = Infinity;
    for (let j = 0; j < n; j++) {
      const d = (xy[2 * i] - xy[2 * j]) ** 2 + (xy[2 * i + 1] - xy[2 * j + 1]) ** 2;
      if (d < least && j !== i) least = d;
    }
    gaps.push(Math.sqrt(least));
  }
  return gaps.sort((a, b) => a - b)[gaps.length >> 1];
}
