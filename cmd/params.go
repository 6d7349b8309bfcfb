package cmd

import (
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
)

// setParams takes the values of --param.
func setParams(s *scenario.Scenario, params []string) error {
	for _, p := range params {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			return &caucus.FieldError{Field: "param", Found: p, Allowed: "name=value"}
		}
		s.SetParam(name, value)
	}
	return nil
}
