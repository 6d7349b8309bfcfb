package agent

import (
	"net"
	"testing"
	"time"
)

// An interface may get another name, and its number another interface: what is remembered of either is asked anew.
func TestNamesOfInterfacesAreAskedAnew(t *testing.T) {
	list, err := net.Interfaces()
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	index, is := uint32(list[0].Index), list[0].Name
	in := &inbound{zones: map[uint32]string{index: "former"}, zoned: time.Now()}
	if got := in.zone(index); got != "former" {
		t.Errorf("%q right after it was asked: the system is asked for each datagram", got)
	}
	in.zoned = time.Now().Add(-zonesLast - time.Second)
	if got := in.zone(index); got != is {
		t.Errorf("%q, want %q: a former name stays", got, is)
	}
	out := &direct{zones: map[string]zone{is: {index + 1000, time.Now().Add(time.Minute)}}}
	if got := out.zone(is); got != index+1000 {
		t.Errorf("%d right after it was asked: the system is asked for each datagram", got)
	}
	out.zones[is] = zone{index + 1000, time.Now().Add(-time.Second)}
	if got := out.zone(is); got != index {
		t.Errorf("%d, want %d: a former number stays", got, index)
	}
}
