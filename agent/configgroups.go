package agent

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
)

// A process may take part in several groups (Config.Groups). What stands at the top holds for all of them; an entry
// names its group and what is other there. In an entry 0 or nothing means as at the top, and who names another
// algorithm or another profile there takes nothing of what belongs to that of the top.

// maxGroups bounds the groups of a process, and with them the values of the label that metrics have then.
const maxGroups = 64

// label makes a name one part of a domain name.
func label(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
}

// sharedFields are those of the whole process.
var sharedFields = []string{
	"name", "id", "listen", "discover", "multicast", "interfaces", "http", "http-token-file", "http-cert", "http-key",
	"dns", "hosts-file", "state-dir", "key-file", "unsealed", "groups",
}

// checkGroups checks each of the groups as what it will be.
func (c *Config) checkGroups() error {
	if len(c.Groups) == 0 {
		return nil
	}
	switch {
	case c.Group != "":
		return caucus.Wrong("group", c.Group, "nothing beside groups: each has its name there")
	case len(c.Groups) > maxGroups:
		return caucus.Wrong("groups", len(c.Groups), fmt.Sprintf("at most %d", maxGroups))
	}
	seen, labels := make(map[uint32]int), make(map[string]int)
	for i := range c.Groups {
		field := fmt.Sprintf("groups[%d]", i)
		name := c.Groups[i].Group
		if name == "" || len(name) > 63 || label(name) != strings.ToLower(name) {
			return caucus.Wrong(field+".group", name,
				"1 to 63 of a-z, A-Z, 0-9, - and _: it is part of paths and domain names")
		}
		if first, taken := seen[wire.Group(name)]; taken {
			return caucus.Wrong(field+".group", name, fmt.Sprintf("a name that no other entry has, nor its hash; "+
				"groups[%d] is %q", first, c.Groups[first].Group))
		}
		if first, taken := labels[label(name)]; taken {
			return caucus.Wrong(field+".group", name, fmt.Sprintf("a name that differs from %q not only in case",
				c.Groups[first].Group))
		}
		seen[wire.Group(name)], labels[label(name)] = i, i
		if shared, value := c.Groups[i].setAmong(sharedFields); shared != "" {
			return caucus.Wrong(field+"."+shared, value, "nothing: the groups of a process share it")
		}
		if err := c.switchedOff(i); err != nil {
			return err
		}
		one := c.ofGroup(i)
		one.defaults()
		if err := one.check(); err != nil {
			return inGroup(field, one.Locate(err))
		}
	}
	return nil
}

// switchedOff refuses what an entry says in vain: 0 or nothing there is as at the top, which says something else.
func (c *Config) switchedOff(i int) error {
	if c.source == nil {
		return nil
	}
	entry, top := c.Groups[i].yamlFields(), c.yamlFields()
	for _, name := range slices.Sorted(maps.Keys(entry)) {
		field := fmt.Sprintf("groups[%d].%s", i, name)
		if entry[name].IsZero() && !top[name].IsZero() && c.source.at(field) != nil {
			return caucus.Wrong(field, fmt.Sprint(entry[name].Interface()), "something, or no such line: an entry "+
				"cannot take back what the top says; say it in the entries that want it")
		}
	}
	return nil
}

// inGroup names the entry where nothing does yet.
func inGroup(field string, err error) error {
	if strings.Contains(err.Error(), field) {
		return err
	}
	return fmt.Errorf("%s: %w", field, err)
}

// yamlFields gives the fields that a file may have, by their names there.
func (c *Config) yamlFields() map[string]reflect.Value {
	fields := make(map[string]reflect.Value)
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ","); name != "" && name != "-" {
			fields[name] = v.Field(i)
		}
	}
	return fields
}

// setAmong gives the first of the named fields that says something, and what.
func (c *Config) setAmong(names []string) (name, value string) {
	fields := c.yamlFields()
	for _, name := range names {
		switch x := fields[name]; {
		case x.IsZero():
		case x.Kind() == reflect.Slice:
			return name, fmt.Sprintf("%d entries", x.Len())
		case x.Kind() == reflect.Struct:
			return name, "fields"
		default:
			return name, fmt.Sprint(x.Interface())
		}
	}
	return "", ""
}

// ByGroup gives the configurations of the groups of a resolved configuration, each by itself and resolved.
func (c *Config) ByGroup() (list []Config) {
	for i := range c.Groups {
		one := c.ofGroup(i)
		one.defaults()
		_ = one.check() // which sets defaults too, and has been found right
		list = append(list, one)
	}
	return list
}

// ofGroup gives the configuration of one of the groups, without its defaults.
func (c *Config) ofGroup(i int) Config {
	entry, one := c.Groups[i], *c
	one.Groups = nil
	if entry.Algo != "" && entry.Algo != c.Algo {
		one.Params, one.Faithful = nil, ""
	}
	if entry.Profile != "" && entry.Profile != c.Profile {
		one.Period, one.Expiry = 0, 0
	}
	from, to := entry.yamlFields(), one.yamlFields()
	for name, x := range from {
		if !x.IsZero() && !slices.Contains(sharedFields, name) {
			to[name].Set(x)
		}
	}
	one.HTTP, one.HTTPToken, one.HTTPCert, one.HTTPKey = Off, "", "", ""
	one.DNS, one.HostsFile = "", ""
	if c.source != nil {
		part := *c.source
		part.within = fmt.Sprintf("groups[%d]", i)
		one.source = &part
	}
	return one
}
