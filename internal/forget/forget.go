// Package forget forgets the types of event algorithms, with their parameters still open, for the registry.
//
// It and those who use it know neither simulator nor checker nor agent: what is compiled for an algorithm's types is
// compiled again when the algorithm changes, and not when they do.
package forget

import (
	"reflect"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/restart"
	"caucus.example/caucus/internal/columns"
)

// Events is an event algorithm without its types.
type Events struct {
	Spec *caucus.Spec
	Make func(caucus.Args) (columns.Events, error)
	// Again puts the restart layer around an algorithm that Make has made.
	Again                 func(algo columns.Events, layer restart.Config) (columns.Events, error)
	Message, AgainMessage reflect.Type
}

// OfEvents forgets the types of an algorithm.
func OfEvents[S, M any, A caucus.Events[S, M]](spec *caucus.Spec, make func(caucus.Args) (A, error)) Events {
	return Events{
		Spec: spec, Message: reflect.TypeFor[M](), AgainMessage: reflect.TypeFor[restart.Msg[M]](),
		Make: func(args caucus.Args) (columns.Events, error) {
			algo, err := make(args)
			if err != nil {
				return nil, err
			}
			return columns.OfEvents[S, M](algo), nil
		},
		Again: func(algo columns.Events, layer restart.Config) (columns.Events, error) {
			again, err := restart.New(algo.Algorithm().(caucus.Events[S, M]), spec, layer)
			if err != nil {
				return nil, err
			}
			return columns.OfEvents(again), nil
		},
	}
}
