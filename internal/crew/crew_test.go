package crew

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
)

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "8") // they wait, for servers and for what is late
	goleak.VerifyTestMain(m)
}

// serve starts a server with streams on disk.
func serve(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(),
		NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	return s.ClientURL()
}

func join(t *testing.T, url string) *Crew {
	t.Helper()
	c, err := Connect(t.Context(), Options{URL: url}, func(string, ...any) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	c.pace = pace{answer: 2 * time.Second, task: time.Second, look: 100 * time.Millisecond}
	return c
}

// square is the job of the tests: one row, which depends on the job's number.
func square(_ context.Context, job int) (results.Rows, error) {
	return results.Rows{{Series: "s", Metric: "square", X: results.None, Value: float64(job * job)}}, nil
}

func batch(name string, n int) *jobs.Batch {
	return &jobs.Batch{Name: name, Build: "b1", Jobs: n, Run: square}
}

// work starts a worker, whose jobs are those given, until the test or stop ends it.
func work(t *testing.T, url, build string, atOnce int, job Job) (stop func()) {
	c := join(t, url)
	ctx, cancel := context.WithCancel(t.Context())
	var end sync.WaitGroup
	end.Go(func() {
		open := func(study []byte) (Job, error) {
			if string(study) != "squares" {
				return nil, fmt.Errorf("another study: %q", study)
			}
			return job, nil
		}
		if err := c.Work(ctx, build, atOnce, open); err != nil {
			t.Error(err)
		}
	})
	stop = func() { cancel(); end.Wait() }
	t.Cleanup(stop)
	return stop
}

func check(t *testing.T, b *jobs.Batch, got []results.Rows, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	want, err := b.Do(t.Context(), jobs.Setting{})
	if err != nil || len(want) != len(got) {
		t.Fatal(err, len(got))
	}
	for k := range want {
		if len(got[k]) != 1 || got[k][0].Value != want[k][0].Value {
			t.Fatalf("job %d: %v", k, got[k])
		}
	}
}

// A server that does not know any more to whom it gave a task, as one of a cluster that takes over from one that was
// killed, says nothing when the task is done. A worker that waited for its word took no other task for ever.
func TestServerForgetsWhoWorks(t *testing.T) {
	t.Parallel()
	url := serve(t)
	other := join(t, url)
	forget := sync.OnceFunc(func() {
		if err := other.js.DeleteConsumer(t.Context(), tasks, "build-b1"); err != nil {
			t.Error(err)
		}
		if err := other.Work(t.Context(), "b1", 0, nil); err != nil { // makes the queue, and takes nothing from it
			t.Error(err)
		}
	})
	work(t, url, "b1", 1, func(ctx context.Context, job int) (results.Rows, error) {
		forget()
		return square(ctx, job)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	b := batch("forgotten", 3)
	got, err := b.Do(ctx, jobs.Setting{Elsewhere: other.Elsewhere([]byte("squares"))})
	check(t, b, got, err)
}

// The rows are those of one process alone: with workers that come and go in the middle of a job, and with a second wave
// of jobs that depends on the first.
func TestWorkersComeAndGo(t *testing.T) {
	t.Parallel()
	url := serve(t)
	slow := func(ctx context.Context, job int) (results.Rows, error) {
		select {
		case <-time.After(2 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return square(ctx, job)
	}
	work(t, url, "b1", 2, slow)
	over := make(chan struct{})
	var churn sync.WaitGroup
	churn.Go(func() {
		for {
			stop := work(t, url, "b1", 3, slow)
			select {
			case <-over:
				return
			case <-time.After(40 * time.Millisecond):
				stop()
			}
		}
	})
	b := batch("churn", 400)
	b.Most = 410
	b.More = func(done []results.Rows) []int {
		if done[400] == nil {
			return []int{400, 405}
		}
		return nil
	}
	got, err := b.Do(t.Context(), jobs.Setting{Elsewhere: join(t, url).Elsewhere([]byte("squares"))})
	close(over)
	churn.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if got[405] == nil || got[401] != nil {
		t.Fatal(got[401], got[405])
	}
	check(t, batch("churn", 400), got[:400], nil)
}

// What was answered is not done again: who collects once more finds it, and a journal takes it up. Only what two
// workers hold when the first call is interrupted, a second's work each, may be done twice.
func TestCollectAgain(t *testing.T) {
	t.Parallel()
	url := serve(t)
	var done atomic.Int64
	work(t, url, "b1", 2, func(ctx context.Context, job int) (results.Rows, error) {
		time.Sleep(100 * time.Millisecond)
		done.Add(1)
		return square(ctx, job)
	})
	b := batch("again", 60)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := b.Do(ctx, jobs.Setting{
		Elsewhere: join(t, url).Elsewhere([]byte("squares")),
		Progress: func(n, _ int) {
			if n == 30 {
				cancel()
			}
		}})
	var stopped *jobs.Interrupted
	if !errors.As(err, &stopped) || stopped.Done < 30 {
		t.Fatal(err)
	}
	got, err := b.Do(t.Context(), jobs.Setting{Elsewhere: join(t, url).Elsewhere([]byte("squares"))})
	check(t, b, got, err)
	if done.Load() > 60+2*10 {
		t.Errorf("%d jobs were done for 60", done.Load())
	}
}

// Who interrupts a sweep leaves no work to workers that come later.
func TestInterruptedWithdraws(t *testing.T) {
	t.Parallel()
	c := join(t, serve(t))
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var stopped *jobs.Interrupted
	_, err := batch("withdrawn", 50).Do(ctx, jobs.Setting{Elsewhere: c.Elsewhere([]byte("squares"))})
	if !errors.As(err, &stopped) {
		t.Fatal(err)
	}
	stream, err := c.js.Stream(t.Context(), tasks)
	if err != nil {
		t.Fatal(err)
	}
	if left := stream.CachedInfo().State.Msgs; left != 0 {
		t.Errorf("%d tasks of a sweep that was interrupted", left)
	}
}

// A collector whose reader hears nothing any more reads anew: the answers are there.
func TestReaderThatFellSilent(t *testing.T) {
	t.Parallel()
	url := serve(t)
	work(t, url, "b1", 1, square)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	b, crew := batch("silent", 20), join(t, url)
	got, err := b.Do(ctx, jobs.Setting{Elsewhere: func(ctx context.Context, b *jobs.Batch, wanted []int,
		finish jobs.Finish) error {
		if _, err := crew.js.Publish(ctx, fmt.Sprintf(studyOf, b.Build, b.Hash()), []byte("squares")); err != nil {
			return err
		}
		k := &collector{crew: crew, build: b.Build, study: b.Hash(), wanted: wanted, finish: finish,
			missing: map[int]bool{}, stop: func() {}}
		for _, job := range wanted {
			k.missing[job] = true
		}
		if err := k.ask(ctx); err != nil {
			return err
		}
		defer func() { k.stop() }()
		return k.wait(ctx)
	}})
	check(t, b, got, err)
}

// A build does no task of another one, and is missed aloud.
func TestForeignBuild(t *testing.T) {
	t.Parallel()
	url := serve(t)
	work(t, url, "b2", 1, func(context.Context, int) (results.Rows, error) {
		t.Error("a task for another build")
		return nil, nil
	})
	c := join(t, url)
	said := make(chan string, 10)
	c.log = func(format string, args ...any) { said <- fmt.Sprintf(format, args...) }
	ctx, cancel := context.WithCancel(t.Context())
	var end sync.WaitGroup
	end.Go(func() {
		b := batch("foreign", 7)
		_, _ = b.Do(ctx, jobs.Setting{Elsewhere: c.Elsewhere([]byte("squares"))})
	})
	if text := <-said; !strings.HasPrefix(text, "7 tasks for build b1, and no worker of that build") {
		t.Error(text)
	}
	cancel()
	end.Wait()
}

// What goes wrong in a job ends the batch with its reason, and is tried again by the next call. A task whose workers
// vanish without a sign goes to others, and is given up after the fifth.
func TestJobsThatFail(t *testing.T) {
	t.Parallel()
	url := serve(t)
	var bad atomic.Bool
	bad.Store(true)
	var deliveries atomic.Int64
	stop := work(t, url, "b1", 4, func(ctx context.Context, job int) (results.Rows, error) {
		if job == 3 && bad.Load() {
			return nil, errors.New("three is no number")
		}
		return square(ctx, job)
	})
	b := batch("failing", 20)
	at := jobs.Setting{Elsewhere: join(t, url).Elsewhere([]byte("squares"))}
	if _, err := b.Do(t.Context(), at); err == nil || !strings.Contains(err.Error(), "three is no number") {
		t.Error(err)
	}
	bad.Store(false)
	got, err := b.Do(t.Context(), at)
	check(t, b, got, err)
	stop()

	// Such a worker takes the task, and is gone.
	mortal := join(t, url)
	w := &worker{crew: mortal, jobs: map[string]Job{}, open: func([]byte) (Job, error) { return square, nil }}
	b = batch("deadly", 1)
	ctx, cancel := context.WithCancel(t.Context())
	var end sync.WaitGroup
	end.Go(func() {
		queue, err := mortal.js.Consumer(ctx, tasks, "build-b1")
		for ctx.Err() == nil && err == nil {
			some, err := queue.Fetch(1, jetstream.FetchMaxWait(time.Second)) // it may have gone elsewhere
			if err != nil {
				continue
			}
			for m := range some.Messages() {
				meta, err := m.Metadata()
				switch {
				case err != nil || !strings.Contains(m.Subject(), b.Hash()):
					_ = m.Ack() // a task that was put twice, the second time while its answer was on its way
				case meta.NumDelivered > most:
					w.do(ctx, m)
				default:
					deliveries.Add(1)
				}
			}
		}
	})
	_, err = b.Do(t.Context(), at)
	cancel()
	end.Wait()
	if err == nil || !strings.Contains(err.Error(), "given to 5 workers") || deliveries.Load() != most {
		t.Error(err, deliveries.Load())
	}
}

// Signs of life keep a task that takes longer than servers wait for it.
func TestLongJob(t *testing.T) {
	t.Parallel()
	url := serve(t)
	var begun atomic.Int64
	work(t, url, "b1", 4, func(ctx context.Context, job int) (results.Rows, error) {
		begun.Add(1)
		time.Sleep(3500 * time.Millisecond)
		return square(ctx, job)
	})
	b := batch("long", 1)
	got, err := b.Do(t.Context(), jobs.Setting{Elsewhere: join(t, url).Elsewhere([]byte("squares"))})
	check(t, b, got, err)
	// Without signs a worker begins every second; on a busy machine one sign may be late.
	if begun.Load() > 2 {
		t.Errorf("begun %d times", begun.Load())
	}
}

// A study that no message can hold is refused, and not sent again and again.
func TestStudyTooLarge(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	large := make([]byte, 2<<20)
	_, err := batch("large", 1).Do(ctx, jobs.Setting{Elsewhere: join(t, serve(t)).Elsewhere(large)})
	if err == nil || !strings.Contains(err.Error(), "at most 1048576 bytes") {
		t.Error(err)
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string // of the error; "": none
	}{
		{Options{URL: "nats://127.0.0.1:4222"}, ""}, {Options{URL: "nats://localhost:1,nats://[::1]:2"}, ""},
		{Options{URL: "tls://10.0.0.1:4222", Seed: "x"}, ""},
		{Options{URL: "nats://10.0.0.1:4222"}, "beyond this machine"},
		{Options{URL: "tls://10.0.0.1:4222"}, "beyond this machine"},
		{Options{URL: "nats://10.0.0.1:4222", Seed: "x"}, "beyond this machine"},
		{Options{URL: "nats://127.0.0.1:1,nats://10.0.0.1:1"}, "beyond this machine"},
		{Options{}, ""}, {Options{Seed: "x"}, "none without --nats"}, {Options{CA: "x"}, "none without --nats"},
		{Options{URL: "127.0.0.1:4222"}, "nats://host:port"}, {Options{URL: "http://127.0.0.1"}, "nats://host:port"},
	} {
		err := c.o.Check()
		var field *caucus.FieldError
		if (err == nil) != (c.want == "") || err != nil && (!errors.As(err, &field) ||
			!strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer cancel()
	said := ""
	log := func(format string, args ...any) { said += fmt.Sprintf(format, args...) }
	if _, err := Connect(ctx, Options{URL: "nats://127.0.0.1:1"}, log); err == nil {
		t.Error("connected to nobody")
	}
	if said != "no server at nats://127.0.0.1:1 yet: waiting for 20s" {
		t.Errorf("said %q while it waited", said)
	}
}

func FuzzUnpack(f *testing.F) {
	rows, _ := square(context.Background(), 7)
	for _, n := range []int{1, 1000} {
		var many results.Rows
		for k := range n {
			rows[0].Seed = uint64(k)
			many = append(many, rows...)
		}
		good, err := answer{Rows: many}.pack()
		if err != nil || (good[0] == '{') != (n == 1) {
			f.Fatal(err, good[0])
		}
		f.Add(good)
		f.Add(slices.Concat(good[:10], []byte{0}))
	}
	f.Add([]byte("neither"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if a, err := unpack(data); err == nil {
			if _, err := a.pack(); err != nil {
				t.Error(err)
			}
		}
	})
}
