package caucus

import "fmt"

// Label names the direction of a port in a network with a sense of direction.
type Label uint8

// Labels of the ports of rings, and of meshes and tori. An edge that leads one way from one of
// its ends leads the opposite way from the other.
const (
	Unlabelled Label = iota
	Left
	Right
	North
	East
	South
	West
	firstDimension
)

// MaxDimensions is how many dimensions of a hypercube have labels.
const MaxDimensions = 32

// Dimension labels the ports of a hypercube: the edge across dimension k, from 0, has the
// same label at both ends. Dimensions from MaxDimensions on have none.
func Dimension(k int) Label {
	if k < 0 || k >= MaxDimensions {
		return Unlabelled
	}
	return firstDimension + Label(k)
}

// Dimension gives the k of a label Dimension(k); false for every other label.
func (l Label) Dimension() (k int, ok bool) {
	k = int(l) - int(firstDimension)
	return k, k >= 0 && k < MaxDimensions
}

// Opposite is the label of the other end of an edge: Unlabelled for a label that is none.
func (l Label) Opposite() Label {
	switch l {
	case Left:
		return Right
	case Right:
		return Left
	case North:
		return South
	case South:
		return North
	case East:
		return West
	case West:
		return East
	}
	if _, ok := l.Dimension(); ok {
		return l
	}
	return Unlabelled
}

func (l Label) String() string {
	names := [...]string{"none", "left", "right", "north", "east", "south", "west"}
	if int(l) < len(names) {
		return names[l]
	}
	if k, ok := l.Dimension(); ok {
		return fmt.Sprintf("dimension %d", k)
	}
	return fmt.Sprintf("unknown label %d", uint8(l))
}

// ParseLabel reads what String gives; "" is Unlabelled as well.
func ParseLabel(text string) (Label, bool) {
	if text == "" {
		return Unlabelled, true
	}
	for l := Unlabelled; l < firstDimension+MaxDimensions; l++ {
		if l.String() == text {
			return l, true
		}
	}
	return Unlabelled, false
}
