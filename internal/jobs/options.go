package jobs

import (
	"fmt"
	"strconv"
	"strings"
)

// Option is one resolved option.
type Option struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (o Option) String() string {
	if o.Value == "" || strings.ContainsAny(o.Value, " \"\n\t\\") {
		return o.Name + "=" + strconv.Quote(o.Value)
	}
	return o.Name + "=" + o.Value
}

// List makes options of names and values in turn.
func List(pairs ...any) (list []Option) {
	for k := 0; k < len(pairs); k += 2 {
		list = append(list, Option{fmt.Sprint(pairs[k]), fmt.Sprint(pairs[k+1])})
	}
	return list
}

// Describe puts options behind a text.
func Describe(line string, options []Option) string {
	for _, o := range options {
		line += " " + o.String()
	}
	return line
}
