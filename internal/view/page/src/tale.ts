// What a checker has found, as a table: a line for each step, what the daemon has picked and what has changed marked.
import { History } from "./history";
import { Cell, Told } from "./stream";

// rowAt is the line of a time: of what is told, moments have the times 0, 1, 2 and so on.
export const rowAt = (t: Told, time: number) => Math.min(Math.floor(time + 1e-9), t.rows.length - 1);

export class Tale {
  readonly el = document.createElement("div");
  private readonly lines: HTMLTableRowElement[] = [];
  private shown = -1;

  constructor(private readonly h: History, seek: (time: number) => void) {
    const t = h.h.told!, table = document.createElement("table"), head = table.createTHead().insertRow();
    this.el.className = "tale";
    this.el.tabIndex = 0;
    this.el.setAttribute("role", "region");
    this.el.setAttribute("aria-label", "Steps: " + h.h.title);
    const caption = table.createCaption();
    caption.textContent = (t.fields?.length ? "what nodes hold: " + t.fields.join(" / ") + "; " : "") + "▸ picked, changed fields are marked";
    const events = h.h.shape === "events";
    for (const name of ["step", ...(events ? ["what happens"] : []), ...h.h.names.map((n, i) => n + (t.wanted ? `, right: ${t.wanted[i]}` : ""))]) {
      head.append(Object.assign(document.createElement("th"), { textContent: name, scope: "col" }));
    }
    const body = table.createTBody();
    t.rows.forEach((row, r) => {
      const tr = body.insertRow();
      tr.addEventListener("click", () => seek(r));
      const first = Object.assign(document.createElement("th"), { textContent: String(r), scope: "row" });
      tr.append(first);
      if (events) tr.insertCell().textContent = row.remark ?? "";
      row.cells.forEach((c, i) => this.fill(tr.insertCell(), c, t.rows[r - 1]?.cells[i], row.acted?.includes(i) ?? false));
      if (!events && row.remark) {
        const note = body.insertRow().insertCell();
        note.colSpan = row.cells.length + 1;
        note.textContent = `step ${r}: ${row.remark}`;
        note.className = "remark";
      }
      this.lines.push(tr);
    });
    const end = body.insertRow().insertCell();
    end.colSpan = h.n + (events ? 2 : 1);
    end.textContent = t.ending;
    end.className = "remark";
    this.el.append(table);
  }

  private fill(td: HTMLTableCellElement, c: Cell, was: Cell | undefined, acted: boolean): void {
    if (acted) td.append(Object.assign(document.createElement("b"), { textContent: "▸ ", title: "picked" }));
    const add = (text: string, changed: boolean) => td.append(Object.assign(document.createElement(changed ? "mark" : "span"), { textContent: text }));
    if (c.gone) return add("does not run", !was?.gone);
    if (!c.outcome) return add("sleeps", false);
    const all = (list: string[], old: string[] | undefined) => list.forEach((text, k) => {
      td.append(k ? " / " : " ");
      add(text, Boolean(was?.outcome) && old?.[k] !== text);
    });
    add(c.outcome, Boolean(was) && was!.outcome !== c.outcome);
    td.append(" ");
    if (c.holds) all(c.holds, was?.holds);
    if (c.says) { td.append(" says"); all(c.says, was?.says ?? was?.holds); }
  }

  mark(time: number): void {
    const at = rowAt(this.h.h.told!, time);
    if (at === this.shown) return;
    this.lines[this.shown]?.removeAttribute("aria-current");
    this.shown = at;
    const tr = this.lines[at], box = this.el;
    tr.setAttribute("aria-current", "step");
    const top = tr.offsetTop - box.clientHeight / 2;
    box.scrollTop = top;
  }
}
