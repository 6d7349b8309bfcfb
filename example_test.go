package caucus_test

import (
	"errors"
	"fmt"

	"caucus.example/caucus"
)

// What a user gives is checked against the algorithm's own table of parameters; the error says what is allowed.
func ExampleSpec_Resolve() {
	spec := caucus.Spec{Name: "loudest", Params: []caucus.Param{
		{Name: "reach", Kind: caucus.KindInt, Default: "3", Max: 100, Doc: "greatest number of hops to the leader"},
	}}
	args, err := spec.Resolve("", map[string]string{"reach": "7"})
	fmt.Println(args.Int("reach"), err)

	_, err = spec.Resolve("", map[string]string{"reach": "many"})
	var field *caucus.FieldError
	fmt.Println(errors.As(err, &field), err)
	// Output:
	// 7 <nil>
	// true reach: found "many", allowed: an integer >= 0 and <= 100
}

// Names map what users call their nodes to IDs: the node listed first has the smallest and wins ties.
func ExampleNewNames() {
	names, err := caucus.NewNames([]string{"pump", "valve"}, 2)
	if err != nil {
		panic(err)
	}
	id, _ := names.ID("valve")
	fmt.Println(id, names.Name(1), names.Name(99))
	// Output: 2 pump #99
}
