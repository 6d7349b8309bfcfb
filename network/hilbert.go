package network

// hilbertBits is the resolution of the Hilbert curve on each axis: two coordinates
// make a 32-bit key, which leaves room for a node index in one sortable word.
const hilbertBits = 16

// hilbert gives the position of cell (x, y), each below 1<<hilbertBits, on the
// Hilbert curve: cells near on the curve are near in the plane.
func hilbert(x, y uint32) uint32 {
	var key uint32
	for side := uint32(1) << (hilbertBits - 1); side > 0; side >>= 1 {
		right, upper := x&side != 0, y&side != 0
		// The curve visits the quadrants lower left, upper left, upper right, lower right.
		var quadrant uint32
		switch {
		case !right && upper:
			quadrant = 1
		case right && upper:
			quadrant = 2
		case right:
			quadrant = 3
		}
		key = key<<2 | quadrant
		x, y = x&(side-1), y&(side-1)
		switch quadrant { // the first and the last quadrant are entered turned
		case 0:
			x, y = y, x
		case 3:
			x, y = side-1-y, side-1-x
		}
	}
	return key
}
