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
	hub        = "caucus-hub"
	hubAddr    = "10.77.255.254/16"
	nodePort   = "7400"
	nodeHTTP   = "7401"
	interface0 = "eth0"
)

// nodeIP is the address of a node; there are fewer nodes than addresses.
func nodeIP(node int) string { return fmt.Sprintf("10.77.%d.%d", (node+1)>>8, (node+1)&255) }

// makeHub makes the switch. This process must be isolated: a host's own network is not for a fleet to change.
func makeHub() error {
	return ip("link set lo up", "link add "+hub+" type bridge", "addr add "+hubAddr+" dev "+hub, "link set "+hub+" up")
}

// enterNode moves the calling goroutine, and what it starts, into a new network namespace that is
// connected to the switch. The goroutine is tied to its thread for good, so that
// the thread ends with it.
func enterNode(node int) error {
	runtime.LockOSThread()
	thread := syscall.Gettid()
	if err := syscall.Unshare(syscall.CLONE_NEWNET); err != nil {
		return fmt.Errorf("network namespace of node %d: %w", node+1, err)
	}
	// The cable is laid from the side of the switch, by a thread that is still there.
	cable := fmt.Sprintf("caucus%d", node+1)
	laid := make(chan error)
	go func() {
		laid <- ip(
			fmt.Sprintf("link add %s type veth peer name %s netns %d", cable, interface0, thread),
			fmt.Sprintf("link set %s master %s up", cable, hub))
	}()
	if err := <-laid; err != nil {
		return err
	}
	return ip("link set lo up", fmt.Sprintf("addr add %s/16 dev %s", nodeIP(node), interface0), "link set "+interface0+" up")
}

// ip runs commands of iproute2 in the network namespace of the calling thread.
func ip(commands ...string) error {
	cmd := exec.Command("ip", "-batch", "-")
	cmd.Stdin = strings.NewReader(strings.Join(commands, "\n") + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w %s", strings.Join(commands, "; "), err, bytes.TrimSpace(out))
	}
	return nil
}
