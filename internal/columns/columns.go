// Package columns forgets the types of an algorithm's states and messages. They stay in columns of plain values;
// a driver names a state by the number of its place and a message by that of its slot, and calls the algorithm
// through an interface that says nothing of either.
//
// So an engine is compiled once. Of each algorithm only what is here is: moving a value between a column and the
// call of a handler.
package columns

// Slots numbers the places of a column, and gives those that are free again before new ones.
type Slots struct {
	free []int32
	used int32
}

// Take gives a slot that is not in use. It is a new one if it equals the length of the column.
func (s *Slots) Take() int32 {
	if k := len(s.free) - 1; k >= 0 {
		slot := s.free[k]
		s.free = s.free[:k]
		return slot
	}
	s.used++
	return s.used - 1
}

// Release gives a slot back.
func (s *Slots) Release(slot int32) { s.free = append(s.free, slot) }

// Values is caucus.Values without a type: At puts a value of the domain into a slot or place.
type Values struct {
	Len uint64
	At  func(k uint64, place int)
}
