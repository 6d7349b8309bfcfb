// Where the names of nodes stand: beside them, and on nobody else.

export interface Disc { x: number; y: number; r: number; name: string; wide: number; first: boolean } // wide: its name
export interface Written { node: number; name: string; x: number; y: number } // from the left end of its foot
export const high = 12; // of letters, in pixels
const apart = 3;

// place has names stand where they cover neither another nor a node; those of leaders come first and may cover what is
// none, where there is no other way. A name without a place is left out.
export function place(discs: Disc[], width: number, height: number): Written[] {
  const out: Written[] = [], taken: { x: number; y: number; wide: number }[] = [];
  const order = discs.map((_, i) => i).sort((a, b) => Number(discs[b].first) - Number(discs[a].first));
  const free = (x: number, y: number, wide: number, own: number, leadersAlone: boolean) =>
    x >= 0 && x + wide <= width && y >= high && y <= height - apart &&
    !taken.some((t) => x < t.x + t.wide + apart && t.x < x + wide + apart && Math.abs(y - t.y) < high) &&
    !discs.some((d, j) => j !== own && (d.first || !leadersAlone) &&
      Math.hypot(Math.max(x - d.x, 0, d.x - x - wide), Math.max(y - high + 2 - d.y, 0, d.y - y)) < d.r);
  for (const i of order) {
    const { x, y, r, wide, name, first } = discs[i], beside = r + apart, slant = 0.7 * r + apart;
    const spots = [[x + beside, y + 4], [x - beside - wide, y + 4], [x + slant, y - slant], [x - slant - wide, y - slant],
      [x - wide / 2, y - beside], [x - wide / 2, y + beside + high - 2], [x + slant, y + slant + high - 2], [x - slant - wide, y + slant + high - 2]];
    const spot = spots.find(([u, v]) => free(u, v, wide, i, false)) ?? (first ? spots.find(([u, v]) => free(u, v, wide, i, true)) : undefined);
    if (!spot) continue;
    taken.push({ x: spot[0], y: spot[1], wide });
    out.push({ node: i, name, x: spot[0], y: spot[1] });
  }
  return out;
}
