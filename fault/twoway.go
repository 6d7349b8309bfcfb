package fault

// TwoWay is the two-way rule, which agents and the simulator follow: a neighbour counts while it is heard and hears. A
// link that carries one way only would let a node lead whom nobody hears, or follow one who cannot be told.
func TwoWay(heard, hears bool) bool { return heard && hears }
