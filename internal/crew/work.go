package crew

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"caucus.example/caucus/internal/results"
)

// Job makes one job of a study.
type Job func(ctx context.Context, job int) (results.Rows, error)

// most is how many workers a task is given to, one after another, before it counts as one that kills them.
const most = 5

// Work does tasks of a build, so many at a time, until ctx ends. open makes ready what a study says.
func (c *Crew) Work(ctx context.Context, build string, atOnce int, open func(study []byte) (Job, error)) error {
	var queue jetstream.Consumer
	err := c.try(ctx, func(ctx context.Context) (err error) {
		queue, err = c.js.CreateOrUpdateConsumer(ctx, tasks, jetstream.ConsumerConfig{
			Durable:           "build-" + build,
			FilterSubject:     fmt.Sprintf("caucus.task.%s.>", build),
			AckPolicy:         jetstream.AckExplicitPolicy,
			AckWait:           c.pace.task,
			MaxAckPending:     1_000_000,
			InactiveThreshold: kept,
		})
		return err
	})
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("nats: %w", err)
	}
	w := &worker{crew: c, open: open, jobs: map[string]Job{}}
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() { w.loop(ctx, queue) })
	}
	all.Wait()
	return nil
}

type worker struct {
	crew *Crew
	open func([]byte) (Job, error)

	mu   sync.Mutex
	jobs map[string]Job // by the subject of their study
}

// loop takes tasks and does them: so many at once as take about a second, since asking costs more than a short job.
func (w *worker) loop(ctx context.Context, queue jetstream.Consumer) {
	for next := 1; ctx.Err() == nil; {
		batch, err := queue.FetchNoWait(next)
		done, begin := 0, time.Now()
		if err == nil {
			done = w.all(ctx, batch)
			err = batch.Error()
		}
		if took := time.Since(begin); done > 0 {
			next = max(1, min(2*next, int(time.Duration(done)*time.Second/max(took, 1)), atMost))
			continue
		}
		if err == nil {
			if batch, err = queue.Fetch(1, jetstream.FetchMaxWait(w.crew.pace.answer)); err == nil {
				w.all(ctx, batch)
				err = batch.Error()
			}
		}
		if err != nil && ctx.Err() == nil {
			time.Sleep(100 * time.Millisecond) // a server that is gone, or a cluster without a leader
		}
	}
}

// atMost is how many tasks a worker holds at once.
const atMost = 64

// all does the tasks of a batch. Those that wait for their turn show signs of life, too.
func (w *worker) all(ctx context.Context, batch jetstream.MessageBatch) int {
	var list []jetstream.Msg
	for m := range batch.Messages() {
		list = append(list, m)
	}
	for k := range list {
		stop := w.signs(list[k:])
		w.do(ctx, list[k])
		stop()
	}
	return len(list)
}

// do makes the job of a task and writes down what it gave. Only then is the task removed.
func (w *worker) do(ctx context.Context, m jetstream.Msg) {
	a, err := w.answer(ctx, m)
	if ctx.Err() != nil {
		w.giveBack(ctx, m)
		return
	}
	var data []byte
	if err == nil {
		data, err = a.pack()
	}
	if limit := w.crew.conn.MaxPayload(); err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%d bytes of measurements, and the server takes at most %d (max_payload)", len(data), limit)
	}
	if err != nil {
		host, _ := os.Hostname()
		data, _ = answer{Error: fmt.Sprintf("on %s: %v", host, err)}.pack()
	}
	if w.crew.put(ctx, strings.Replace(m.Subject(), ".task.", ".answer.", 1), data) == nil {
		w.remove(ctx, m)
	}
}

// remove takes away a task whose answer stands. A server that has taken over from one that was killed may not know that
// the task was given to anybody, and does not answer then. It is not waited for: workers that all wait take no task, and
// only when it gives one does the server know better. It gives this one again, and the answer stays what it was.
func (w *worker) remove(ctx context.Context, m jetstream.Msg) {
	short, cancel := context.WithTimeout(ctx, w.crew.pace.task)
	defer cancel()
	_ = w.crew.try(short, func(ctx context.Context) error {
		if err := m.DoubleAck(ctx); !errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
			return err
		}
		return nil
	})
}

// giveBack leaves a task to others, as a new one: that a worker ends in order does not count against it. One that is
// lost between the two steps is asked for again by who collects.
func (w *worker) giveBack(ctx context.Context, m jetstream.Msg) {
	short, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.crew.pace.answer)
	defer cancel()
	if m.DoubleAck(short) == nil {
		_, _ = w.crew.js.Publish(short, m.Subject(), nil)
	}
}

// signs tells the server three times in the time that a task has that it is not forgotten.
func (w *worker) signs(list []jetstream.Msg) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		t := time.NewTicker(w.crew.pace.task / 3)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				for _, m := range list {
					_ = m.InProgress()
				}
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-ended }
}

func (w *worker) answer(ctx context.Context, m jetstream.Msg) (answer, error) {
	meta, err := m.Metadata()
	if err != nil {
		return answer{}, err
	}
	if meta.NumDelivered > most {
		return answer{}, fmt.Errorf("given to %d workers, and none of them came to an end", most)
	}
	part := strings.Split(m.Subject(), ".") // caucus.task.build.study.job
	number, err := strconv.Atoi(part[4])
	if err != nil {
		return answer{}, err
	}
	job, err := w.study(ctx, fmt.Sprintf(studyOf, part[2], part[3]))
	if err != nil {
		return answer{}, err
	}
	rows, err := job(ctx, number)
	return answer{Rows: rows}, err
}

// study makes a study ready, once.
func (w *worker) study(ctx context.Context, subject string) (Job, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if job, ok := w.jobs[subject]; ok {
		return job, nil
	}
	var text []byte
	err := w.crew.try(ctx, func(ctx context.Context) error {
		stream, err := w.crew.js.Stream(ctx, studies)
		if err != nil {
			return err
		}
		m, err := stream.GetLastMsgForSubject(ctx, subject)
		if err == nil {
			text = m.Data
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the study of this task: %w", err)
	}
	job, err := w.open(text)
	if err == nil {
		w.jobs[subject] = job
	}
	return job, err
}
