// All that has been told of a run, and what the nodes hold at any moment of it.
import { End, Head, Sink } from "./stream";

// Column is an array of numbers that grows.
class Column<T extends Int32Array | Float32Array | Float64Array | Uint8Array> {
  length = 0;
  constructor(public data: T) {}
  push(v: number): void {
    if (this.length === this.data.length) {
      const next = new (this.data.constructor as new (n: number) => T)(2 * this.length);
      next.set(this.data as never);
      this.data = next;
    }
    this.data[this.length++] = v;
  }
}

const ints = () => new Column(new Int32Array(1024));

// Now is what every node answers at a moment.
export class Now {
  leader: Int32Array; parent: Int32Array; distance: Float32Array; role: Uint8Array; up: Uint8Array; since: Float64Array;
  constructor(readonly n: number) {
    this.leader = new Int32Array(n).fill(-1);
    this.parent = new Int32Array(n).fill(-1);
    this.distance = new Float32Array(n).fill(-1);
    this.role = new Uint8Array(n);
    this.up = new Uint8Array(n);
    this.since = new Float64Array(n);
  }
  set(from: Now): void {
    this.leader.set(from.leader); this.parent.set(from.parent); this.distance.set(from.distance);
    this.role.set(from.role); this.up.set(from.up); this.since.set(from.since);
  }
}

export interface Places { time: number; xy: Float32Array; links: Uint16Array }
export const leads = 1; // the role of a leader

const none: number[] = [];
const keyframeChanges = 4096;

export class History implements Sink {
  h!: Head;
  n = 0;
  last?: End;
  span = 0; // the latest time there is
  times = new Column(new Float64Array(1024)); // by moment
  first = ints(); // by moment: its first change
  what = ints(); // by moment: the kind of event; -1 of rounds
  number = ints(); // by moment: of the message, or which timer
  node = ints(); leader = ints(); parent = ints();
  distance = new Column(new Float32Array(1024)); role = new Column(new Uint8Array(1024)); up = new Column(new Uint8Array(1024));
  placed: Places[] = [];
  links: { a: number; b: number; text: string }[] = []; // of real agents: what each end tells of it
  happened: string[] = []; // of real agents, as they remember it, the latest first
  next = new Map<number, string>(); // who would lead next, as real agents know it
  // messages of an algorithm of events
  msgSent = new Column(new Float64Array(1024)); msgGot = new Column(new Float64Array(1024));
  msgFrom = ints(); msgTo = ints(); msgKind = ints(); msgNumber = ints(); msgFate = ints(); // 0 on its way, 1 received, 2 lost
  private byNumber = new Map<number, number>();
  private frames: { moment: number; now: Now }[] = [];
  private sinceFrame = 0;
  private tip!: Now;
  // counts by moment, for charts
  leaders = ints(); changed = ints();
  private leading = 0;
  cursor = -1; // the moment that now is of
  now!: Now;
  constructor(private readonly ready: () => void) {}

  head(h: Head): void {
    this.h = h;
    this.n = h.names.length;
    this.tip = new Now(this.n);
    this.now = new Now(this.n);
    this.ready();
  }

  moment(time: number, what: number, f: DataView, from: number, count: number, number = 0): void {
    if (this.sinceFrame >= keyframeChanges + this.n) {
      const now = new Now(this.n);
      now.set(this.tip);
      this.frames.push({ moment: this.times.length, now });
      this.sinceFrame = 0;
    }
    this.times.push(time);
    this.first.push(this.node.length);
    this.what.push(what);
    this.number.push(number);
    this.span = Math.max(this.span, time);
    let changed = 0;
    for (let k = 0, at = from; k < count; k++, at += 20) {
      const i = f.getUint32(at, true);
      const same = what === 3 || what === 5; // nothing happens to the node's answer
      this.node.push(i);
      this.leader.push(same ? this.tip.leader[i] : f.getInt32(at + 4, true));
      this.parent.push(same ? this.tip.parent[i] : f.getInt32(at + 8, true));
      this.distance.push(same ? this.tip.distance[i] : f.getFloat32(at + 12, true));
      this.role.push(same ? this.tip.role[i] : f.getUint8(at + 16));
      this.up.push(same ? this.tip.up[i] : f.getUint8(at + 17));
      const was = this.tip.role[i] === leads && this.tip.up[i];
      if (this.tip.leader[i] !== this.leader.data[this.leader.length - 1]) changed++;
      this.apply(this.tip, this.node.length - 1, time);
      this.leading += Number(Boolean(this.tip.role[i] === leads && this.tip.up[i])) - Number(Boolean(was));
    }
    this.sinceFrame += count;
    this.leaders.push(this.leading);
    this.changed.push(changed);
  }

  places(time: number, xy: Float32Array, links: Uint16Array): void {
    this.placed.push({ time, xy, links });
    this.span = Math.max(this.span, time);
  }

  sent(time: number, to: number, number: number, kind: number): void {
    if (number === 0) return; // lost on the way
    this.byNumber.set(number, this.msgSent.length);
    this.msgSent.push(time); this.msgGot.push(Infinity); this.msgTo.push(to); this.msgKind.push(kind); this.msgNumber.push(number); this.msgFate.push(0);
    this.msgFrom.push(this.node.data[this.node.length - 1]);
  }

  received(time: number, _from: number, number: number, _kind: number): void {
    const m = this.byNumber.get(number);
    if (m === undefined) return;
    this.msgGot.data[m] = time;
    this.msgFate.data[m] = this.what.data[this.what.length - 1] === 3 ? 2 : 1;
    this.byNumber.delete(number);
  }

  end(e: End): void {
    this.last = e;
    if (this.h.shape === "rounds") this.span = Math.max(this.span, e.rounds);
  }

  // arrivable lists the messages that may arrive next, by their places: of a link in order only the first that is on its way.
  arrivable(time: number): number[] {
    const list: number[] = [], links = new Set<number>();
    for (let m = 0; m < this.msgSent.length && this.msgSent.data[m] <= time; m++) {
      if (this.msgGot.data[m] <= time) continue;
      const link = this.msgFrom.data[m] * this.n + this.msgTo.data[m];
      if (this.h.fifo && links.has(link)) continue;
      links.add(link);
      list.push(m);
    }
    return list;
  }

  // chosen tells what has happened until a time as a story that caucus run repeats: what is not said there follows from it.
  chosen(time: number): string[] {
    const list: string[] = [], words: Record<number, string> = { 1: "message", 2: "timer", 3: "lost" };
    for (let m = 0; m < this.times.length && this.times.data[m] <= time; m++) {
      const word = words[this.what.data[m]];
      if (word) list.push(`${word} ${quoted(this.h.names[this.node.data[this.first.data[m]]])} #${this.number.data[m]}`);
    }
    return list;
  }

  private apply(s: Now, c: number, time: number): void {
    const i = this.node.data[c];
    if (s.leader[i] !== this.leader.data[c]) s.since[i] = time;
    s.leader[i] = this.leader.data[c];
    s.parent[i] = this.parent.data[c];
    s.distance[i] = this.distance.data[c];
    s.role[i] = this.role.data[c];
    s.up[i] = this.up.data[c];
  }

  // momentAt gives the last moment at or before a time, -1 if there is none.
  momentAt(time: number): number {
    let low = 0, high = this.times.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.times.data[mid] <= time) low = mid + 1; else high = mid;
    }
    return low - 1;
  }

  // seek makes now what it was after a moment.
  seek(moment: number): void {
    if (moment === this.cursor) return;
    let from = this.cursor;
    if (moment < from || moment - from > 64) {
      let best: { moment: number; now: Now } | undefined;
      for (const f of this.frames) if (f.moment <= moment + 1) best = f;
      if (best && (moment < from || best.moment - 1 > from)) {
        this.now.set(best.now);
        from = best.moment - 1;
      } else if (moment < from) {
        this.now.set(new Now(this.n));
        from = -1;
      }
    }
    const end = moment + 1 < this.first.length ? this.first.data[moment + 1] : this.node.length;
    let m = from + 1;
    for (let c = m < this.first.length ? this.first.data[m] : end; c < end; c++) {
      while (m + 1 < this.first.length && this.first.data[m + 1] <= c) m++;
      this.apply(this.now, c, this.times.data[m]);
    }
    this.cursor = moment;
  }

  // changesOf gives the last changes of a node's leader up to a moment, the latest first.
  changesOf(i: number, moment: number, most: number): { time: number; leader: number }[] {
    const list: { time: number; leader: number }[] = [];
    let m = moment;
    for (let c = (moment + 1 < this.first.length ? this.first.data[moment + 1] : this.node.length) - 1; c >= 0; c--) {
      while (m > 0 && this.first.data[m] > c) m--;
      if (this.node.data[c] !== i) continue;
      if (list.length && list[list.length - 1].leader === this.leader.data[c]) list.pop();
      if (list.length === most) break;
      list.push({ time: this.times.data[m], leader: this.leader.data[c] });
    }
    return list;
  }

  // placesAt gives where nodes are around a time: two pictures and how far it is from the first to the second.
  placesAt(time: number): { a: Places; b: Places; mix: number } | undefined {
    const list = this.placed;
    if (!list.length) return undefined;
    let low = 0, high = list.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (list[mid].time <= time) low = mid + 1; else high = mid;
    }
    const a = list[Math.max(0, low - 1)], b = list[Math.min(low, list.length - 1)];
    return { a, b, mix: b.time > a.time ? (time - a.time) / (b.time - a.time) : 0 };
  }

  // linksAt are pairs of nodes that hear each other at a time.
  linksAt(time: number): ArrayLike<number> {
    return (this.h.moving ? this.placesAt(time)?.a.links : this.h.edges) ?? none;
  }

  nameOf(leader: number): string {
    if (leader === -1) return "nobody";
    if (leader < -1) return "a ghost, ID " + (-2 - leader);
    return this.h.names[leader];
  }
}

// quoted makes a name one word, as stories have it.
export const quoted = (name: string) => (name === "" || /["\\;|\s]/.test(name) ? JSON.stringify(name) : name);
