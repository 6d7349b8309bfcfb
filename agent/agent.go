// Package agent runs one node of an election on a real network. With an algorithm of rounds it reads, every period,
// the last message of every live neighbour, lets the algorithm run one round and sends
// the result to its peers. With one of events it hands over every message as it comes and every timer, and carries what
// the algorithm sends reliably and in order (internal/channel); once a period it sends a sign of life, with what has to
// be sent again.
//
// One goroutine owns all state. Others read sockets, resolve names and answer HTTP
// requests; they talk to it over channels and see snapshots.
//
// What a leader means here, and what it does not, is in docs/guarantees.md.
package agent

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent/act"
	"caucus.example/caucus/agent/probe"
	"caucus.example/caucus/algo/kit/over"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/seal"
	"caucus.example/caucus/internal/wire"
)

// Agent is one node. Make it with New and let it Run; all other methods may be called
// at any time from any goroutine.
type Agent struct {
	cfg       Config // the loop's; others see Status
	proto     protocol
	rounds    inRounds // proto, if it is of rounds
	events    *events  // proto, if it is of events
	transport *Emulator
	web       *web // nil if HTTP is off

	// Owned by the loop.
	local   caucus.Local
	self    wire.Instance
	group   uint32
	seq     uint32
	started time.Time
	due     time.Time     // next round, or sign of life
	paused  time.Duration // that the process was stopped: the algorithm's clock stands still
	lastRun time.Time
	deafTo  time.Time // datagrams that arrive before are from before a suspension
	peers   []*peer

	joined       joined
	added        []string // those, to the loop
	discovered   []Peer   // besides those of the configuration
	undiscovered string   // why some cannot be found
	segments     []*segment
	found        map[string]time.Time // the addresses of peers there, and when that was
	byAddr       map[netip.AddrPort]*peer
	rings        [][]place // of the peers, to choose from; nil: to be made anew
	unplaced     []place   // peers without a name
	slots        int
	present      []*peer
	gone         departures
	names        nameTable
	whereabouts  whereabouts
	choice       choice
	directory    *nameServer // nil without Config.DNS
	album        album
	leasing      *leasing
	directives   directives
	requests     requests
	answers      answers
	terms        terms
	census       *wire.Census // to tell; nil where no leader wants one
	members      int          // of the region that this node leads, if it counts them
	logbook      *logbook     // nil without state-dir
	twins        twinWatch
	about        wire.About
	asks         allowance
	damping      damping
	followed     []caucus.ID   // by neighbours, in this round
	tokens       *rand.ChaCha8 // of challenges
	ring         *seal.Ring
	sealed       []byte        // the datagram that is being sent
	came         wire.Envelope // the one that is being received

	strangers allowance // to be opened
	notices   allowance // of departures, to be looked into
	secret    uint64    // that this life ends with, see seal.Commitment

	pace         time.Duration // of the algorithm's rounds: the period, or longer
	paced        *wire.Pace    // that, to tell; nil if all around have the same period
	computed     time.Time     // last round of the algorithm
	easing       int           // rounds that still follow the former period
	formerPeriod time.Duration

	settled   bool      // the outcome means something
	looking   bool      // the first look for peers has not come to its end
	aloneFrom time.Time // since then who hears nobody is alone
	base      telling
	deaf      bool      // hears nobody
	unheard   bool      // hears others, of which none hears this node,
	oneWay    time.Time // since then; zero: not so
	lead      Leadership
	retell    int       // broadcasts that carry what the node says of itself
	intro     int       // broadcasts that still carry names
	beats     int       // broadcasts so far
	rush      time.Time // until then news is followed at once
	recheck   time.Time // when the term may be reported; zero: at the next round
	again     again
	telling   time.Time // when a change is told; zero: none that is not told yet
	overdue   time.Time // when news of the leader is to be asked for; zero: never
	asked     int       // times, in this silence
	recalls   tally     // of all peers
	hurried   int       // extra broadcasts since the last round
	sentAt    [16]sent
	count     Counters
	strange   map[netip.AddrPort]bool
	buf       bytes.Buffer
	inSlots   []int
	inDist    []float64
	inMissed  []uint8
	resolver  resolver

	now    func() time.Time     // for who asks at any time; the loop is told it
	asleep func() time.Duration // see there
	slept  atomic.Int64         // what it said last, to the loop
	ahead  func() time.Duration // of the monotonic clock is the wall clock, since some time
	before time.Duration        // what that said last

	strength atomic.Uint64 // bits of Local.Strength
	exceed   atomic.Uint64 // see ExceedTerm
	status   atomic.Pointer[Status]
	region   atomic.Pointer[Region] // nil without Config.Region
	// nil while there is none
	directive atomic.Pointer[Directive]
	watchers  watchers
	changes   []Change // shared with snapshots: never changed, only replaced
	checks    atomic.Pointer[probe.Watch]
	standing  standing
	hooks     atomic.Pointer[act.Runner] // nil: none so far
	hooking   sync.WaitGroup

	in       chan datagram
	free     chan []byte
	hubbed   *member // as its hub sees it
	commands chan func()
	running  atomic.Bool
	leave    signal
	kill     signal
	done     chan struct{}
}

type sent struct {
	seq uint32
	at  time.Time
}

// signal is an event that happens at most once.
type signal struct {
	once sync.Once
	c    chan struct{}
}

func (s *signal) raise() { s.once.Do(func() { close(s.c) }) }

func (s *signal) raised() bool {
	select {
	case <-s.c:
		return true
	default:
		return false
	}
}

// New makes an agent of an algorithm whose parameters have been resolved, and opens
// its sockets. Errors about the configuration are *caucus.FieldError.
func New[S, M any](algo caucus.Rounds[S, M], spec *caucus.Spec, cfg Config) (*Agent, error) {
	if cfg.Region {
		return NewRoundColumns(columns.OfRounds(over.New(algo, region.Region{})), region.SpecOf(spec), cfg)
	}
	return NewRoundColumns(columns.OfRounds(algo), spec, cfg)
}

// NewRoundColumns is New of an algorithm whose types are forgotten. With Config.Region it is one with a service above.
func NewRoundColumns(algo columns.Rounds, spec *caucus.Spec, cfg Config) (*Agent, error) {
	return prepare(spec, cfg, func(*Config) (protocol, error) { return erase(algo) })
}

// NewEvents is New for an algorithm of the event shape. Its ports are the peers, in the order of the configuration;
// they stay for as long as the agent runs.
func NewEvents[S, M any](algo caucus.Events[S, M], spec *caucus.Spec, cfg Config) (*Agent, error) {
	return NewEventColumns(columns.OfEvents(algo), spec, cfg)
}

// NewEventColumns is NewEvents of an algorithm whose types are forgotten.
func NewEventColumns(algo columns.Events, spec *caucus.Spec, cfg Config) (*Agent, error) {
	return prepare(spec, cfg, func(cfg *Config) (protocol, error) { return eraseEvents(algo, cfg) })
}

func prepare(spec *caucus.Spec, cfg Config, erase func(*Config) (protocol, error)) (*Agent, error) {
	cfg, err := cfg.Resolve()
	if err != nil {
		return nil, err
	}
	if err := cfg.Locate(deployable(spec, &cfg)); err != nil {
		return nil, err
	}
	proto, err := erase(&cfg)
	if err != nil {
		return nil, fmt.Errorf("algorithm %s: %w", spec.Name, err)
	}
	var seed [16]byte
	crand.Read(seed[:]) // never fails
	cfg.agreement, cfg.byStrength = agreement(spec, &cfg), spec.ByStrength
	book, err := openLogbook(cfg.StateDir)
	if err != nil {
		return nil, cfg.Locate(err)
	}
	kept, err := readJoined(cfg.StateDir)
	if err != nil {
		book.close(0)
		return nil, cfg.Locate(err)
	}
	a, err := start(proto, cfg, binary.LittleEndian.Uint64(seed[:8]), binary.LittleEndian.Uint64(seed[8:]))
	if err != nil {
		book.close(0)
		return nil, err
	}
	a.rejoin(kept)
	return a, a.remember(book)
}

// start is New for a forgotten type. The seed decides the phase, the secret the nonce; what is drawn from the seed is
// told to others, who must not find the secret by it.
func start(proto protocol, cfg Config, seed, secret uint64) (*Agent, error) {
	transport := cfg.Transport
	if transport == nil {
		t, err := Listen(cfg.Listen)
		if err != nil {
			return nil, cfg.Locate(err)
		}
		transport = t
	}
	segments, err := cfg.openSegments(transport)
	if err != nil {
		transport.Close()
		return nil, cfg.Locate(err)
	}
	random := caucus.NewRand(seed, "agent", uint64(cfg.ID))
	group := wire.Group(cfg.Group)
	self := wire.Instance{ID: cfg.ID, Nonce: seal.Commitment(group, cfg.ID, secret)}
	for cfg.hub != nil && !cfg.hub.apart(group, self) {
		secret++
		self.Nonce = seal.Commitment(group, cfg.ID, secret)
	}
	a := &Agent{
		cfg: cfg, proto: proto,
		local:    caucus.Local{ID: cfg.ID, Nonce: uint64(self.Nonce), Rand: random},
		self:     self,
		secret:   secret,
		segments: segments, found: make(map[string]time.Time),
		leasing:  newLeasing(&cfg),
		group:    group,
		gone:     make(departures),
		damping:  make(damping),
		names:    nameTable{names: make(map[caucus.ID]nameEntry)},
		strange:  make(map[netip.AddrPort]bool),
		count:    Counters{Dropped: make(map[string]uint64), Unsent: make(map[string]uint64)},
		about:    cfg.describe(),
		deaf:     true,
		tokens:   seal.Stream("challenges", cfg.ID, secret),
		standing: standing{health: probe.Healthy},
		ring:     seal.NewRing(cfg.ID, cfg.keys),
		asleep:   asleep,
		ahead:    aheadSince(time.Now()),
		now:      time.Now,
		pace:     cfg.Period,
		in:       make(chan datagram, waiting),
		free:     make(chan []byte, waiting),
		commands: make(chan func()),
		leave:    signal{c: make(chan struct{})},
		kill:     signal{c: make(chan struct{})},
		done:     make(chan struct{}),
	}
	a.hubbed = &member{a.group, a.self, a.in, a.done}
	a.begin(transport)
	if err := a.openEndpoints(); err != nil {
		if cfg.Transport == nil {
			a.closeSockets()
		}
		return nil, cfg.Locate(err)
	}
	return a, nil
}

// openSegments opens them, where the hub has not.
func (c *Config) openSegments(t Transport) ([]*segment, error) {
	if c.hub != nil {
		return c.hub.segments, nil
	}
	return c.Multicast.join(t)
}

// begin sets what depends on the algorithm, the links and the time.
func (a *Agent) begin(transport Transport) {
	a.slept.Store(int64(a.asleep()))
	a.before = a.ahead()
	a.rounds, _ = a.proto.(inRounds)
	a.events, _ = a.proto.(*events)
	a.local.Known, a.local.Labels = a.cfg.Known, a.cfg.labels()
	if a.events != nil && a.cfg.Metric == Weight {
		a.local.Lengths = a.cfg.lengths()
	}
	a.transport = Emulate(transport, a.linkTo)
	a.resolver.found = make(chan map[string][]netip.Addr)
	a.strength.Store(math.Float64bits(a.cfg.Strength))
	a.local.Strength, a.local.Tags = a.cfg.Strength, tagNumbers(a.cfg.Tags)
	a.lead = Leadership{Role: caucus.Undecided.String(), Distance: -1, Since: time.Now()}
	a.watchers.last = a.lead
	a.setPeers(a.cfg.Peers)
	a.publish(time.Now())
}

// roster lists the agents that share an endpoint.
type roster func() []*Agent

// alone is the list where nothing is shared.
func (a *Agent) alone() []*Agent { return []*Agent{a} }

// openEndpoints opens what others on this host ask.
func (a *Agent) openEndpoints() (err error) {
	if a.cfg.DNS != "" {
		if a.directory, err = newNameServer(a.cfg.DNS, roster(a.alone).lookup, a.cfg.Logger); err != nil {
			return err
		}
	}
	if a.cfg.HTTP != Off {
		if a.web, err = newWeb(&a.cfg, a.alone); err != nil {
			return err
		}
		a.publish(time.Now()) // with its address
	}
	return nil
}

// Run takes part in the election until ctx is done or Leave is called, and then
// announces its departure; or until Kill. It may be called once and returns nil after
// any of these ends, and after the last hook.
func (a *Agent) Run(ctx context.Context) error {
	if !a.running.CompareAndSwap(false, true) {
		return errors.New("agent: Run called twice")
	}
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	workers.Go(func() { a.read(a.transport.Receive, nil) })
	for _, s := range a.segments {
		if u, own := a.transport.Transport.(*udp); own {
			workers.Go(func() { a.read(s.receive, s) })
			workers.Go(func() { s.keep(ctx, u) })
		}
	}
	if a.web != nil {
		workers.Go(a.web.serve)
	}
	a.hook(a.cfg.On)
	if a.directory != nil {
		workers.Go(func() { a.directory.serve(a.directory.udp) })
		workers.Go(func() { a.directory.serve(a.directory.tcp) })
	}
	if a.cfg.HostsFile != "" {
		workers.Go(func() { roster(a.alone).keepHosts(ctx, &a.cfg) })
	}
	if a.cfg.Discover.on() && a.cfg.hub == nil {
		workers.Go(func() { a.cfg.keepLooking(ctx, a.Addr(), a.discover) })
	}
	var keeping sync.WaitGroup
	if a.logbook != nil {
		keeping.Go(func() { a.keepTerms(ctx.Done()) })
	}
	err := a.loop(ctx, &workers)
	cancel()
	a.closeSockets()
	keeping.Wait()
	a.logbook.close(a.finalTerm()) // who waits for the end may use the directory
	close(a.done)
	a.watchers.close()
	if a.web != nil {
		a.web.close()
	}
	workers.Wait()
	if w := a.checks.Load(); w != nil {
		w.Stop()
	}
	a.lastHooks()
	return err
}

// Leave makes Run announce the departure and return, and waits for that or for ctx.
func (a *Agent) Leave(ctx context.Context) error {
	a.leave.raise()
	if !a.running.Load() {
		a.Kill()
		return nil
	}
	select {
	case <-a.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Drop has an agent that runs end without a word, and does not wait for it. It is for many agents of one process: each
// ends at its next turn, whatever else it has to do.
func (a *Agent) Drop() { a.kill.raise() }

// Kill ends the agent without a word, as a crash would. Without Run before it closes
// the sockets.
func (a *Agent) Kill() {
	a.kill.raise()
	if a.running.CompareAndSwap(false, true) {
		a.closeSockets()
		if a.web != nil {
			a.web.listener.Close()
		}
		a.watchers.close()
		a.logbook.close(0)
		close(a.done)
		return
	}
	<-a.done
}

func (a *Agent) closeSockets() {
	a.transport.Close()
	if a.cfg.hub == nil {
		leave(a.segments)
	}
	if a.directory != nil {
		a.directory.close()
	}
}

// SetStrength changes the strength from the next round on. It must be finite and >= 0.
func (a *Agent) SetStrength(x float64) error {
	if err := checkStrength(x); err != nil {
		return err
	}
	a.strength.Store(math.Float64bits(x))
	return nil
}

// ExceedTerm makes every further leadership that this node reports have a larger term than
// the given one, whoever leads: without Config.StateDir terms are not kept on disk, so after a restart of all nodes
// they would begin below those that a fenced resource has seen. It must be less than wire.MaxTerm - 2.
func (a *Agent) ExceedTerm(term uint64) error {
	if term >= last-1 {
		allowed := fmt.Sprintf("less than %d", uint64(last-1))
		return caucus.Wrong("term", term, allowed)
	}
	for {
		old := a.exceed.Load()
		if term <= old || a.exceed.CompareAndSwap(old, term) {
			return nil
		}
	}
}

// Addr is the address that the agent receives datagrams on.
func (a *Agent) Addr() netip.AddrPort { return a.transport.Addr() }

// read hands datagrams to the loop: with a hub, it does.
func (a *Agent) read(receive func([]byte) (int, netip.AddrPort, error), via *segment) {
	pump(receive, via, a.free, func(d datagram) bool {
		select {
		case a.in <- d:
			return true
		case <-a.done:
			return false
		}
	})
}
