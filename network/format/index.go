package format

import "strings"

// index finds nodes by their ids. Large files number their nodes, perhaps behind a letter or two ("n17"): ids of that
// form are looked up in an array, since a map of so many takes most of the time of reading.
type index struct {
	prefix   string // of the ids in numbered …
	fixed    bool   // … once there is one
	numbered []int32
	others   map[string]int32
	n        int
}

// spread is by how much numbers may exceed the count of ids and still be looked up in the array.
const spread = 8

// digits is the number that an id is behind the prefix, if it is written as numbers are.
func (x *index) digits(id string) (number int, ok bool) {
	if len(id) <= len(x.prefix) || id[:len(x.prefix)] != x.prefix {
		return 0, false
	}
	text := id[len(x.prefix):]
	if len(text) > 9 || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	for k := range len(text) {
		c := text[k] - '0'
		if c > 9 {
			return 0, false
		}
		number = 10*number + int(c)
	}
	return number, true
}

// find gives the node of an id.
func (x *index) find(id string) (int32, bool) {
	if k, ok := x.digits(id); ok && k < len(x.numbered) && x.numbered[k] != 0 {
		return x.numbered[k] - 1, true
	}
	if len(x.others) == 0 {
		return 0, false
	}
	i, ok := x.others[id]
	return i, ok
}

// put gives an id that was not found its node.
func (x *index) put(id string, node int32) {
	x.n++
	if prefix := strings.TrimRight(id, "0123456789"); !x.fixed && prefix != id {
		x.prefix, x.fixed = prefix, true
	}
	if k, ok := x.digits(id); ok && x.fixed && k < spread*(x.n+1024) {
		if k >= len(x.numbered) {
			more := max(k+1-len(x.numbered), len(x.numbered)/2)
			x.numbered = append(x.numbered, make([]int32, more)...)
		}
		x.numbered[k] = node + 1
		return
	}
	if x.others == nil {
		x.others = map[string]int32{}
	}
	x.others[id] = node
}
