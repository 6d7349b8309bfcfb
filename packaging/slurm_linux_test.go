package packaging

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const slurmConf = `ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[2]d
SlurmdPort=%[3]d
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation=%[4]s/state
SlurmdSpoolDir=%[4]s/spool
SlurmctldPidFile=%[4]s/slurmctld.pid
SlurmdPidFile=%[4]s/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
RequeueExit=75
SlurmdParameters=config_overrides
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=8
PartitionName=all Nodes=%[1]s Default=YES State=UP
`

// interrupted stands for the program in shard 7: the first time it is stopped, as by a cluster that wants its machine
// back, once three of its runs are done.
const interrupted = `#!/bin/sh
if [ "$SLURM_ARRAY_TASK_ID" != 7 ] || [ -n "$SLURM_RESTART_COUNT" ]; then exec %[1]s "$@"; fi
%[1]s "$@" &
until [ "$(wc -l 2>/dev/null <part-7.parquet.jobs/journal.jsonl || echo 0)" -ge 4 ]; do sleep 0.02; done
kill -TERM $!
wait $!
code=$?
echo "$code" >stopped
exit "$code"
`

// slurmStudy gives each shard one point. The seventh is so large that what is left of it after three runs takes half a
// second, on any machine much longer than it takes to see that they are done.
const slurmStudy = `version: 1
scenario: {topology: "rgg:n=${n},degree=7,connected", metric: hops, strength: random, stable-for: 5}
grid: {n: [500, 505, 510, 515, 520, 525, 20000, 535, 540, 545, 550, 555, 560, 565, 570, 575, 580, 585, 590, 595]}
seeds: 12
measures: [leaders, rounds]
`

// A sweep in an array of a real Slurm, on one machine: a shard is stopped, queued again and goes on, and together the
// shards give the bytes of one process alone.
func TestSlurmArray(t *testing.T) {
	for _, name := range []string{"slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s here", name)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can start Slurm")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/caucus").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	script, err := filepath.Abs("sweep/sweep.slurm")
	if err != nil {
		t.Fatal(err)
	}
	env := append(startSlurm(t, dir), "PATH="+dir+":"+os.Getenv("PATH"))
	for name, text := range map[string]string{"caucus": fmt.Sprintf(interrupted, program), "study.yaml": slurmStudy} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	must := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v: %s", name, args, err, out)
		}
		return string(out)
	}
	must("sbatch", script)
	for begin := time.Now(); must("squeue", "-h") != ""; time.Sleep(200 * time.Millisecond) {
		if time.Since(begin) > 4*time.Minute {
			t.Fatal(must("squeue"))
		}
		// What is queued again waits two minutes; an operator, or a test, need not.
		if strings.Contains(must("squeue", "-h", "-o", "%r"), "BeginTime") {
			must("scontrol", "update", "jobid=1_7", "starttime=now")
		}
	}
	if code, err := os.ReadFile(filepath.Join(dir, "stopped")); err != nil || string(code) != "75\n" {
		t.Errorf("the stopped shard ended with %q, %v", code, err)
	}
	parts, _ := filepath.Glob(filepath.Join(dir, "part-*.parquet"))
	must(program, append([]string{"sweep", "merge", "-o", "all.parquet"}, parts...)...)
	must(program, "sweep", "study.yaml", "-o", "alone.parquet")
	all, err1 := os.ReadFile(filepath.Join(dir, "all.parquet"))
	alone, err2 := os.ReadFile(filepath.Join(dir, "alone.parquet"))
	if len(parts) != 20 || err1 != nil || err2 != nil || !bytes.Equal(all, alone) {
		t.Errorf("%d parts; %v, %v; the same bytes: %v", len(parts), err1, err2, bytes.Equal(all, alone))
	}
}

// startSlurm starts controller and node, and waits until they know each other. It gives the environment that its
// commands need.
func startSlurm(t *testing.T, dir string) (env []string) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	ports := freePorts(t, 2)
	conf := filepath.Join(dir, "slurm.conf")
	text := fmt.Sprintf(slurmConf, host, ports[0], ports[1], dir)
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env = append(os.Environ(), "SLURM_CONF="+conf)
	for _, name := range []string{"slurmctld", "slurmd"} {
		daemon := exec.Command(name, "-D")
		daemon.Env = env
		if err := daemon.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { daemon.Process.Signal(os.Interrupt); daemon.Wait() })
	}
	for begin := time.Now(); ; time.Sleep(200 * time.Millisecond) {
		info := exec.Command("sinfo", "-h", "-o", "%T")
		info.Env = env
		out, _ := info.CombinedOutput()
		if strings.TrimSpace(string(out)) == "idle" {
			return env
		}
		if time.Since(begin) > time.Minute {
			t.Fatalf("Slurm does not start: %s", out)
		}
	}
}

// freePorts are ports of loopback that nobody listens on.
func freePorts(t *testing.T, n int) (list []int) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		list = append(list, l.Addr().(*net.TCPAddr).Port)
	}
	return list
}
