// Charts under the network, along the same time line.
import uPlot from "uplot";
import { History } from "./history";
import { palette } from "./stage";

const most = 1500; // points of a series
const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
type Series = (h: History) => uPlot.AlignedData;

export class Charts {
  private plots: { plot: uPlot; of: Series; seen: ResizeObserver }[] = [];
  private built = -1;
  private at = 0; // the time that is marked
  constructor(private readonly el: HTMLElement, private readonly seek: (time: number) => void) {}

  reset(): void {
    for (const p of this.plots) {
      p.seen.disconnect();
      p.plot.destroy(); // which listens to the window
    }
    this.el.replaceChildren();
    this.plots = [];
    this.built = -1;
  }

  update(histories: History[]): void {
    const size = histories.reduce((sum, h) => sum + h.times.length + Math.floor(h.last ? 0 : h.span), 0);
    if (size === this.built) return;
    const rounds = histories[0].h.shape === "rounds";
    if (!this.plots.length) {
      this.add("leaders", histories, (h) => moments(h, h.leaders.data, false));
      this.add(rounds ? "changes of leader" : "changes", histories, (h) => moments(h, h.changed.data, true));
      if (!rounds) this.add("messages sent", histories, sent);
    }
    if (rounds && this.plots.length === 2 && histories.every((h) => h.last?.charts.round?.length)) {
      const known = (what: string) => histories.every((h) => h.last!.charts[what]); // a trace has not all
      if (known("instability")) this.add("instability", histories, (h) => [h.last!.charts.round, h.last!.charts.instability]);
      for (const what of ["messages", "bytes", "joules"].filter(known)) this.add(`${what} in a round`, histories, (h) => inRounds(h, what));
    }
    this.built = size;
    for (const p of this.plots) {
      const tables = histories.map(p.of);
      p.plot.setData(tables.length === 1 ? tables[0] : uPlot.join(tables));
    }
  }

  mark(time: number): void {
    this.at = time;
    for (const { plot } of this.plots) {
      const x = plot.valToPos(time, "x");
      const mark = plot.over.querySelector<HTMLElement>(".mark")!;
      mark.style.left = x + "px";
    }
  }

  private add(title: string, histories: History[], of: Series): void {
    const div = document.createElement("div");
    div.className = "chart";
    this.el.append(div);
    const ink = getComputedStyle(document.body).color;
    const axis = { stroke: ink, grid: { stroke: "#8884", width: 1 }, ticks: { show: false } };
    const plot = new uPlot({
      width: Math.max(220, div.clientWidth), height: 120, title, scales: { x: { time: false }, y: { range: (_, low, high) => [Math.min(0, low), high > 0 ? 1.08 * high : 1] } }, legend: { show: histories.length > 1 },
      hooks: { draw: [() => this.mark(this.at)] }, // when it has another size, too
      cursor: { drag: { x: false, y: false } }, axes: [{ ...axis, size: 28 }, { ...axis, size: 46, space: 22, values: (_, list) => list.map((v) => short.format(v)) }],
      series: [{ label: "t" }, ...histories.map((h, k) => ({ label: h.h.algo, stroke: palette[k], width: 1.5, points: { show: false }, paths: uPlot.paths.stepped!({ align: 1 }) }))],
    }, [[0], ...histories.map(() => [0])], div);
    const mark = document.createElement("div");
    mark.className = "mark";
    mark.style.cssText = "position:absolute;top:0;bottom:0;width:2px;background:#d7263d;pointer-events:none";
    plot.over.append(mark);
    plot.over.addEventListener("click", () => plot.cursor.left !== undefined && this.seek(plot.posToVal(plot.cursor.left, "x")));
    // In the next frame: a plot that grows may take away the width that another has just been told of.
    const seen = new ResizeObserver(() => requestAnimationFrame(() => plot.setSize({ width: Math.max(220, div.clientWidth), height: 120 })));
    seen.observe(div);
    this.plots.push({ plot, of, seen });
  }
}

// moments are counts at the moments of a run; changes last for a round and then are none.
function moments(h: History, counts: Int32Array, changes: boolean): uPlot.AlignedData {
  const step = Math.max(1, Math.ceil(h.times.length / most)), x: number[] = [], y: number[] = [];
  for (let m = 0; m < h.times.length; m += step) {
    const t = h.times.data[m], before = x[x.length - 1];
    if (changes && h.h.shape === "rounds" && t > before + 1) { x.push(before + 1); y.push(0); }
    x.push(t);
    y.push(counts[m]);
  }
  const end = x[x.length - 1] ?? 0;
  if (changes && h.h.shape === "rounds" && h.span > end + 1) { x.push(end + 1); y.push(0); }
  if (h.span > end && y.length) { x.push(h.span); y.push(changes ? 0 : y[y.length - 1]); }
  return [x, y];
}

// sent are the messages of an algorithm of events up to a time.
function sent(h: History): uPlot.AlignedData {
  const step = Math.max(1, Math.ceil(h.msgSent.length / most)), x = [0], y = [0];
  for (let m = step - 1; m < h.msgSent.length; m += step) { x.push(h.msgSent.data[m]); y.push(m + 1); }
  x.push(h.span);
  y.push(h.msgSent.length);
  return [x, y];
}

// inRounds is what was added in each round to what a run counts until its end.
function inRounds(h: History, what: string): uPlot.AlignedData {
  const rounds = h.last!.charts.round, counted = h.last!.charts[what], step = Math.max(1, Math.ceil(rounds.length / most));
  const x: number[] = [], y: number[] = [];
  for (let k = step; k < rounds.length; k += step) {
    x.push(rounds[k]);
    y.push((counted[k] - counted[k - step]) / (rounds[k] - rounds[k - step]));
  }
  return [x, y];
}
