// Package crew shares the jobs of a batch among workers on other machines, over the streams of a NATS server or of a
// cluster of them. Whoever collects puts a task for each job into one stream, with at most one message a subject;
// workers take them from there, put what a job gave into another, where the first answer stays, and only then have the
// task removed. So a worker, a server or a collector that is killed loses nothing, and what is done twice counts once.
//
// A task names the build of the program that is to do it: workers of another build never see it.
package crew

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/loopback"
)

// Options say which servers are used, and how they know this program.
type Options struct {
	URL  string // nats://host:port or tls://host:port, several with commas
	Seed string // file with the seed of an nkey; ""
	CA   string // file with the certificates that servers are trusted by; "": those of the system
}

// Crew is a connection to the servers.
type Crew struct {
	log func(format string, args ...any) // what the user should know

	conn *nats.Conn
	js   jetstream.JetStream
	pace pace
}

// pace has the times of a crew; tests shorten them.
type pace struct {
	answer time.Duration // that a server has for one answer
	task   time.Duration // after which a task whose worker gives no sign of life goes to another
	look   time.Duration // between two looks at whether there are workers, and whether a task is lost
}

// starting is how long servers may take to come up, and to find each other.
const starting = 20 * time.Second

var usual = pace{answer: 3 * time.Second, task: 10 * time.Second, look: 5 * time.Second}

// Connect finds the servers, and logs what the user should know: now, and later. Beyond loopback they and this program
// have to prove who they are.
func Connect(ctx context.Context, o Options, log func(format string, args ...any)) (*Crew, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	list := []nats.Option{nats.Name("caucus"), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond),
		nats.Timeout(5 * time.Second)}
	if o.Seed != "" {
		key, err := nats.NkeyOptionFromSeed(o.Seed)
		if err != nil {
			return nil, caucus.Wrong("nats-key", o.Seed, "a file with the seed of an nkey: "+err.Error())
		}
		list = append(list, key)
	}
	if o.CA != "" {
		if _, err := os.Stat(o.CA); err != nil {
			return nil, caucus.Wrong("nats-ca", o.CA, "a file with certificates: "+err.Error())
		}
		list = append(list, nats.RootCAs(o.CA))
	}
	conn, err := dial(ctx, o.URL, list, log)
	if err != nil {
		return nil, fmt.Errorf("nats: %s: %w", o.URL, err)
	}
	c := &Crew{log: log, conn: conn, pace: usual}
	if c.js, err = jetstream.New(conn); err == nil {
		err = c.prepare(ctx)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return c, nil
}

// dial waits a while for servers that are being started, as those of a cluster are together with its workers.
func dial(ctx context.Context, servers string, list []nats.Option, log func(string, ...any)) (*nats.Conn, error) {
	told := false
	for begin := time.Now(); ; {
		conn, err := nats.Connect(servers, list...)
		if err == nil || !errors.Is(err, nats.ErrNoServers) || time.Since(begin) > starting {
			return conn, err
		}
		if !told && time.Since(begin) > time.Second {
			told = true
			log("no server at %s yet: waiting for %v", servers, starting)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// Close ends the connection.
func (c *Crew) Close() { c.conn.Close() }

// Check tells whether the options go together, without asking a server.
func (o Options) Check() error {
	switch {
	case o.URL == "" && o.Seed != "":
		return caucus.Wrong("nats-key", o.Seed, "none without --nats")
	case o.URL == "" && o.CA != "":
		return caucus.Wrong("nats-ca", o.CA, "none without --nats")
	case o.URL == "":
		return nil
	}
	for _, one := range strings.Split(o.URL, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" {
			return caucus.Wrong("nats", one, "nats://host:port or tls://host:port, several with commas between them")
		}
		if loopback.Is(u.Host) {
			continue
		}
		if u.Scheme != "tls" || o.Seed == "" {
			return caucus.Wrong("nats", one, "beyond this machine tls://host:port, together with --nats-key")
		}
	}
	return nil
}

// The streams, and what stands where in their subjects: the build, the study, the job.
const (
	studies = "CAUCUS_STUDIES"
	tasks   = "CAUCUS_TASKS"
	answers = "CAUCUS_ANSWERS"

	studyOf  = "caucus.study.%s.%s"
	taskOf   = "caucus.task.%s.%s.%d"
	answerOf = "caucus.answer.%s.%s.%d"
)

// kept is how long studies and answers stay for a sweep that goes on.
const kept = 7 * 24 * time.Hour

// prepare makes the streams that are missing. With three servers or more each is kept by three.
func (c *Crew) prepare(ctx context.Context) error {
	replicas := 1
	if len(c.conn.Servers()) >= 3 {
		replicas = 3
	}
	list := []jetstream.StreamConfig{
		{Name: studies, Subjects: []string{"caucus.study.*.*"}, MaxMsgsPerSubject: 1, MaxAge: kept},
		{Name: tasks, Subjects: []string{"caucus.task.*.*.*"}, Retention: jetstream.WorkQueuePolicy,
			MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true},
		{Name: answers, Subjects: []string{"caucus.answer.*.*.*"}, MaxMsgsPerSubject: 1, MaxAge: kept,
			Discard: jetstream.DiscardNew, DiscardNewPerSubject: true},
	}
	short, cancel := context.WithTimeout(ctx, starting)
	defer cancel()
	for _, cfg := range list {
		cfg.Replicas = replicas
		var why error
		err := c.try(short, func(ctx context.Context) error {
			_, why = c.js.CreateStream(ctx, cfg)
			if errors.Is(why, jetstream.ErrStreamNameAlreadyInUse) {
				why = nil // by another sweep; how many keep it is up to that one
			}
			return why
		})
		if err != nil {
			return fmt.Errorf("nats: no stream %s, which needs nats-server -js, and most servers of a cluster: %w",
				cfg.Name, errors.Join(why, ctx.Err()))
		}
	}
	return nil
}

// try calls a server again and again, each time for a short while: a cluster that has just lost its leader, or a
// server, answers nobody for some seconds. What a server refuses for good ends it.
func (c *Crew) try(ctx context.Context, call func(context.Context) error) error {
	told := false
	begin := time.Now()
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		short, cancel := context.WithTimeout(ctx, c.pace.answer)
		err := call(short)
		cancel()
		var refused jetstream.JetStreamError
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, nats.ErrMaxPayload):
			return fmt.Errorf("%w: the server takes at most %d bytes (max_payload)", err, c.conn.MaxPayload())
		case errors.As(err, &refused) && refused.APIError() != nil && refused.APIError().Code < 500:
			return err
		}
		if !told && time.Since(begin) > 3*c.pace.answer {
			told = true
			c.log("the servers do not answer: %v", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// taken is the code of a server for a subject that has a message.
const taken jetstream.ErrorCode = 10077

// put writes a message unless its subject has one.
func (c *Crew) put(ctx context.Context, subject string, data []byte) error {
	return c.try(ctx, func(ctx context.Context) error {
		_, err := c.js.Publish(ctx, subject, data)
		return unlessTaken(err)
	})
}

func unlessTaken(err error) error {
	var refused *jetstream.APIError
	if errors.As(err, &refused) && refused.ErrorCode == taken {
		return nil
	}
	return err
}
