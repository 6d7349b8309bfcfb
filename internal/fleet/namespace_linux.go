package fleet

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

// Isolate gives a command namespaces of its own for users and networks, in which it may make networks
// and start a fleet with Config.Namespaces. They end with its last process.
func Isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Setpgid:     true,            // Ctrl-C reaches it through its parent
		Pdeathsig:   syscall.SIGTERM, // of the thread that starts it: keep to one
	}
}

// MayIsolate tells why there can be no fleet in namespaces here, or nil, by making what one needs: a
// user and a network namespace with a bridge and a pair of virtual interfaces.
func MayIsolate() error {
	ip, err := exec.LookPath("ip")
	if err != nil {
		return fmt.Errorf("network namespaces need the command ip (iproute2): %w", err)
	}
	cmd := exec.Command(ip, "-batch", "-")
	Isolate(cmd)
	cmd.Stdin = strings.NewReader("link add caucus-hub type bridge\nlink add caucus0 type veth peer name caucus1\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("network namespaces are not permitted here: %w %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// The network of a fleet in namespaces: every node is a host with one interface, and a cable from there
// to a switch, which is a bridge in the namespace of the fleet.
const (
	hub      = "caucus-hub"
	hubIP    = "10.77.255.254"
	hubMAC   = "02:00:0a:4d:ff:fe"
	nodePort = "7400"
	nodeLink = "eth0"
)

// nodeIP is the address of a node; there are fewer nodes than addresses.
func nodeIP(node int) string { return fmt.Sprintf("10.77.%d.%d", (node+1)>>8, (node+1)&255) }

func nodeMAC(node int) string {
	return fmt.Sprintf("02:00:0a:4d:%02x:%02x", (node+1)>>8, (node+1)&255)
}

// knows is the command that enters where a host is. All are entered: those that the kernel finds out itself
// are limited to 1024 for all namespaces together, which is less than a clique of 40 needs.
func knows(ip, mac, dev string) string {
	return fmt.Sprintf("neigh replace %s lladdr %s dev %s nud permanent", ip, mac, dev)
}

// makeHub makes the switch. This process must be isolated: a host's own network is not for a fleet to change.
func makeHub() error {
	return ip("link set lo up", "link add "+hub+" address "+hubMAC+" type bridge", "addr add "+hubIP+"/16 dev "+hub,
		"link set "+hub+" up")
}

// enterNode moves the calling goroutine, and what it starts, into a new network namespace that is
// connected to the switch. The goroutine is tied to its thread for good, so that
// the thread ends with it.
func enterNode(node int, peers []Edge) error {
	runtime.LockOSThread()
	thread := syscall.Gettid()
	if err := syscall.Unshare(syscall.CLONE_NEWNET); err != nil {
		return fmt.Errorf("network namespace of node %d: %w", node+1, err)
	}
	// The cable is laid from the side of the switch, by a thread that is still there.
	laid := make(chan error)
	go func() {
		cable := fmt.Sprintf("caucus%d", node+1)
		laid <- ip(
			fmt.Sprintf("link add %s type veth peer name %s address %s netns %d", cable, nodeLink, nodeMAC(node),
				thread),
			fmt.Sprintf("link set %s master %s up", cable, hub),
			knows(nodeIP(node), nodeMAC(node), hub))
	}()
	if err := <-laid; err != nil {
		return err
	}
	list := []string{"link set lo up", fmt.Sprintf("addr add %s/16 dev %s", nodeIP(node), nodeLink),
		"link set " + nodeLink + " up",
		knows(hubIP, hubMAC, nodeLink)}
	for _, e := range peers {
		list = append(list, knows(nodeIP(e.To), nodeMAC(e.To), nodeLink))
	}
	return ip(list...)
}

// ip runs commands of iproute2 in the network namespace of the calling thread.
func ip(commands ...string) error {
	cmd := exec.Command("ip", "-batch", "-")
	cmd.Stdin = strings.NewReader(strings.Join(commands, "\n") + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("ip, for %q and what follows: %w %s", commands[0], err, bytes.TrimSpace(out))
	}
	return nil
}
