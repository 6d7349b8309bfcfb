package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// boots lays a file system over that of this machine, in a mount namespace, and boots systemd on it, which runs
// /root/trial.sh and ends. Nothing of it is left.
const boots = `set -e
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
root=$1/root
: >"$root/etc/machine-id"
rm -rf "$root/etc/systemd/system/"*.wants
rm -f "$root/var/lib/man-db/auto-update" # the index of all pages of this machine need not be made anew three times
cp "$2/trial.sh" "$2/old.deb" "$2/new.deb" "$root/root/"
cat >"$root/etc/systemd/system/trial.service" <<END
[Unit]
After=basic.target
Requires=basic.target
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
ExecStart=/bin/sh /root/trial.sh
StandardOutput=file:/root/trial.log
StandardError=inherit
END
timeout 120 systemd-nspawn -q -D "$root" --private-network --register=no --keep-unit --kill-signal=SIGRTMIN+3 \
	--console=pipe -b systemd.unit=trial.service >"$2/boot.log" 2>&1 </dev/null || true
cat "$root/root/trial.log"`

// made packs two versions as they are handed out. The program in them is as the tests have compiled it, which need not
// compile everything a second time for that.
func made(t *testing.T, p platform) (debs []string) {
	t.Helper()
	stage, out := t.TempDir(), t.TempDir()
	program := filepath.Join(stage, "caucus")
	err := run(nil, "go", "build", "-ldflags=-s -w", "-o", program, "./cmd/caucus")
	if err == nil {
		err = pages(stage, program)
	}
	if err == nil { // what it is for is tested elsewhere
		err = os.WriteFile(filepath.Join(stage, "simulator.js"), nil, 0o666)
	}
	for _, version := range []string{"0.2.0~trial", "0.2.1~trial"} {
		if err == nil {
			err = p.pack(stage, out, version, "deb")
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	again(t, p, stage)
	debs, _ = filepath.Glob(filepath.Join(out, "*.deb"))
	slices.Sort(debs)
	if len(debs) != 2 {
		t.Fatalf("found packages %v", debs)
	}
	return debs
}

// again packs twice, and looks for other bytes. In place of the program there is less to compress.
func again(t *testing.T, p platform, stage string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(stage, "caucus"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	first, second := t.TempDir(), t.TempDir()
	for _, to := range []string{first, second} {
		if err := p.pack(stage, to, "0.2.1~trial", "deb", "rpm"); err != nil {
			t.Fatal(err)
		}
	}
	made, _ := filepath.Glob(filepath.Join(first, "*"))
	if len(made) != 2 {
		t.Fatalf("found packages %v", made)
	}
	for _, name := range made {
		a, err1 := os.ReadFile(name)
		b, err2 := os.ReadFile(filepath.Join(second, filepath.Base(name)))
		if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s, made again, has other bytes: %v, %v", filepath.Base(name), err1, err2)
		}
		if filepath.Ext(name) == ".rpm" {
			inspect(t, name)
		}
	}
}

// Packages are installed, started, reloaded, upgraded and removed, under a real systemd.
func TestPackages(t *testing.T) {
	for _, tool := range []string{"unshare", "systemd-nspawn", "dpkg", "rpm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no ", tool)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("not root")
	}
	script, err := os.ReadFile("testdata/trial.sh")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	debs := made(t, platform{os: "linux", arch: runtime.GOARCH})
	work, root := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(work, "trial.sh"), script, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"old.deb", "new.deb"} {
		if err := os.Rename(debs[i], filepath.Join(work, name)); err != nil {
			t.Fatal(err)
		}
	}
	log, err := exec.Command("unshare", "-m", "sh", "-c", boots, "sh", root, work).CombinedOutput()
	boot, _ := os.ReadFile(filepath.Join(work, "boot.log"))
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, log, boot)
	}
	held, want := strings.Count(string(log), "\nheld: "), strings.Count(string(script), "held \"")
	if held != want {
		t.Errorf("%d of %d held\n%s\n%s", held, want, log, boot)
	}
}

// An rpm holds the same files, and scripts that know rpm's words.
func inspect(t *testing.T, rpm string) {
	t.Helper()
	said, err := exec.Command("rpm", "-qp", "--list", "--scripts", rpm).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, part := range []string{"/usr/bin/caucus\n", "/usr/lib/systemd/system/caucus.service\n",
		"/etc/caucus/agent.yaml\n",
		"/usr/share/man/man1/caucus-agent.1.gz\n", "postinstall scriptlet", "preuninstall scriptlet", "remove | 0)"} {
		if !strings.Contains(string(said), part) {
			t.Errorf("no %q in\n%s", part, said)
		}
	}
}
