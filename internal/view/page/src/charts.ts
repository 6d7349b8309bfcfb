// Charts under the network, along the same time line.
import uPlot from "uplot";
import { History } from "./history";
import { palette } from "./stage";

const most = 1500; // points of a series

export class Charts {
  private plots: { plot: uPlot; of: (h: History) => Int32Array }[] = [];
  private built = -1;
  constructor(private readonly el: HTMLElement, private readonly seek: (time: number) => void) {}

  reset(): void {
    this.el.replaceChildren();
    this.plots = [];
    this.built = -1;
  }

  update(histories: History[]): void {
    const size = histories.reduce((sum, h) => sum + h.times.length + Math.floor(h.last ? 0 : h.span), 0);
    if (size === this.built) return;
    if (!this.plots.length) {
      this.add("leaders", histories, (h) => h.leaders.data);
      this.add(histories[0].h.shape === "rounds" ? "nodes that change their leader" : "changes", histories, (h) => h.changed.data);
    }
    this.built = size;
    for (const p of this.plots) p.plot.setData(aligned(histories, p.of));
  }

  mark(time: number): void {
    for (const { plot } of this.plots) {
      const x = plot.valToPos(time, "x");
      const mark = plot.over.querySelector<HTMLElement>(".mark")!;
      mark.style.left = x + "px";
    }
  }

  private add(title: string, histories: History[], of: (h: History) => Int32Array): void {
    const div = document.createElement("div");
    div.className = "chart";
    this.el.append(div);
    const ink = getComputedStyle(document.body).color;
    const axis = { stroke: ink, grid: { stroke: "#8884", width: 1 }, ticks: { show: false } };
    const plot = new uPlot({
      width: Math.max(220, div.clientWidth), height: 120, title, scales: { x: { time: false } }, legend: { show: histories.length > 1 },
      cursor: { drag: { x: false, y: false } }, axes: [axis, { ...axis, size: 40 }],
      series: [{ label: "t" }, ...histories.map((h, k) => ({ label: h.h.algo, stroke: palette[k], width: 1.5, points: { show: false }, paths: uPlot.paths.stepped!({ align: 1 }) }))],
    }, [[0], ...histories.map(() => [0])], div);
    const mark = document.createElement("div");
    mark.className = "mark";
    mark.style.cssText = "position:absolute;top:0;bottom:0;width:2px;background:#d7263d;pointer-events:none";
    plot.over.append(mark);
    plot.over.addEventListener("click", () => plot.cursor.left !== undefined && this.seek(plot.posToVal(plot.cursor.left, "x")));
    new ResizeObserver(() => plot.setSize({ width: Math.max(220, div.clientWidth), height: 120 })).observe(div);
    this.plots.push({ plot, of });
  }
}

// aligned puts the series of several runs on one time axis.
function aligned(histories: History[], of: (h: History) => Int32Array): uPlot.AlignedData {
  const tables = histories.map((h) => {
    const step = Math.max(1, Math.ceil(h.times.length / most)), x: number[] = [], y: number[] = [];
    const changes = of(h) === h.changed.data;
    for (let m = 0; m < h.times.length; m += step) {
      const t = h.times.data[m], before = x[x.length - 1];
      if (changes && h.h.shape === "rounds" && t > before + 1) { x.push(before + 1); y.push(0); }
      x.push(t);
      y.push(of(h)[m]);
    }
    if (h.span > (x[x.length - 1] ?? 0) && y.length) { x.push(h.span); y.push(changes ? 0 : y[y.length - 1]); }
    return [x, y] as uPlot.AlignedData;
  });
  return tables.length === 1 ? tables[0] : uPlot.join(tables);
}
