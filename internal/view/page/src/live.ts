// Real agents: what they tell of themselves, again and again, as a run that goes on.
import { History, leads } from "./history";
import { ask } from "./transport";
import { Chart } from "./coast";

interface Neighbour { name: string; id?: number; live: boolean; hears: boolean; loss?: number; rtt_ns?: number; leader?: string }
interface Change { at: string; role: string; leader: string; term: number; reason: string }
interface Status {
  name: string; id: number; strength: number; role: string; leader: string; distance: number; neighbours: Neighbour[] | null;
  changes?: Change[] | null; group: string; next?: Next; region?: boolean;
}
interface Next { name: string; standing: number; among: number; how: string }
interface Member { name: string; id: number; distance: number; strength: number }
interface Region { leader: string; members: Member[] | null }
interface Snapshot { name: string; error?: string; status?: Status; region?: Region }
type Say = (text: string, wrong?: boolean) => void;
type Show = (h: History) => void;

// Places say where agents are whose network is known.
export interface Places { names: string[]; x: number[]; y: number[]; wraps?: number[]; chart?: Chart }

const roles = ["undecided", "leader", "follower", "defeated"];
const period = 1000; // between questions to an agent, in ms

// follow shows agents of which this program tells, as often as it does.
export async function follow(show: Show, say: Say, places?: Places): Promise<void> {
  const answer = await ask("/api/live"), reader = answer.body!.getReader(), decode = new TextDecoder(), crowd = new Crowd(show, places);
  let text = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) break;
    text += decode.decode(value, { stream: true });
    const lines = text.split("\n");
    text = lines.pop()!;
    const last = lines.pop();
    if (!last) continue;
    const list = JSON.parse(last) as Snapshot[];
    const gone = list.filter((s) => !s.status).length;
    say(gone ? `${gone} of ${list.length} do not answer` : "");
    crowd.tell(list);
  }
  say("The program that shows this has ended.", true);
}

// attend shows what one agent, at whose address the page is, knows of itself and others. Of one in several groups it
// shows that which is chosen.
export async function attend(show: Show, say: Say, choose: (groups: string[]) => string): Promise<void> {
  let crowd = new Crowd(show), shown = "";
  for (;;) {
    try {
      const answer = await ask("/v1/status");
      if (answer.status === 401) return say("This agent wants its token: put it behind # of the page's address.", true);
      if (!answer.ok) throw new Error(await answer.text());
      const all = (await answer.json()) as Status & { groups?: Status[] }, groups = all.groups ?? [all];
      const group = choose(groups.map((g) => g.group)), s: Snapshot = { name: "", status: groups.find((g) => g.group === group) ?? groups[0] };
      if (s.status!.region) s.region = (await (await ask("/v1/region?group=" + encodeURIComponent(s.status!.group))).json()) as Region;
      if (shown !== s.status!.group) crowd = new Crowd(show);
      shown = s.status!.group;
      crowd.tell([s]);
      say("");
    } catch (e) {
      say(`The agent does not answer: ${(e as Error).message}`, true);
    }
    await new Promise<void>((done) => {
      const timer = setTimeout(done, period);
      addEventListener("change", () => { clearTimeout(timer); done(); }, { once: true }); // another group is to be seen at once
    });
  }
}

// Seen is what is known of a node; told by itself, or by another.
interface Seen { id: number; strength: number; leader: string; distance: number; role: number; up: boolean; asked: boolean }

class Crowd {
  private h?: History;
  private readonly names: string[] = [];
  private readonly pairs = new Set<string>(); // of names; all that have ever been told of
  private readonly called = new Map<string, string>(); // names by what the program calls those whom it asks
  private readonly begun = performance.now();
  constructor(private readonly show: Show, private readonly places?: Places) {}

  tell(told: Snapshot[]): void {
    for (const s of told) if (s.status) this.called.set(s.name, s.status.name);
    const list = told.map((s) => ({ ...s, name: this.called.get(s.name) ?? s.name }));
    const seen = see(list), size = this.names.length + this.pairs.size;
    for (const name of seen.keys()) if (!this.names.includes(name)) this.names.push(name);
    const links = new Map<string, { a: string; b: string; text: string }>();
    for (const s of list) for (const n of s.status?.neighbours ?? []) {
      const a = s.status!.name, key = JSON.stringify([a, n.name].sort());
      if (!n.name || n.name === a) continue;
      this.pairs.add(key);
      const before = links.get(key)?.text;
      const text = !n.live ? "not heard" : `${n.rtt_ns ? (n.rtt_ns / 1e6).toFixed(1) + " ms, " : ""}${Math.round(100 * (n.loss ?? 0))} % lost${n.hears ? "" : ", one way"}`;
      links.set(key, { a, b: n.name, text: before && before !== text ? `${before}; ${text}` : text });
    }
    if (!this.h || size !== this.names.length + this.pairs.size) this.open(seen);
    const h = this.h!, at = new Map(this.names.map((n, i) => [n, i]));
    h.links = [...links.values()].map((l) => ({ a: at.get(l.a)!, b: at.get(l.b)!, text: l.text }));
    h.next = new Map(list.flatMap(({ status: s }) => (s?.next ? [[at.get(s.name)!,
      s.next.name ? `${s.next.name}, standing ${+s.next.standing.toPrecision(6)}: ${s.next.how}, ${s.next.among} compared` : s.next.how]] : [])));
    h.happened = list.flatMap((s) => (s.status?.changes ?? []).map((c) => ({ at: c.at, text:
      `${new Date(c.at).toLocaleTimeString()}: ${s.status!.name} ${c.role === "lead" ? "leads" : c.role === "follow" ? `follows ${c.leader}` : "is undecided"}, term ${c.term}${c.reason ? ", " + c.reason : ""}` })))
      .sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).map((c) => c.text);
    this.add(seen, (performance.now() - this.begun) / 1000);
  }

  // open begins anew with all nodes and links that there are: where they are, if that is known of all; else who is asked
  // in the middle, if it is one, and others around it.
  private open(seen: Map<string, Seen>): void {
    const names = this.names, n = names.length, alone = [...seen.values()].filter((s) => s.asked).length === 1 && n > 1;
    const edges = [...this.pairs].flatMap((k) => (JSON.parse(k) as string[]).map((name) => names.indexOf(name)));
    const near = new Set(edges), x: number[] = [], y: number[] = [];
    const known = this.places && names.map((name) => this.places!.names.indexOf(name)), placed = known?.every((k) => k >= 0);
    const wraps = placed ? this.places!.wraps?.map((v, i) => (i % 4 < 2 ? known!.indexOf(v) : v)) : undefined;
    names.forEach((name, i) => {
      if (placed) return void (x.push(this.places!.x[known![i]]), y.push(this.places!.y[known![i]]));
      const middle = alone && seen.get(name)?.asked, turn = (2 * Math.PI * i) / (alone ? n - 1 : n);
      const r = middle ? 0 : alone && near.has(i) ? 0.3 : 0.45;
      x.push(0.5 + r * Math.sin(turn));
      y.push(0.5 + r * Math.cos(turn));
    });
    const h: History = new History(() => {});
    h.head({ scenario: "", algo: "agents", shape: "rounds", title: "", names: [...names], ids: names.map((m) => String(seen.get(m)?.id || "")),
      strengths: names.map((m) => seen.get(m)?.strength ?? 0), kinds: null, moving: false, edges, rounds: 0, faults: null, initiators: null, x, y,
      ...(placed && this.places!.chart ? { chart: this.places!.chart } : {}), ...(wraps?.length ? { wraps } : {}) });
    this.show((this.h = h));
  }

  // add adds what has changed.
  private add(seen: Map<string, Seen>, time: number): void {
    const h = this.h!, rows: number[][] = [];
    h.seek(h.times.length - 1);
    this.names.forEach((name, i) => {
      const s = seen.get(name), named = s?.up && s.leader ? this.names.indexOf(s.leader) : -1;
      const leader = named < 0 && s?.up && s.leader ? -2 : named, role = s?.up ? s.role : 0, up = Number(s?.up ?? false);
      if (h.now.leader[i] !== leader || h.now.role[i] !== role || h.now.up[i] !== up) rows.push([i, leader, s?.distance ?? -1, role, up]);
    });
    const f = new DataView(new ArrayBuffer(20 * rows.length));
    rows.forEach(([i, leader, distance, role, up], k) => {
      f.setUint32(20 * k, i, true);
      f.setInt32(20 * k + 4, leader, true);
      f.setInt32(20 * k + 8, -1, true);
      f.setFloat32(20 * k + 12, distance, true);
      f.setUint8(20 * k + 16, role);
      f.setUint8(20 * k + 17, up);
    });
    if (rows.length) h.moment(time, -1, f, 0, rows.length);
    h.span = time;
  }
}

// see puts together what agents tell of themselves and, of those that are not asked, what others tell of them.
function see(list: Snapshot[]): Map<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const { name, status: s } of list) {
    seen.set(name, { id: s?.id ?? 0, strength: s?.strength ?? 0, leader: s?.leader ?? "", distance: s?.distance ?? -1,
      role: s ? Math.max(0, roles.indexOf(s.role)) : 0, up: Boolean(s), asked: true });
  }
  for (const { status, region } of list) {
    for (const m of region?.members ?? []) {
      if (seen.get(m.name)) continue;
      const role = m.name === region!.leader ? leads : 2;
      seen.set(m.name, { id: m.id, strength: m.strength, leader: region!.leader, distance: m.distance, role, up: true, asked: false });
    }
    for (const n of status?.neighbours ?? []) {
      const was = seen.get(n.name);
      if (!n.name || was?.asked) continue;
      const leader = n.leader || was?.leader || (status!.leader === n.name ? n.name : ""), role = leader === n.name ? leads : leader ? 2 : 0;
      seen.set(n.name, { id: n.id ?? was?.id ?? 0, strength: was?.strength ?? 0, leader, distance: was?.distance ?? -1, role, up: n.live, asked: false });
    }
  }
  return seen;
}
