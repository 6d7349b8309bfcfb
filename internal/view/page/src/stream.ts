// Reads what the server tells of a run: see internal/frames.
import { Chart } from "./coast";
import { ask, unpack } from "./transport";

export interface Head {
  scenario: string; algo: string; shape: string; title: string; names: string[]; ids: string[];
  strengths: number[] | null; kinds: string[] | null; moving: boolean; rooted?: string; edges: number[] | null; lengths?: number[]; wraps?: number[]; x: number[] | null;
  y: number[] | null; rounds: number; faults: { at: number; text: string }[] | null; initiators: number[] | null;
  chart?: Chart; fifo?: boolean; bound?: number; counted?: boolean; told?: Told;
}
// Told is what a checker has found: what every node holds at each moment.
export interface Told {
  fields: string[] | null; rows: Row[]; ending: string; on: string; wanted: string[] | null; again: string;
}
export interface Row { acted: number[] | null; remark?: string; cells: Cell[] }
export interface Cell { outcome?: string; gone?: boolean; holds?: string[]; says?: string[]; changed?: boolean }

export interface End {
  trace: string; rounds: number; settled: number; converged: boolean; endless?: boolean; messages: number; bytes: number; time: number;
  kinds: number[] | null; charts: Record<string, number[]>;
}
export interface Sink {
  head(h: Head): void;
  moment(time: number, what: number, view: DataView, from: number, count: number, number?: number): void;
  places(time: number, xy: Float32Array, links: Uint16Array): void;
  received(time: number, from: number, number: number, kind: number): void;
  sent(time: number, to: number, number: number, kind: number): void;
  end(e: End): void;
}
const bytesOfChange = 20;

// embedded are the runs that a page in a file holds itself; elsewhere there are none.
const embedded = [...document.querySelectorAll<HTMLScriptElement>("script.recorded")].map((e) => e.textContent ?? "");
export const alone = embedded.length;

// recorded opens a run that is over.
export async function recorded(k: number): Promise<ReadableStream<Uint8Array>> {
  if (!alone) return (await ask(`/api/recorded/${k}`)).body!;
  return unpack(embedded[k]);
}

export async function read(body: ReadableStream<Uint8Array>, sink: Sink): Promise<void> {
  const reader = body.getReader();
  let held = new Uint8Array(1 << 16), begin = 0, end = 0, nodes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (end + value.length > held.length) {
      const left = end - begin;
      const next = left + value.length > held.length ? new Uint8Array(2 * (left + value.length)) : held;
      next.set(held.subarray(begin, end));
      held = next; begin = 0; end = left;
    }
    held.set(value, end);
    end += value.length;
    for (;;) {
      if (end - begin < 5) break;
      const view = new DataView(held.buffer, begin, end - begin);
      const size = view.getUint32(0, true);
      if (end - begin < 5 + size) break;
      const kind = view.getUint8(4);
      const frame = new DataView(held.buffer, begin + 5, size);
      if (kind === 0) {
        const h = json(frame) as Head;
        nodes = h.names.length;
        sink.head(h);
      } else take(kind, frame, nodes, sink);
      begin += 5 + size;
    }
  }
}

function json(frame: DataView): unknown {
  return JSON.parse(new TextDecoder().decode(new Uint8Array(frame.buffer, frame.byteOffset, frame.byteLength)));
}

function take(kind: number, f: DataView, nodes: number, sink: Sink): void {
  switch (kind) {
    case 1:
      sink.moment(f.getFloat64(0, true), -1, f, 8, (f.byteLength - 8) / bytesOfChange);
      return;
    case 2: {
      const copy = f.buffer.slice(f.byteOffset + 8, f.byteOffset + f.byteLength) as ArrayBuffer;
      sink.places(f.getFloat64(0, true), new Float32Array(copy, 0, 2 * nodes), new Uint16Array(copy, 8 * nodes));
      return;
    }
    case 3: {
      const time = f.getFloat64(0, true), what = f.getUint8(8);
      let at = 9 + bytesOfChange;
      const from = f.getInt32(at, true), number = f.getUint32(at + 4, true);
      sink.moment(time, what, f, 9, 1, number);
      if (from >= 0) sink.received(time, from, number, f.getUint8(at + 8));
      for (at += 9; at < f.byteLength; at += 9) {
        sink.sent(time, f.getUint32(at, true), f.getUint32(at + 4, true), f.getUint8(at + 8));
      }
      return;
    }
    case 4:
      sink.end(json(f) as End);
      return;
    case 5:
      throw new Error(json(f) as string);
  }
}
