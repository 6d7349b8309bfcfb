// The teacher's path: a text, a run, a question that the run answers.
import { History } from "./history";

export interface Page {
  text: string; scenario: string; rounds: number; beside: string; faults: string[] | null; question: string; measure: string;
  theorem: string;
}
export interface Lesson { name: string; title: string; pages: Page[] }

export class LessonBox {
  private lesson?: Lesson;
  private answer?: HTMLElement;
  private last?: History;
  constructor(private readonly el: HTMLElement, private readonly run: (p: Page) => void) {}

  open(l: Lesson | undefined): void {
    this.lesson = l;
    this.el.hidden = !l;
    if (l) this.turn(0);
  }

  // over is told when a run has ended.
  over(h: History): void { this.last = h; }

  private turn(k: number): void {
    const l = this.lesson!, p = l.pages[k];
    this.last = undefined;
    const add = <K extends keyof HTMLElementTagNameMap>(tag: K, text = ""): HTMLElementTagNameMap[K] => {
      const e = document.createElement(tag);
      e.textContent = text;
      this.el.append(e);
      return e;
    };
    this.el.replaceChildren();
    add("h2", `${l.title}, ${k + 1} of ${l.pages.length}`);
    for (const part of p.text.trim().split(/\n\s*\n/)) add("p", part.replace(/\s*\n\s*/g, " "));
    if (p.question) {
      const label = add("label", p.question + " "), guess = document.createElement("input");
      guess.type = "number";
      guess.style.width = "6rem";
      label.append(guess);
      const b = add("button", "Is it?");
      this.answer = add("p");
      this.answer.id = "answer";
      b.addEventListener("click", () => this.judge(p, guess.value));
    }
    const nav = add("p");
    const go = (name: string, to: number) => {
      const b = document.createElement("button");
      b.textContent = name;
      b.disabled = to < 0 || to >= l.pages.length;
      b.addEventListener("click", () => this.turn(to));
      nav.append(b, " ");
    };
    go("Back", k - 1);
    go("On", k + 1);
    this.run(p);
  }

  private judge(p: Page, guess: string): void {
    const h = this.last;
    if (!h?.last) {
      this.answer!.textContent = "The run is not over yet.";
      return;
    }
    const e = h.last, leaders = h.leaders.data[h.leaders.length - 1] ?? 0;
    const [found, before, after] = ({
      messages: [e.messages, "the run took", "messages"], rounds: [e.settled, "it was round", ""],
      time: [e.time, "the run took", "periods"], leaders: [leaders, "in the end", leaders === 1 ? "leads" : "lead"],
    } as Record<string, [number, string, string]>)[p.measure];
    const right = Math.abs(Number(guess) - found) < 0.005 && guess !== "";
    const verdict = right ? "Yes" : `You say ${guess || "nothing"}`;
    this.answer!.textContent = `${verdict}: ${before} ${+found.toFixed(2)}${after && " " + after}. ${p.theorem}`;
  }
}
