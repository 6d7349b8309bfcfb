import "uplot/dist/uPlot.min.css";
import "./app.css";
import { Charts } from "./charts";
import { Film, picture } from "./film";
import { History, leads, quoted } from "./history";
import { attend, follow, Places } from "./live";
import { LessonBox, Lesson } from "./lesson";
import { spacetime } from "./spacetime";
import { Stage } from "./stage";
import { alone, read, recorded } from "./stream";
import { Study } from "./study";
import { Tale } from "./tale";
import { ask, served, strange } from "./transport";
import { supports, why } from "./why";

interface Request { scenario: string; folder: string; algo: string; faults: string[] | null; rounds: number; choosing?: boolean; chosen?: string }
interface Opening {
  begin: Request; live: boolean; kills: boolean; recorded: number; study: boolean; lessons: Lesson[]; scenarios: { name: string; text: string }[];
  algos: { name: string; shape: string; about: string }[]; places?: Places;
}

const $ = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
// An agent whose page this is says so in it, and takes no reports; nor is there anybody to take those of a file.
const own = document.body.dataset.agent;
const report = (text: string) => { if (own === undefined && !alone && served) void ask("/api/error", text).catch(() => {}); }; // there may be nobody any more
addEventListener("error", (e) => report(`${e.message} at ${e.filename}:${e.lineno}`));
addEventListener("unhandledrejection", (e) => report(String(e.reason)));

let request: Request = { scenario: "", folder: "", algo: "", faults: [], rounds: 0 };
const undone: Request[] = []; // what was shown before each thing that the reader did
let beside = "";
let stages: Stage[] = [];
let time = 0, playing = false, abort = new AbortController(), selected = -1;
let second: ((node: number) => void) | undefined, aim = -1; // takes the other end of a link, which the keyboard is at
let live = false, kills = false, pace = 4, tales: Tale[] = [], film: Film | undefined, sweep: Study | undefined;
const charts = new Charts($("charts"), (t) => seek(t));
const diagram = document.createElement("canvas");
diagram.style.width = "100%";
diagram.setAttribute("role", "img");
const lesson = new LessonBox($("lessonbox"), (page) => {
  beside = page.beside;
  $<HTMLSelectElement>("beside").value = beside;
  start({ scenario: page.scenario, folder: "", algo: "", faults: page.faults ?? [], rounds: page.rounds });
});

function say(text: string, wrong = false): void {
  $("status").textContent = text;
  $("status").classList.toggle("wrong", wrong);
}

function button(name: string, act: () => void): HTMLButtonElement {
  const b = document.createElement("button");
  b.textContent = name;
  b.addEventListener("click", act);
  return b;
}

// start runs a scenario from its beginning; what has been shown stays until there is something to show instead.
async function start(q: Request, keepTime = false): Promise<boolean> {
  abort.abort();
  const own = (abort = new AbortController());
  const algos = beside ? [q.algo, beside] : [q.algo];
  const next: Stage[] = [];
  try {
    await Promise.all(algos.map(async (algo) => {
      const answer = await ask("/api/run", JSON.stringify({ ...q, faults: q.faults ?? [], algo }), own.signal);
      if (!answer.ok) throw new Error((await answer.text()).trim());
      const history = new History(() => {
        next[algos.indexOf(algo)] = new Stage(history);
        if (next.filter(Boolean).length === algos.length) show(q, next, keepTime);
      });
      await read(answer.body!, history);
    }));
    say("");
    lesson.over(stages[0].history);
    return true;
  } catch (e) {
    if (own.signal.aborted) return false;
    say(String((e as Error).message ?? e), true);
    return false;
  } finally {
    refresh();
  }
}

function show(q: Request, next: Stage[], keepTime: boolean): void {
  request = q;
  if (second || stages.some((s) => s.drawn || s.moved)) dismiss();
  for (const s of stages) s.end();
  stages = next;
  $("panes").replaceChildren(...stages.map((s) => s.el));
  charts.reset();
  diagram.remove();
  for (const s of stages) {
    s.start();
    s.pick = select;
    s.caption.textContent = s.history.h.told ? s.history.h.title : `${s.history.h.algo} on ${s.history.h.title || plural(s.history.n, "node")}`;
  }
  const h = stages[0].history;
  tales = stages.filter((s) => s.history.h.told).map((s) => new Tale(s.history, (t) => { setPlaying(false); seek(t); }));
  $("tales").replaceChildren(...tales.map((t) => t.el));
  $<HTMLTextAreaElement>("text").value = h.h.scenario;
  $<HTMLSelectElement>("algo").value = h.h.algo;
  if (h.h.shape === "events" && h.n <= 60) $("charts").after(diagram);
  if (!keepTime) {
    time = 0;
    selected = -1;
    setPlaying(true);
  }
  if (selected >= h.n) selected = -1;
  say("");
  actions();
}

const plural = (n: number, word: string) => `${n} ${word}${n === 1 ? "" : "s"}`;

function setPlaying(on: boolean): void {
  if (!on) endFilm();
  playing = on;
  $("play").textContent = on ? "Pause" : "Play";
}

function span(): number {
  return Math.max(0, ...stages.map((s) => s.history.span));
}

function seek(t: number): void {
  time = Math.max(0, Math.min(t, span()));
  refresh();
}

// step goes to the next or last moment at which something happens.
function step(way: number): void {
  setPlaying(false);
  let best = way > 0 ? span() : 0;
  for (const { history: h } of stages) {
    const m = h.momentAt(time);
    if (way > 0 && m + 1 < h.times.length) best = Math.min(best, h.times.data[m + 1]);
    if (way < 0) {
      let k = m;
      while (k >= 0 && h.times.data[k] >= time) k--;
      if (k >= 0) best = Math.max(best, h.times.data[k]);
    }
  }
  seek(best);
}

let told = 0, offered = ""; // for which run and time choices are offered
function refresh(now = performance.now()): void {
  if (!stages.length || !stages[0].history.h) return;
  for (const s of stages) {
    s.history.seek(s.history.momentAt(time));
    s.selected = aim >= 0 ? aim : selected;
    s.draw(time);
  }
  const slider = $<HTMLInputElement>("time");
  slider.max = String(span());
  slider.value = String(time);
  $("now").textContent = `${time.toFixed(stages[0].history.h.shape === "rounds" ? 1 : 2)} / ${span().toFixed(0)}`;
  charts.mark(time);
  for (const t of tales) t.mark(time);
  if (now - told > 150 || !playing) {
    told = now;
    if (!tales.length) {
      charts.update(stages.map((s) => s.history));
      charts.mark(time);
    }
    facts();
    card();
    log();
    if (request.choosing && !playing && offered !== `${stages[0].history.h.scenario} ${time}`) {
      offered = `${stages[0].history.h.scenario} ${time}`;
      actions();
    }
    if (diagram.isConnected) {
      spacetime(diagram, stages[0].history, time, (n) => `space-time diagram of ${plural(n, "message")}`);
    }
  }
}

let before = performance.now();
function frame(t: number): void {
  tick(t);
  requestAnimationFrame(frame);
}

// tick draws what there is to be seen at a time of the browser's clock.
function tick(t: number): void {
  const dt = Math.min(0.1, (t - before) / 1000);
  before = t;
  if (stages.length && (playing || live)) {
    if (live) time = span();
    else time = Math.min(span(), time + dt * pace);
    if (!live && time >= span() && stages.every((s) => s.history.last)) setPlaying(false);
    refresh(t);
    film?.take();
  } else if (stages.some((s) => s.line || s.stale)) refresh(t);
}

function table(rows: [string, string][]): HTMLElement {
  const dl = document.createElement("dl");
  for (const [k, v] of rows) {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = k;
    dd.textContent = v;
    dl.append(dt, dd);
  }
  return dl;
}

function facts(): void {
  const out: HTMLElement[] = [];
  for (const { history: h } of stages) {
    let lead = 0, undecided = 0, down = 0;
    const named = new Set<number>(), leading = new Set<number>();
    for (let i = 0; i < h.n; i++) {
      if (!h.now.up[i]) { down++; continue; }
      if (h.now.role[i] === leads) { lead++; leading.add(i); }
      if (h.now.leader[i] === -1) undecided++; else named.add(h.now.leader[i]);
    }
    const ghosts = [...named].filter((l) => !leading.has(l)).length;
    const title = document.createElement("h2");
    title.textContent = h.h.told ? h.h.title : h.h.algo;
    const rows: [string, string][] = [["nodes", `${h.n}${down ? `, ${down} ${down === 1 ? "does" : "do"} not run` : ""}`],
      ["leaders", `${lead}${ghosts ? `; ${ghosts} ${ghosts === 1 ? "that is named does" : "that are named do"} not lead` : ""}${undecided ? `; ${undecided} undecided` : ""}`]];
    if (h.h.shape === "events") {
      const m = h.momentAt(time);
      let got = 0, sent = 0;
      for (let k = 0; k <= m; k++) got += Number(h.what.data[k] === 1);
      while (sent < h.msgSent.length && h.msgSent.data[sent] <= time) sent++;
      rows.push(["messages", `${sent} sent, ${got} delivered so far`]);
      if (h.h.bound) rows.push(["theorem", `at most ${plural(h.h.bound, "message")}${sent >= h.h.bound ? ": reached" : ""}`]);
    }
    if (h.h.told) {
      rows.unshift(["network", h.h.told.on]);
      rows.push(["ends", h.h.told.ending]);
      if (h.h.told.again) rows.push(["again", h.h.told.again]);
    } else if (h.last) {
      const e = h.last;
      rows.push(["in the end", h.h.shape === "rounds"
        ? (e.converged ? `settled after ${plural(e.settled, "round")}` : `${e.endless ? "nodes move for all the time" : "not settled"}; last change in round ${e.settled}`)
        : `${plural(e.messages, "message")} in ${h.h.counted ? plural(e.time, "event") : e.time.toFixed(2) + " periods"}`]);
      if (h.h.shape === "rounds") rows.push(["sent", `${e.messages} messages`]);
      rows.push(["trace", e.trace]);
    }
    out.push(title, table(rows));
  }
  $("facts").replaceChildren(...out);
}

// tool begins what takes more than a button; its keys are no longer those of the button.
function tool(hint: string): void {
  dismiss();
  $("doing").textContent = hint;
  (document.activeElement as HTMLElement | null)?.blur();
}

function dismiss(): void {
  second = undefined;
  aim = -1;
  for (const s of stages) s.drawn = s.moved = s.line = undefined;
  $("doing").textContent = "";
}

// turn goes to the next node or the last, while the other end of a link is asked for among its neighbours.
function turn(way: number): void {
  const { history: h } = stages[0];
  if (!second) return select(way > 0 ? (selected + 1) % h.n : (selected + h.n - 1) % h.n);
  const near = [...stages[0].nearby(selected, time)].sort((a, b) => a - b), k = near.indexOf(aim);
  if (!near.length) return void ($("doing").textContent = "It has no neighbour now. Escape ends this.");
  aim = near[way > 0 ? (k + 1) % near.length : (Math.max(k, 0) + near.length - 1) % near.length];
  $("doing").textContent = `Enter takes ${h.h.names[aim]} for the other end; n and p go on.`;
  refresh();
}

function select(node: number): void {
  if (second && node >= 0) {
    const act = second;
    dismiss();
    act(node);
    return;
  }
  selected = node;
  actions();
  refresh();
}

function card(): void {
  const el = $("card");
  if (selected < 0 || !stages.length) { el.replaceChildren(); return; }
  const out: HTMLElement[] = [];
  for (const s of stages) {
    const h = s.history, i = selected, now = h.now, title = document.createElement("h2"), chip = document.createElement("span");
    chip.className = "chip";
    chip.style.background = s.cssOf(now.leader[i]);
    title.append(chip, h.h.names[i] + (stages.length > 1 ? `, ${h.h.algo}` : ""));
    const near = (k: number) => s.nearby(k, time), way = now.up[i] && now.leader[i] >= 0 && !live ? supports(h, i, near) : [i];
    const rows: [string, string][] = [["ID", h.h.ids[i]], ["strength", String(h.h.strengths?.[i] ?? 0)],
      ["role", now.up[i] ? ["undecided", "leader", "follower", "defeated"][now.role[i]] : "does not run"],
      ["leader", h.nameOf(now.leader[i]) + (now.leader[i] !== -1 ? `, since ${now.since[i].toFixed(1)}` : "")]];
    if (now.distance[i] >= 0) rows.push(["distance", String(+now.distance[i].toPrecision(6))]);
    if (way.length > 1 || now.leader[i] === i) rows.push(["why (strength)", why(h, way, near)]);
    for (const l of h.links) if (l.a === i || l.b === i) rows.push([`link to ${h.h.names[l.a === i ? l.b : l.a]}`, l.text]);
    const next = h.next.get(i);
    if (next) rows.push(["would lead next", next]);
    const past = h.changesOf(i, h.momentAt(time), 6).map((c) => `${c.time.toFixed(1)}: ${h.nameOf(c.leader)}`);
    if (past.length) rows.push(["changes", past.join("; ")]);
    out.push(title, table(rows));
  }
  el.replaceChildren(...out);
}

function log(): void {
  const h = stages[0].history, items: string[] = [];
  for (const f of h.h.faults ?? []) if (f.at <= time) items.push(`${f.at}: ${f.text}`);
  items.push(...h.happened.slice(0, 12));
  const end = h.momentAt(time);
  for (let m = end, k = 0; m >= 0 && k < 12 && !h.happened.length; m--) {
    const n = h.changed.data[m];
    if (h.h.shape === "events") {
      const what = ["wakes", "receives", "timer", "loses a message", "crashes", "time passes", "is corrupted"][h.what.data[m]];
      items.push(`${h.times.data[m].toFixed(2)}: ${h.h.names[h.node.data[h.first.data[m]]]} ${what}`);
      k++;
    } else if (n) {
      items.push(`${h.times.data[m].toFixed(0)}: ${plural(n, "node")} with another leader, ${plural(h.leaders.data[m], "leader")}`);
      k++;
    }
  }
  $("log").replaceChildren(...items.map((t) => Object.assign(document.createElement("li"), { textContent: t })));
}

// act does something to the network at the present time: it becomes a line of the scenario, which runs anew and is, up
// to now, the same.
async function act(kind: string, fields: string): Promise<void> {
  const line = `at: ${+time.toFixed(3)}, kind: ${kind}${fields ? ", " + fields : ""}`;
  const had = request.faults ?? [];
  setPlaying(false);
  if (await change({ ...request, faults: [...had, line] }, line)) setPlaying(true);
}

// change shows another run instead, that is the same up to now; false if there is none.
async function change(next: Request, line: string): Promise<boolean> {
  const before = request;
  if (!(await start(next, true))) {
    request = before;
    return false;
  }
  undone.push(before);
  $("done").append(Object.assign(document.createElement("li"), { textContent: line }));
  $("undo").hidden = false;
  return true;
}

// deliver has a message arrive next: what has happened until now and that become the story that the scenario repeats.
async function deliver(message: number): Promise<void> {
  const h = stages[0].history, number = h.msgNumber.data[message];
  const next = `message ${quoted(h.h.names[h.msgTo.data[message]])} #${number}`;
  if (await change({ ...request, choosing: true, chosen: [...h.chosen(time), next].join("; ") }, next)) {
    step(1);
    ($("actions").querySelector("button") ?? document.body).focus();
  }
}

// choose begins or ends that the reader is the adversary, who says which message arrives next.
async function choose(on: boolean): Promise<void> {
  if (!(await change({ ...request, choosing: on, chosen: "" }, on ? "you choose what arrives" : "time decides"))) return;
  setPlaying(false);
  seek(0);
  const h = stages[0].history;
  for (let m = 0; on && m < h.what.length && h.what.data[m] === 0; m++) seek(h.times.data[m]);
  actions();
}

// check looks at all executions on this network, from any state or in every order, and shows one that goes wrong.
async function check(): Promise<void> {
  say("All executions are looked at …");
  setPlaying(false);
  const answer = await ask("/api/check", JSON.stringify({ ...request, faults: [], choosing: false, chosen: "" }));
  if (!answer.ok) return say((await answer.text()).trim(), true);
  const found = (await answer.json()) as { says: string; tales: string[] };
  if (found.tales.length) {
    const next: Stage[] = [];
    for (const tale of found.tales) {
      const history = new History(() => next.push(new Stage(history)));
      await read(new Blob([Uint8Array.from(atob(tale), (c) => c.charCodeAt(0))]).stream(), history);
    }
    show(request, next, false);
    setPlaying(false);
  }
  refresh();
  say(found.says);
}

// choices are the messages that may arrive next.
function choices(el: HTMLElement): void {
  const h = stages[0].history, list = h.arrivable(time);
  $("doing").textContent = list.length ? "Which message arrives next? A digit takes one. Step takes the oldest." : "No message is on its way.";
  for (const m of list) {
    const kind = h.h.kinds?.[h.msgKind.data[m]] ?? "message";
    const b = button(`${h.h.names[h.msgFrom.data[m]]} → ${h.h.names[h.msgTo.data[m]]}: ${kind} #${h.msgNumber.data[m]}`, () => void deliver(m));
    b.dataset.message = String(m);
    el.append(b);
  }
}

function actions(): void {
  const el = $("actions");
  el.replaceChildren();
  if (live && kills && selected >= 0) {
    const name = stages[0].history.h.names[selected];
    el.append(button(`Kill ${name}`, () => void ask("/api/kill", JSON.stringify({ name })).then(async (a) => say(a.ok ? "" : await a.text(), !a.ok))));
  }
  if (request.scenario && tales.length) el.append(button("Back to the run", () => void start(request)));
  if (live || !stages.length || tales.length) return;
  if (request.choosing) {
    choices(el);
    el.append(button("Let time decide", () => void choose(false)));
    return;
  }
  const h = stages[0].history, rounds = h.h.shape === "rounds", names = h.h.names;
  const quoted = (i: number) => JSON.stringify(names[i]);
  if (selected >= 0) {
    const i = selected, nodes = `nodes: [${quoted(i)}]`;
    el.append(button("Crash", () => act("crash", nodes)), button("Restart", () => act("restart", nodes)), button("Leave", () => act("leave", nodes)));
    const best = Math.max(0, ...(h.h.strengths ?? [0])) + 1;
    el.append(button("Make strongest", () => act("strength", `${nodes}, value: ${best}`)));
    const link = (text: string, arrow: string, rate: number) => button(text, () => {
      tool("Pick the node at the other end: n and p go through the neighbours, Enter takes one.");
      second = (j) => void act("loss", `rate: ${rate}, links: [${JSON.stringify(names[i] + arrow + names[j])}]`);
    });
    el.append(link("Cut a link", "-", 1), link("Cut one direction", "->", 1), link("Weaken a link", "-", 0.5));
    el.append(button("Corrupt", () => act("corrupt", nodes)), button("Fake leader", () => act("fake-leader", `${nodes}, fake: 4000000000, value: ${best}`)));
  }
  el.append(button("Crash all leaders", () => act("crash", "leaders: true")));
  el.append(button("Draw a cut", () => {
    tool("Draw a line through the network: with the arrow keys, too, and Enter.");
    for (const s of stages) s.drawn = (side) => {
      dismiss();
      if (side.length && side.length < h.n) void act("partition", `nodes: [${side.map(quoted).join(", ")}]`);
    };
  }), button("Heal", () => act("heal", "")));
  el.append(button("Move nodes", () => {
    if (h.h.rooted) {
      $("doing").textContent = `Nodes stay where they are: ${h.h.rooted}.`;
      return;
    }
    tool("Drag a node to where it shall be: one that is picked with the arrow keys, too, and Enter.");
    setPlaying(false);
    for (const s of stages) s.moved = (i, x, y) => {
      dismiss();
      void act("move", `nodes: [${quoted(i)}], x: ${+x.toPrecision(5)}, y: ${+y.toPrecision(5)}`);
    };
  }));
  if (h.n <= 5 && !h.h.moving && stages.length === 1) el.append(button("Check all executions", () => void check()));
  if (!rounds && h.n <= 60 && stages.length === 1) el.append(button("Choose what arrives next", () => void choose(true)));
}

function saveAs(name: string, href: string): void {
  const a = document.createElement("a");
  a.href = href;
  a.download = name;
  a.click();
}

function options(el: HTMLSelectElement, list: [string, string][], first?: string): void {
  if (first !== undefined) el.append(new Option(first, ""));
  for (const [value, text] of list) el.append(new Option(text, value));
}

// fresh runs what nobody has done anything to.
function fresh(q: Partial<Request>): void {
  $("done").replaceChildren();
  undone.length = 0;
  $("undo").hidden = true;
  void start({ ...request, faults: [], choosing: false, chosen: "", ...q });
}

function wire(o: Opening): void {
  options($("scenario"), o.scenarios.map((s) => [s.name, s.name.replace(".yaml", "")]), "…");
  options($("algo"), o.algos.map((a) => [a.name, a.name]));
  options($("beside"), o.algos.map((a) => [a.name, a.name]), "nothing");
  options($("lesson"), o.lessons.map((l) => [l.name, l.title]), "none");
  const changed = (id: string, f: (value: string) => void) => $(id).addEventListener("change", () => f($<HTMLSelectElement>(id).value));
  changed("scenario", (v) => {
    const s = o.scenarios.find((x) => x.name === v);
    if (s) fresh({ scenario: s.text, algo: "" });
  });
  changed("algo", (v) => fresh({ algo: v, faults: request.faults }));
  changed("beside", (v) => { beside = v; fresh({ faults: request.faults }); });
  changed("lesson", (v) => lesson.open(o.lessons.find((l) => l.name === v)));
  $("apply").addEventListener("click", () => fresh({ scenario: $<HTMLTextAreaElement>("text").value, algo: "" }));
  $("play").addEventListener("click", () => {
    if (!playing && time >= span()) time = 0;
    setPlaying(!playing);
  });
  $("step").addEventListener("click", () => step(1));
  $("back").addEventListener("click", () => step(-1));
  $("speed").addEventListener("input", () => (pace = 2 ** Number($<HTMLInputElement>("speed").value)));
  $("time").addEventListener("input", () => { setPlaying(false); seek(Number($<HTMLInputElement>("time").value)); });
  $("undo").addEventListener("click", () => {
    const before = undone.pop();
    $("done").lastElementChild?.remove();
    $("undo").hidden = !undone.length;
    if (before) void start(before, true).then(() => { setPlaying(false); seek(time); actions(); });
  });
  $("save").addEventListener("click", () => saveAs("scenario.yaml", URL.createObjectURL(new Blob([stages[0].history.h.scenario], { type: "application/yaml" }))));
}

// shoot begins or ends a film of what plays, from the time that is shown on.
function shoot(): void {
  if (film) return endFilm();
  film = new Film(stages, time, (blob) => saveAs("caucus.webm", URL.createObjectURL(blob)));
  $("film").textContent = "End the film";
  if (!live && time >= span()) time = 0;
  setPlaying(true);
}

function endFilm(): void {
  film?.end();
  film = undefined;
  $("film").textContent = "Film";
}

// keep lets the reader take away what is shown.
function keep(): void {
  $("picture").addEventListener("click", () => saveAs("caucus.png", picture(stages, time).toDataURL("image/png")));
  $("drawing").addEventListener("click", () => {
    for (const s of stages) saveAs("caucus.svg", URL.createObjectURL(new Blob([s.svg(time)], { type: "image/svg+xml" })));
  });
  $("film").addEventListener("click", shoot);
}

// heed listens to the keyboard.
function heed(): void {
  addEventListener("keydown", (e) => {
    const tag = (e.target as HTMLElement).tagName;
    if (request.choosing && /^[1-9]$/.test(e.key) && !/^(INPUT|SELECT|TEXTAREA)$/.test(tag)) {
      return $("actions").querySelectorAll<HTMLElement>("[data-message]")[Number(e.key) - 1]?.click();
    }
    const taken = /^(INPUT|SELECT|TEXTAREA)$/.test(tag) || /^(BUTTON|SUMMARY)$/.test(tag) && /^( |Enter)$/.test(e.key);
    if (e.ctrlKey || e.metaKey || e.altKey || taken && e.key !== "Escape") return;
    const n = $("study").hidden ? (stages[0]?.history.n ?? 0) : 0;
    const keys: Record<string, () => void> = { " ": () => $("play").click(), ArrowRight: () => step(1), ArrowLeft: () => step(-1),
      "+": () => stages.forEach((s) => s.enlarge(1.25)), "-": () => stages.forEach((s) => s.enlarge(0.8)), "0": () => stages.forEach((s) => s.enlarge(0)),
      n: () => turn(1), p: () => turn(-1), Home: () => seek(0), End: () => seek(span()),
      Escape: () => { dismiss(); select(-1); } };
    if (e.key === "?") {
      const help = $<HTMLDetailsElement>("help");
      help.open = !help.open;
      if (help.open) help.scrollIntoView({ block: "nearest" });
    }
    if (second && aim >= 0) keys.Enter = () => select(aim);
    if (n && (stages[0].drawn || stages[0].moved)) Object.assign(keys, { ArrowRight: () => stages[0].steer(8, 0),
      ArrowLeft: () => stages[0].steer(-8, 0), ArrowUp: () => stages[0].steer(0, -8), ArrowDown: () => stages[0].steer(0, 8),
      Enter: () => stages[0].release() });
    if (keys[e.key] && n) {
      e.preventDefault();
      keys[e.key]();
    }
  });
}

// replay shows runs that are over, side by side: nothing can be done to them.
async function replay(count: number): Promise<void> {
  for (const id of ["setup", "doing", "actions", "editor"]) $(id).hidden = true;
  const next: Stage[] = [];
  await Promise.all(Array.from({ length: count }, async (_, k) => {
    const history = new History(() => { next[k] = new Stage(history); });
    await read(await recorded(k), history);
  }));
  const told = next[0].history.h.told;
  if (told) {
    $<HTMLInputElement>("speed").value = "0";
    pace = 1;
    $("save").hidden = true;
  }
  show(request, next, false);
}

// watch shows real agents.
async function watch(source: typeof follow): Promise<void> {
  live = true;
  for (const id of ["setup", "editor", "controls", "save", ...(kills ? [] : ["doing"])]) $(id).hidden = true;
  await source((h) => {
    const s = new Stage(h);
    for (const s of stages) s.end();
    stages = [s];
    $("panes").replaceChildren(s.el);
    charts.reset();
    s.start();
    s.pick = select;
    s.caption.textContent = `${plural(h.n, "agent")}, live`;
  }, say);
}

// surface shows the sweep, or a run of it.
function surface(study: boolean): void {
  if (study) setPlaying(false);
  $("study").hidden = !study;
  $("tostudy").hidden = study;
  for (const id of ["setup", "panes", "controls", "tales", "charts", "aside"]) $(id).hidden = study;
  diagram.hidden = study;
}

// study shows a sweep, and each run that is picked.
function study(): void {
  $("tostudy").addEventListener("click", () => surface(true));
  surface(true);
  sweep = new Study($("study"), async (run) => {
    const answer = await ask(`/api/study/${run}`);
    if (!answer.ok) return say(await answer.text(), true);
    surface(false);
    fresh((await answer.json()) as Request);
  });
  void sweep.follow();
}

// group lets the reader pick one of an agent's groups, and gives that which is picked.
function group(groups: string[]): string {
  const pick = $<HTMLSelectElement>("group"), listed = [...pick.options].map((o) => o.value);
  if (groups.join(" ") !== listed.join(" ")) { // a name has no space
    const was = pick.value;
    pick.replaceChildren(...groups.map((g) => new Option(g, g)));
    pick.value = groups.includes(was) ? was : groups[0];
    $("groups").hidden = groups.length < 2;
  }
  return pick.value;
}

async function begin(): Promise<void> {
  if (alone) return replay(alone);
  if (own !== undefined) return watch((show, tell) => attend(show, tell, group));
  if (strange()) return say(strange(), true);
  if (!served) say("The simulator is being started …");
  const answer = await ask("/api/begin");
  if (!answer.ok) return say(await answer.text(), true);
  const o = (await answer.json()) as Opening;
  wire(o);
  kills = o.kills;
  if (o.live) return watch((show, tell) => follow(show, tell, o.places));
  if (o.recorded) return replay(o.recorded);
  if (o.study) return study();
  const named = new URLSearchParams(location.search).get("lesson");
  const l = o.lessons.find((x) => x.name === named);
  if (l) {
    $<HTMLSelectElement>("lesson").value = l.name;
    lesson.open(l);
  } else await start(o.begin);
}

// What tests look at.
Object.assign(window, { caucus: { get stages() { return stages; }, get time() { return time; }, get study() { return sweep; }, seek, select, start, check, ask, step, tick, leads, picture: () => picture(stages, time).toDataURL("image/png") } });
requestAnimationFrame(frame);
addEventListener("resize", () => refresh());
heed();
keep();
void begin();
