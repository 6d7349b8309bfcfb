package agent

import (
	"errors"

	"caucus.example/caucus/internal/seal"
	"caucus.example/caucus/internal/wire"
)

// Reasons for dropping a datagram, as in Counters.Dropped.
const (
	dropUnknown   = "unknown-sender" // the address is no configured peer's
	dropOversize  = "oversize"
	dropVersion   = "version"
	dropGroup     = "group"
	dropMalformed = "malformed"
	dropOld       = "old"       // of a sequence number seen before, or of a former instance
	dropSelf      = "self"      // the agent is its own peer
	dropTwin      = "duplicate" // another instance has this agent's ID
	dropGone      = "gone"      // the sender has announced its end before
	dropStale     = "stale"     // it waited while this process was suspended
	dropFailed    = "receive-error"

	// in a group with keys
	dropKey      = "unknown-key"
	dropForged   = "bad-tag"
	dropReplay   = "replay"
	dropUnproven = "unproven" // a new life of a peer, which has not answered a challenge yet
	dropUnsealed = "unsealed" // in a group without keys:
	dropSealed   = "sealed"

	// of a peer that does not fit together with this node
	dropAlgorithm   = "algorithm"
	dropParams      = "parameters"
	dropUndescribed = "undescribed" // its sender has not said yet what it is
)

// DropReasons lists why datagrams are dropped.
var DropReasons = []string{
	dropUnknown, dropOversize, dropVersion, dropGroup, dropMalformed, dropOld, dropSelf, dropTwin, dropGone, dropStale,
	dropFailed,
	dropKey, dropForged, dropReplay, dropUnproven, dropUnsealed, dropSealed, dropAlgorithm, dropParams, dropUndescribed,
}

var (
	errSealed   = errors.New("sealed, and this node has no key")
	errUnsealed = errors.New("not sealed")
)

// reason is that for which a datagram that could not be read is dropped.
func reason(err error) string {
	switch {
	case errors.Is(err, wire.ErrOversize):
		return dropOversize
	case errors.Is(err, wire.ErrVersion):
		return dropVersion
	case errors.Is(err, wire.ErrGroup):
		return dropGroup
	case errors.Is(err, seal.ErrKey):
		return dropKey
	case errors.Is(err, seal.ErrForged):
		return dropForged
	case errors.Is(err, errSealed):
		return dropSealed
	case errors.Is(err, errUnsealed):
		return dropUnsealed
	case errors.Is(err, wire.ErrBrief):
		return dropUndescribed
	}
	return dropMalformed
}
