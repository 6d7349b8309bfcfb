package crew

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"caucus.example/caucus/internal/jobs"
)

// Elsewhere gives the way to do the jobs of a batch by workers, who know the batch by the study.
func (c *Crew) Elsewhere(study []byte) jobs.Elsewhere {
	return func(ctx context.Context, b *jobs.Batch, wanted []int, finish jobs.Finish) error {
		k := &collector{crew: c, build: b.Build, study: b.Hash(), wanted: wanted, finish: finish,
			missing: map[int]bool{}}
		for _, job := range wanted {
			k.missing[job] = true
		}
		if len(wanted) == 0 {
			return nil
		}
		err := k.collect(ctx, study)
		switch {
		case ctx.Err() != nil:
			k.withdraw(context.WithoutCancel(ctx))
		case err != nil:
			err = fmt.Errorf("nats: %w", err)
		}
		return err
	}
}

// withdraw takes the tasks away, so that workers do not go on with what nobody waits for. It does not try again: who
// interrupts does not want to wait, and who collects the same study asks once more.
func (k *collector) withdraw(ctx context.Context) {
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if stream, err := k.crew.js.Stream(short, tasks); err == nil {
		_ = stream.Purge(short, jetstream.WithPurgeSubject(fmt.Sprintf("caucus.task.%s.%s.*", k.build, k.study)))
	}
}

type collector struct {
	crew         *Crew
	build, study string
	wanted       []int
	finish       jobs.Finish
	missing      map[int]bool // jobs without an answer
	over         bool         // finish wants no more
	alone        bool         // it was said that there is no worker

	news <-chan jetstream.Msg // answers, from the first on
	stop func()
}

// collect first reads the answers that are there, of an earlier call, then asks for the others.
func (k *collector) collect(ctx context.Context, study []byte) error {
	c := k.crew
	err := c.try(ctx, func(ctx context.Context) error {
		_, err := c.js.Publish(ctx, fmt.Sprintf(studyOf, k.build, k.study), study)
		return err
	})
	if err != nil {
		return err
	}
	left, err := k.listen(ctx)
	if err != nil {
		return err
	}
	defer func() { k.stop() }()
	for left > 0 && !k.over {
		var m jetstream.Msg
		select {
		case m = <-k.news:
		case <-ctx.Done():
			return ctx.Err()
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		if left = meta.NumPending; !k.take(m, false) {
			if err := k.forget(ctx, m.Subject()); err != nil {
				return err
			}
		}
	}
	if err := k.ask(ctx); err != nil {
		return err
	}
	return k.wait(ctx)
}

// listen begins to read the answers, and tells how many there are. It never gives up waiting: only so does the library
// notice that the server which it reads from is gone, by the heartbeats that it misses, and goes on at another one.
func (k *collector) listen(ctx context.Context) (there uint64, err error) {
	var inbox jetstream.Consumer
	err = k.crew.try(ctx, func(ctx context.Context) (err error) {
		inbox, err = k.crew.js.OrderedConsumer(ctx, answers, jetstream.OrderedConsumerConfig{
			FilterSubjects: []string{fmt.Sprintf("caucus.answer.%s.%s.*", k.build, k.study)}})
		return err
	})
	if err != nil {
		return 0, err
	}
	iter, err := inbox.Messages(jetstream.PullHeartbeat(time.Second))
	if err != nil {
		return 0, err
	}
	list, done, ended := make(chan jetstream.Msg), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			m, err := iter.Next()
			switch {
			case errors.Is(err, jetstream.ErrMsgIteratorClosed):
				return
			case err != nil:
				time.Sleep(100 * time.Millisecond)
				continue
			}
			select {
			case list <- m:
			case <-done:
				return
			}
		}
	}()
	k.news, k.stop = list, func() { close(done); iter.Stop(); <-ended }
	return inbox.CachedInfo().NumPending, nil
}

// take notes an answer. An error of an earlier call is none: the job is tried again.
func (k *collector) take(m jetstream.Msg, errorsToo bool) bool {
	text := m.Subject()
	job, err := strconv.Atoi(text[strings.LastIndexByte(text, '.')+1:])
	if err != nil || !k.missing[job] {
		return true // of a job that nobody wants yet, or for the second time
	}
	a, err := unpack(m.Data())
	if err == nil && a.Error != "" {
		err = errors.New(a.Error)
	}
	if err != nil && !errorsToo {
		return false
	}
	delete(k.missing, job)
	k.over = !k.finish(job, a.Rows, err) || k.over
	return true
}

// forget removes an answer.
func (k *collector) forget(ctx context.Context, subject string) error {
	return k.crew.try(ctx, func(ctx context.Context) error {
		stream, err := k.crew.js.Stream(ctx, answers)
		if err == nil {
			err = stream.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}
		return err
	})
}

// ask puts a task for each job that is missing; one that is there, or being done, stays as it is.
func (k *collector) ask(ctx context.Context) error {
	const window = 256
	var sent []jetstream.PubAckFuture
	var subjects []string
	flush := func() error {
		for i, f := range sent {
			select {
			case <-f.Ok():
				continue
			case err := <-f.Err():
				if unlessTaken(err) == nil {
					continue
				}
			case <-time.After(k.crew.pace.answer):
			case <-ctx.Done():
				return ctx.Err()
			}
			if err := k.crew.put(ctx, subjects[i], nil); err != nil {
				return err
			}
		}
		sent, subjects = sent[:0], subjects[:0]
		return nil
	}
	for _, job := range k.wanted {
		if !k.missing[job] {
			continue
		}
		subject := fmt.Sprintf(taskOf, k.build, k.study, job)
		f, err := k.crew.js.PublishAsync(subject, nil)
		if err != nil {
			if err := k.crew.put(ctx, subject, nil); err != nil {
				return err
			}
			continue
		}
		if sent, subjects = append(sent, f), append(subjects, subject); len(sent) == window {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// wait takes answers until none is missing. Every now and then it looks for workers. After a while without an answer it
// asks again for what is missing, in case the servers lost something, and reads all answers anew: a reader whose server
// was killed has been seen to hear nothing any more, while workers had done all there was.
func (k *collector) wait(ctx context.Context) error {
	look := time.NewTicker(k.crew.pace.look)
	defer look.Stop()
	heard, patience := time.Now(), 2*k.crew.pace.task
	for len(k.missing) > 0 && !k.over {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case m := <-k.news:
			before := len(k.missing)
			if k.take(m, true); len(k.missing) < before {
				heard, patience = time.Now(), 2*k.crew.pace.task
			}
		case <-look.C:
			if time.Since(heard) < k.crew.pace.look {
				continue
			}
			k.lookForWorkers(ctx)
			if time.Since(heard) > patience {
				if err := k.again(ctx); err != nil {
					return err
				}
				heard, patience = time.Now(), min(2*patience, maxPatience)
			}
		}
	}
	return nil
}

// maxPatience is how long long jobs leave a collector without an answer before it reads all of them again.
const maxPatience = 10 * time.Minute

func (k *collector) again(ctx context.Context) error {
	k.stop()
	k.stop = func() {}
	if _, err := k.listen(ctx); err != nil {
		return err
	}
	return k.ask(ctx)
}

// lookForWorkers says, once, when nobody is there who could do the tasks.
func (k *collector) lookForWorkers(ctx context.Context) {
	short, cancel := context.WithTimeout(ctx, k.crew.pace.answer)
	defer cancel()
	queue, err := k.crew.js.Consumer(short, tasks, "build-"+k.build)
	there := false
	switch {
	case errors.Is(err, jetstream.ErrConsumerNotFound):
	case err != nil:
		return // nobody knows
	default:
		info := queue.CachedInfo()
		there = info.NumWaiting > 0 || info.NumAckPending > 0
	}
	if !there && !k.alone {
		k.crew.log("%d tasks for build %s, and no worker of that build: start caucus worker with the same --nats",
			len(k.missing), k.build)
	}
	k.alone = !there
}
