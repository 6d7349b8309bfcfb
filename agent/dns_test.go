package agent

import (
	"context"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"
)

func addrs(list ...string) (out []netip.Addr) {
	for _, text := range list {
		out = append(out, netip.MustParseAddr(text))
	}
	return out
}

// Every node knows where its leader is, however far that is; and the members that it hears itself.
func TestNames(t *testing.T) {
	v := newVirtual(t, 1, 5, edges{{0, 1}, {1, 2}, {2, 3}, {3, 4}})
	v.upAll()
	v.settle("n1", 30)
	v.run(2 * nameEvery * period)
	v.nodes[4].agent.report(v.now)
	want := map[string][]netip.Addr{
		"leader": addrs("10.0.0.1"), "n5": addrs("10.0.0.5"), "n4": addrs("10.0.0.4"),
		"members": addrs("10.0.0.5", "10.0.0.4"),
	}
	if got := v.nodes[4].agent.Names(); !reflect.DeepEqual(got, want) {
		t.Errorf("n5: got %v, want %v", got, want)
	}
	if got := v.nodes[0].agent.Names()["leader"]; !reflect.DeepEqual(got, addrs("10.0.0.1")) {
		t.Errorf("n1: leader %v", got)
	}
	v.kill(0)
	v.within(20*period, "n5 knows where the next leader is", func() bool {
		return reflect.DeepEqual(v.nodes[4].agent.Names()["leader"], addrs("10.0.0.2"))
	})
	v.kill(3)
	v.within(20*period, "n5 is alone, and leads", func() bool {
		return reflect.DeepEqual(v.nodes[4].agent.Names()["leader"], addrs("10.0.0.5"))
	})
}

// A program asks a node for the leader by its name; a file says the same.
func TestNamesAreTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hosts")
	a := alone(t, func(c *Config) {
		c.Name, c.Group, c.Listen, c.DNS, c.HostsFile = "Pump 1", "Site_A", "127.0.0.1:0", "127.0.0.1:0", file
		c.Profile = "loopback"
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	ask := func(network, name string, kind uint16) string {
		m := new(dns.Msg)
		m.SetQuestion(name, kind)
		r, _, err := (&dns.Client{Net: network}).Exchange(m, a.directory.udp.PacketConn.LocalAddr().String())
		if err != nil {
			return err.Error()
		}
		text := dns.RcodeToString[r.Rcode]
		for _, record := range append(r.Answer, r.Ns...) {
			text += " " + strings.ReplaceAll(record.String(), "\t", " ")
		}
		return text
	}
	for began := time.Now(); !a.Status().Leads(); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatal("it does not lead")
		}
	}
	const nothing = " caucus. 1 IN SOA caucus. caucus. 1 1 1 1 1" // and for how long that may be kept
	for _, c := range []struct{ network, name, want string }{
		{"udp", "leader.site_a.caucus.", "NOERROR leader.site_a.caucus. 1 IN A 127.0.0.1"},
		{"tcp", "LEADER.Site_A.caucus.", "NOERROR LEADER.Site_A.caucus. 1 IN A 127.0.0.1"},
		{"udp", "pump-1.site_a.caucus.", "NOERROR pump-1.site_a.caucus. 1 IN A 127.0.0.1"},
		{"udp", "members.site_a.caucus.", "NOERROR members.site_a.caucus. 1 IN A 127.0.0.1"},
		{"udp", "pump-2.site_a.caucus.", "NXDOMAIN" + nothing},
		{"udp", "leader.elsewhere.caucus.", "REFUSED"},
		{"udp", "example.org.", "REFUSED"},
	} {
		if got := ask(c.network, c.name, dns.TypeA); got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.network, c.name, got, c.want)
		}
	}
	if got := ask("udp", "leader.site_a.caucus.", dns.TypeAAAA); got != "NOERROR"+nothing {
		t.Errorf("AAAA: got %q, want no record and no error", got)
	}
	want := "# written by the agent Pump 1 of group Site_A\n127.0.0.1\tleader.site_a.caucus\n" +
		"127.0.0.1\tmembers.site_a.caucus\n127.0.0.1\tpump-1.site_a.caucus\n"
	read := func() string { text, _ := os.ReadFile(file); return string(text) }
	for began := time.Now(); read() != want; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 5*time.Second {
			t.Fatalf("the file says %q, want %q", read(), want)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got := read(); got != "# the agent Pump 1 of group Site_A has ended\n" {
		t.Errorf("after its end the file says %q", got)
	}
}
