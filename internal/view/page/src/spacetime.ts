// The space-time diagram of an algorithm of events: a line for each node, time to the right, messages aslant.
import { History } from "./history";
import { palette } from "./stage";

export function spacetime(canvas: HTMLCanvasElement, h: History, time: number, delivered: (number: number) => string): void {
  const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, rows = h.n, height = Math.min(420, 30 + 16 * rows);
  canvas.style.height = height + "px";
  canvas.width = w * ratio;
  canvas.height = height * ratio;
  const g = canvas.getContext("2d")!;
  g.scale(ratio, ratio);
  const ink = getComputedStyle(document.body).color, left = 70, span = Math.max(h.span, 1);
  const x = (t: number) => left + (t / span) * (w - left - 10), y = (i: number) => 14 + ((height - 24) * (i + 0.5)) / rows;
  g.font = "11px system-ui, sans-serif";
  for (let i = 0; i < rows; i++) {
    g.fillStyle = ink;
    g.fillText(h.h.names[i].slice(0, 10), 2, y(i) + 4);
    g.strokeStyle = "#8888";
    g.beginPath();
    g.moveTo(left, y(i));
    g.lineTo(x(time), y(i));
    g.stroke();
  }
  for (let m = 0; m < h.msgSent.length; m++) {
    const from = h.msgSent.data[m], to = h.msgGot.data[m];
    if (from > time) break;
    const end = Math.min(to, time), f = to === Infinity ? 1 : (end - from) / Math.max(to - from, 1e-9);
    g.strokeStyle = h.msgFate.data[m] === 2 ? "#d7263d" : palette[h.msgKind.data[m] % palette.length];
    g.beginPath();
    g.moveTo(x(from), y(h.msgFrom.data[m]));
    g.lineTo(x(end), y(h.msgFrom.data[m]) + (y(h.msgTo.data[m]) - y(h.msgFrom.data[m])) * f);
    g.stroke();
  }
  canvas.setAttribute("aria-label", delivered(h.msgSent.length));
}
