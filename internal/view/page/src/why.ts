// Why a node follows its leader: by whom that has reached it, and what there was to choose from on the way.
import { History, leads } from "./history";

const most = 60; // hops that are told of
const measured = new WeakMap<History, Map<number, number>>();

// lengthsOf are those of links, by their ends, the first of which comes first.
function lengthsOf(h: History): Map<number, number> {
  let all = measured.get(h);
  if (!all) {
    measured.set(h, (all = new Map()));
    for (let k = 0; k < (h.h.lengths ?? []).length; k++) all.set(h.h.edges![2 * k] * h.n + h.h.edges![2 * k + 1], h.h.lengths![k]);
  }
  return all;
}

// supports are the nodes from one to its leader: those that an algorithm names, or else each time the neighbour through which
// the distance is what the node says.
export function supports(h: History, node: number, near: (i: number) => number[]): number[] {
  const { leader, parent, distance, up } = h.now, way = [node], lengths = lengthsOf(h);
  const off = (i: number, j: number) => Math.abs(distance[j] + (lengths.get(Math.min(i, j) * h.n + Math.max(i, j)) ?? 1) - distance[i]);
  for (let i = node; i !== leader[node] && way.length < most;) {
    const nearer = near(i).filter((j) => up[j] && leader[j] === leader[node] && distance[j] >= 0 && distance[j] < distance[i]);
    const next = parent[i] >= 0 ? parent[i] : nearer.reduce((a, b) => (a < 0 || off(i, b) < off(i, a) ? b : a), -1);
    if (next < 0 || way.includes(next)) break;
    way.push((i = next));
  }
  return way;
}

// why tells of each of these how strong it is and how far from the leader, and which other candidacies there are beside it: its own,
// and those that its neighbours follow.
export function why(h: History, way: number[], near: (i: number) => number[]): string {
  const { leader, distance, role, up } = h.now, strength = (i: number) => h.h.strengths?.[i] ?? 0, short = (v: number) => String(+v.toPrecision(5));
  return way.map((i) => {
    const others = [...new Set([i, ...near(i).filter((j) => up[j]).map((j) => leader[j])])].filter((l) => l >= 0 && l !== leader[i]);
    others.sort((a, b) => strength(b) - strength(a));
    const told = others.slice(0, 4).map((l) => `${l === i ? "itself" : h.h.names[l]} (${short(strength(l))})`).join(", ") + (others.length > 4 ? " …" : "");
    const at = role[i] === leads && leader[i] === i ? "leads" : distance[i] >= 0 ? `at ${short(distance[i])}` : "";
    return [`${h.h.names[i]} (${short(strength(i))})`, at, told && h.h.shape === "rounds" ? `not ${told}` : ""].filter(Boolean).join(", ");
  }).join("\n");
}
