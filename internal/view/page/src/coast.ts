// The coastline behind geographic networks: Natural Earth's, 1:110 million, as a TopoJSON of arcs.
import land from "world-atlas/land-110m.json";

// Chart is how the network was laid out: see picture.Projection.
export interface Chart { cut: number; shrink: number; west: number; south: number; scale: number }

// lines are the arcs in degrees: longitudes and latitudes by turns.
const lines: number[][] = [];

function decode(): number[][] {
  const [kx, ky] = land.transform.scale, [dx, dy] = land.transform.translate;
  if (!lines.length) for (const arc of land.arcs as number[][][]) {
    const line: number[] = [];
    let x = 0, y = 0;
    for (const [u, v] of arc) { // each point is told by how far it is from the one before
      x += u; y += v;
      line.push(x * kx + dx, y * ky + dy);
    }
    lines.push(line);
  }
  return lines;
}

// coast gives the coastline in places of the network, in pieces: where a longitude is cut, a line ends.
export function coast(c: Chart): number[][] {
  const out: number[][] = [];
  for (const line of decode()) {
    let piece: number[] = [];
    for (let k = 0; k < line.length; k += 2) {
      const lon = line[k] <= c.cut ? line[k] + 360 : line[k];
      const x = (lon * c.shrink - c.west) / c.scale, y = (line[k + 1] - c.south) / c.scale;
      if (piece.length && Math.abs(x - piece[piece.length - 2]) > (180 * c.shrink) / c.scale) {
        out.push(piece);
        piece = [];
      }
      piece.push(x, y);
    }
    out.push(piece);
  }
  return out;
}
