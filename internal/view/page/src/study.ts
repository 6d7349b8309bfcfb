// A sweep as it goes: how far it is, a chart a measure that grows, and the runs, of which one can be picked and watched.
import uPlot from "uplot";
import { palette } from "./stage";
import { ask } from "./transport";

interface Curve { name: string; x: number[] | null; y: number[] | null; low: number[] | null; high: number[] | null }
interface Curves { measure: string; over: string; lines: Curve[] }
type Cell = string | number;
interface Look {
  name: string; done: number; total: number; most: number; seconds: number; left: number; over: boolean; wrong?: string;
  columns: string[]; runs: Cell[][]; charts: Curves[];
}

const period = 1000, lines = 100; // ms between two looks; runs in the table at once

// lasting says a time as people do.
const lasting = (s: number) => (s < 90 ? `${Math.round(s)} s` : s < 5400 ? `${Math.round(s / 60)} min` : `${(s / 3600).toFixed(1)} h`);

export class Study {
  private readonly title = document.createElement("h2");
  private readonly bar = document.createElement("progress");
  private readonly far = document.createElement("p");
  private readonly wrong = Object.assign(document.createElement("p"), { className: "wrong", hidden: true });
  private readonly curves = document.createElement("div");
  private readonly table = document.createElement("table");
  private readonly turn = document.createElement("p");
  readonly figures = new Map<string, { plot: uPlot; text: string; shown: Curves }>();
  private runs: Cell[][] = [];
  private columns: string[] = [];
  private sorted = -1; private down = false; private first = 0;

  constructor(el: HTMLElement, private readonly watch: (run: number) => void) {
    this.bar.setAttribute("aria-label", "Runs done");
    this.curves.className = "curves";
    const box = document.createElement("div");
    box.className = "runs";
    box.append(this.table);
    this.wrong.setAttribute("role", "alert");
    el.append(this.title, this.bar, this.far, this.wrong, this.curves, Object.assign(document.createElement("h2"), { textContent: "Runs" }), this.turn, box);
  }

  // follow looks again and again until the sweep is over.
  async follow(): Promise<void> {
    for (;;) {
      let look: Look;
      try {
        const answer = await ask(`/api/study?from=${this.runs.length}`);
        if (!answer.ok) throw new Error(await answer.text());
        look = (await answer.json()) as Look;
      } catch (e) {
        this.far.textContent += ` — it is not told of any more: caucus sweep does not answer (${(e as Error).message})`;
        return;
      }
      this.show(look);
      if (look.over) return;
      await new Promise((go) => setTimeout(go, look.runs.length >= 5000 ? 0 : period));
    }
  }

  private show(l: Look): void {
    this.title.textContent = `Sweep ${l.name}`;
    this.bar.max = Math.max(l.total, 1);
    this.bar.value = l.done;
    const most = l.most > l.total ? `, at most ${l.most}` : "";
    this.far.textContent = `${l.done} of ${l.total} runs${most}; ${lasting(l.seconds)}` +
      (l.wrong ? "; ended before all were made" : l.over ? "; over" : l.left >= 0 ? `, ${lasting(l.left)} left` : "");
    this.wrong.hidden = !l.wrong;
    this.wrong.textContent = l.wrong ?? "";
    this.columns = l.columns;
    if (l.runs.length || !this.table.tHead) {
      this.runs.push(...l.runs);
      this.list();
    }
    for (const c of l.charts) this.draw(c);
  }

  private draw(c: Curves): void {
    const text = JSON.stringify(c), had = this.figures.get(c.measure);
    if (had?.text === text) return;
    const names = c.lines.map((l) => l.name).join("\n");
    if (had && had.shown.lines.map((l) => l.name).join("\n") === names) {
      had.text = text;
      had.shown.lines = c.lines;
      had.plot.setData(data(c));
      return;
    }
    had?.plot.root.closest("figure")?.remove(); // there are other lines now
    had?.plot.destroy();
    const figure = document.createElement("figure"), list = document.createElement("ul"), place = [...this.figures.keys()].indexOf(c.measure);
    figure.append(Object.assign(document.createElement("figcaption"), { textContent: c.over ? `${c.measure} over ${c.over}: mean, 95 % interval` : `${c.measure}: share of runs with at most this` }));
    this.curves.insertBefore(figure, place < 0 ? null : this.curves.children[place]);
    c.lines.forEach((l, k) => {
      if (!l.name) return;
      const li = document.createElement("li"), chip = document.createElement("span");
      chip.className = "chip";
      chip.style.background = palette[k % palette.length];
      li.append(chip, l.name + (k >= palette.length ? ", broken" : ""));
      list.append(li);
    });
    list.className = "names";
    const shown = { ...c }, plot = plotOf(figure, shown);
    figure.append(list);
    this.figures.set(c.measure, { plot, text, shown });
  }

  // list shows a page of the runs, in the order that the reader has chosen.
  private list(): void {
    const order = this.runs.slice(), k = this.sorted;
    if (k >= 0) order.sort((a, b) => (this.down ? -1 : 1) * compare(a[k], b[k]));
    else order.reverse(); // the last that has ended first
    const focus = this.table.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.of : undefined;
    this.table.replaceChildren();
    const head = this.table.createTHead().insertRow();
    head.append(document.createElement("th"));
    this.columns.forEach((name, k) => {
      const th = document.createElement("th"), b = button(name + (k === this.sorted ? (this.down ? " ▾" : " ▴") : ""), () => {
        this.down = k === this.sorted && !this.down;
        this.sorted = k;
        this.first = 0;
        this.list();
      });
      b.dataset.of = "column " + name;
      b.title = "sort";
      th.scope = "col";
      th.append(b);
      head.append(th);
    });
    this.first = Math.max(0, Math.min(this.first, order.length - 1));
    const body = this.table.createTBody();
    for (const run of order.slice(this.first, this.first + lines)) {
      const tr = body.insertRow(), b = button("Watch", () => this.watch(Number(run[0])));
      b.setAttribute("aria-label", `Watch run ${run[0]}`);
      b.dataset.of = b.dataset.run = String(run[0]);
      tr.insertCell().append(b);
      for (const cell of run) tr.insertCell().textContent = String(cell);
    }
    const go = (name: string, by: number) => Object.assign(button(name, () => { this.first += by; this.list(); }),
      { disabled: this.first + by < 0 || this.first + by >= order.length });
    this.turn.replaceChildren(order.length ? `${this.first + 1} to ${Math.min(this.first + lines, order.length)} of ${order.length} ` : "none has ended yet",
      ...(order.length > lines ? [go("Back", -lines), " ", go("On", lines)] : []));
    if (focus) this.table.querySelector<HTMLElement>(`[data-of=${JSON.stringify(focus)}]`)?.focus();
  }
}

function button(name: string, act: () => void): HTMLButtonElement {
  const b = document.createElement("button");
  b.textContent = name;
  b.addEventListener("click", act);
  return b;
}

function compare(a: Cell, b: Cell): number {
  const x = parseFloat(String(a)), y = parseFloat(String(b));
  if (x === x && y === y && x !== y) return x - y;
  return Number(x !== x) - Number(y !== y) || String(a).localeCompare(String(b));
}

// data are the means of all lines, over all that they are over.
function data(c: Curves): uPlot.AlignedData {
  const tables = c.lines.map((l) => [l.x ?? [], l.y ?? []] as uPlot.AlignedData);
  return tables.length ? uPlot.join(tables) : [[]];
}

const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

function plotOf(figure: HTMLElement, c: Curves): uPlot {
  const axis = { stroke: getComputedStyle(document.body).color, grid: { stroke: "#8884", width: 1 }, ticks: { show: false },
    values: (_: uPlot, list: number[]) => list.map((v) => short.format(v)) };
  const ends = () => c.lines.flatMap((l) => [...(l.y ?? []), ...(l.low ?? []), ...(l.high ?? [])]);
  const wide = (low: number, high: number): [number, number] => (low < high ? [low - 0.04 * (high - low), high + 0.04 * (high - low)] : [low - 1, high + 1]);
  const size = () => ({ width: Math.max(220, figure.clientWidth), height: 220 });
  const plot = new uPlot({
    ...size(), legend: { show: false }, cursor: { drag: { x: false, y: false } },
    scales: { x: { time: false, range: (_, low, high) => wide(low, high) },
      y: { range: () => { const all = ends(), high = Math.max(0, ...all); return [Math.min(0, ...all), high > 0 ? 1.08 * high : 1]; } } },
    axes: [{ ...axis, label: c.over || c.measure, labelSize: 20, size: 28 }, { ...axis, size: 46, space: 26 }],
    series: [{}, ...c.lines.map((_, k) => ({ stroke: palette[k % palette.length], width: 1.5, spanGaps: true, dash: k >= palette.length ? [6, 4] : undefined,
      points: { show: c.over !== "" && c.over !== "round", size: 6 } }))],
    hooks: { drawSeries: [(u, k) => whiskers(u, c.lines[k - 1], palette[(k - 1) % palette.length])] },
  }, data(c), figure);
  new ResizeObserver(() => requestAnimationFrame(() => figure.isConnected && figure.clientWidth > 0 && plot.setSize(size()))).observe(figure);
  return plot;
}

// whiskers are the intervals of a line.
function whiskers(u: uPlot, l: Curve, colour: string): void {
  if (!l.low || !l.high || !l.x) return;
  u.ctx.save();
  u.ctx.strokeStyle = colour;
  u.ctx.globalAlpha = 0.45;
  u.ctx.lineWidth = 2 * devicePixelRatio;
  u.ctx.beginPath();
  l.x.forEach((x, k) => {
    const at = u.valToPos(x, "x", true);
    u.ctx.moveTo(at, u.valToPos(l.low![k], "y", true));
    u.ctx.lineTo(at, u.valToPos(l.high![k], "y", true));
  });
  u.ctx.stroke();
  u.ctx.restore();
}
