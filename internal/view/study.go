package view

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"caucus.example/caucus/internal/frames"
)

// Study is a sweep that goes on or is over.
type Study struct {
	Look func(from int) any // how far it is, and of the runs that have ended after so many, as JSON
	Run  func(number int) (frames.Request, error)
}

func (s *Study) look(w http.ResponseWriter, r *http.Request) {
	text := r.URL.Query().Get("from")
	from, err := strconv.Atoi(text)
	if err != nil || from < 0 {
		http.Error(w, fmt.Sprintf("from: found %q, allowed: a number of runs", text), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s.Look(from)) // who does not read any more needs not be told
}

// pick tells what the page asks for to show a run.
func (s *Study) pick(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(r.PathValue("run"))
	if err != nil {
		http.Error(w, fmt.Sprintf("run: found %q, allowed: the number of a run", r.PathValue("run")),
			http.StatusBadRequest)
		return
	}
	q, err := s.Run(number)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(q)
}
