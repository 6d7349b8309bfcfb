// Real agents: what they tell of themselves, again and again, as a run that goes on.
import { History } from "./history";
import { ask } from "./stream";

interface Neighbour { name: string; live: boolean; hears: boolean; loss?: number; rtt_ns?: number }
interface Status { name: string; id: number; strength: number; role: string; leader: string; distance: number; neighbours: Neighbour[] | null }
interface Snapshot { name: string; error?: string; status?: Status }

const roles = ["undecided", "leader", "follower", "defeated"];

export async function follow(show: (h: History) => void, say: (text: string, wrong?: boolean) => void): Promise<void> {
  const answer = await ask("/api/live"), reader = answer.body!.getReader(), decode = new TextDecoder();
  let text = "", h: History | undefined;
  const begun = performance.now();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decode.decode(value, { stream: true });
    const lines = text.split("\n");
    text = lines.pop()!;
    const last = lines.pop();
    if (!last) continue;
    const list = JSON.parse(last) as Snapshot[];
    if (!h) h = open(list, show);
    const gone = list.filter((s) => !s.status).length;
    say(gone ? `${gone} of ${list.length} do not answer` : "");
    tell(h, list, (performance.now() - begun) / 1000);
  }
  say("The program that shows this has ended.", true);
}

function open(list: Snapshot[], show: (h: History) => void): History {
  const names = list.map((s) => s.name), at = new Map(names.map((n, i) => [n, i])), pairs = new Set<number>();
  list.forEach((s, i) => s.status?.neighbours?.forEach((n) => {
    const j = at.get(n.name);
    if (j !== undefined && j !== i) pairs.add(Math.min(i, j) * names.length + Math.max(i, j));
  }));
  const edges = [...pairs].flatMap((k) => [Math.floor(k / names.length), k % names.length]);
  const turn = (i: number) => (2 * Math.PI * i) / names.length;
  const h: History = new History(() => {});
  h.head({ scenario: "", algo: "agents", shape: "rounds", title: "", names, ids: list.map((s) => String(s.status?.id ?? "")),
    strengths: list.map((s) => s.status?.strength ?? 0), kinds: null, moving: false, edges, rounds: 0, faults: null, initiators: null,
    x: names.map((_, i) => 0.5 + 0.45 * Math.sin(turn(i))), y: names.map((_, i) => 0.5 + 0.45 * Math.cos(turn(i))) });
  show(h);
  return h;
}

// tell adds what has changed.
function tell(h: History, list: Snapshot[], time: number): void {
  const rows: number[][] = [];
  list.forEach((s, i) => {
    const leader = !s.status || !s.status.leader ? -1 : h.h.names.indexOf(s.status.leader);
    const row = [leader < 0 && s.status?.leader ? -2 : leader, s.status?.distance ?? -1, s.status ? Math.max(0, roles.indexOf(s.status.role)) : 0, s.status ? 1 : 0];
    h.seek(h.times.length - 1);
    if (h.now.leader[i] !== row[0] || h.now.role[i] !== row[2] || h.now.up[i] !== row[3]) rows.push([i, ...row]);
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
