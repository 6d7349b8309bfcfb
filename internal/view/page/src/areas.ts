// The area of each region: what lies between members that have nobody of another region between them.
import Delaunator from "delaunator";

// Mesh joins nodes that have nobody between them: triangles with no other node inside, and so are their sides.
export class Mesh {
  private readonly corners: Uint32Array;
  private readonly twins: Int32Array; // by side, from the corner of the same place to the next: that of the triangle beside it
  private readonly row: Uint32Array; // of nodes that stand on one line there are no triangles: they, one after the other
  private readonly filled: Uint8Array; // by triangle
  private readonly joined: Uint8Array; // by node

  constructor(xy: Float32Array) {
    const d = new Delaunator(xy);
    this.corners = d.triangles;
    this.twins = d.halfedges;
    this.row = d.triangles.length ? new Uint32Array(0) : d.hull;
    this.filled = new Uint8Array(d.triangles.length / 3);
    this.joined = new Uint8Array(xy.length / 2);
  }

  // areas gives the area of each region. Regions have numbers, by node; below 0: it is in none.
  areas(region: Int32Array): Map<number, Area> {
    const { corners, twins, row, filled, joined } = this, all = new Map<number, Area>();
    const of = (r: number) => all.get(r) ?? (all.set(r, new Area()), all.get(r)!);
    const same = (a: number, b: number) => region[a] >= 0 && region[a] === region[b];
    const join = (a: number, b: number) => {
      joined[a] = joined[b] = 1;
      of(region[a]).sides.push(a, b);
    };
    joined.fill(0);
    for (let t = 0; t < filled.length; t++) {
      const [a, b, c] = [corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]];
      filled[t] = Number(same(a, b) && same(b, c));
      if (filled[t]) of(region[a]).triangles.push(a, b, c);
    }
    for (let e = 0; e < corners.length; e++) {
      const twin = twins[e], a = corners[e], b = corners[e % 3 === 2 ? e - 2 : e + 1];
      if (e < twin || !same(a, b)) continue;
      joined[a] = joined[b] = 1;
      if (!filled[Math.floor(e / 3)] || twin < 0 || !filled[Math.floor(twin / 3)]) join(a, b);
    }
    for (let k = 1; k < row.length; k++) if (same(row[k - 1], row[k])) join(row[k - 1], row[k]);
    for (let i = 0; i < joined.length; i++) if (!joined[i] && region[i] >= 0) of(region[i]).sides.push(i, i);
    return all;
  }
}

// Pen draws on a canvas or as text.
export interface Pen { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void; closePath(): void }

// Area is filled within its triangles, and has a wide line along its sides: a dot where both ends are one.
export class Area {
  readonly triangles: number[] = [];
  readonly sides: number[] = [];

  fill(pen: Pen, at: (node: number) => [number, number]): void {
    const t = this.triangles;
    for (let k = 0; k < t.length; k += 3) {
      pen.moveTo(...at(t[k]));
      pen.lineTo(...at(t[k + 1]));
      pen.lineTo(...at(t[k + 2]));
      pen.closePath();
    }
  }

  rim(pen: Pen, at: (node: number) => [number, number]): void {
    const s = this.sides;
    for (let k = 0; k < s.length; k += 2) {
      const [x, y] = at(s[k]), [u, v] = at(s[k + 1]);
      pen.moveTo(x, y);
      pen.lineTo(s[k] === s[k + 1] ? u + 0.01 : u, v); // what has no length has no dot
    }
  }
}

// Ink writes as a drawing has it.
export class Ink implements Pen {
  d = "";
  moveTo(x: number, y: number): void { this.d += `M${x.toFixed(1)} ${y.toFixed(1)}`; }
  lineTo(x: number, y: number): void { this.d += `L${x.toFixed(2)} ${y.toFixed(2)}`; }
  closePath(): void { this.d += "Z"; }
}
